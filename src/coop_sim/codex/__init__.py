"""A pretend Codex CLI, as it was measured from outside."""
