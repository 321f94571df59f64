"""What of tests/live is not run against the simulator, and why."""

EXCLUDED = {
    "test_laboratory.py": "is about the network namespace that the real one is kept in",
    "test_documentation.py": "runs the page's example, which is about the real one; the rest of it is in the other rows",
    "test_campaigns.py": "samples the campaigns of bench/claude, which measure the real one",
}
"""A module of tests/live, or one of its tests as `module::test`."""
