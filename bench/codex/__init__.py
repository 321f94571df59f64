"""Campaigns against the real Codex: states, deliveries and answers, each with its evidence page."""
