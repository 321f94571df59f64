"""The rows of tests/live/claude/test_states.py, against the simulator."""

from tests.live.claude.test_states import *  # noqa: F403
