"""Bytes and cells. Knows no agents."""
