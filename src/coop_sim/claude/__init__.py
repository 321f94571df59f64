"""A pretend Claude Code: what a driver sees, hears and reads of the real one, with a scripted model behind it."""
