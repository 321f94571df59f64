"""Campaigns against the real Claude Code: states, deliveries, answers and the cost of hooks, each with its evidence page."""
