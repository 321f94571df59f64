"""A pretend Gemini CLI."""
