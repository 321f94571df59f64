"""Campaigns against a real agent: what is the same for all of them."""
