"""Observations to belief. Knows no agents, does no I/O."""
