"""The rows of tests/live/claude/test_nudges.py, against the simulator."""

from tests.live.claude.test_nudges import *  # noqa: F403
