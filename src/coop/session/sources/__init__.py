"""Where records come from: pipes and files."""
