"""The rows of tests/live/claude/test_startup.py, against the simulator."""

from tests.live.claude.test_startup import *  # noqa: F403
