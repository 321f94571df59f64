"""The rows of tests/live/claude/test_answers.py, against the simulator."""

from tests.live.claude.test_answers import *  # noqa: F403
