"""Campaigns against the real Gemini CLI: states, deliveries and answers, each with its evidence page."""
