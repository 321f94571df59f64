"""The rows of tests/live/claude/test_recording.py, against the simulator."""

from tests.live.claude.test_recording import *  # noqa: F403
