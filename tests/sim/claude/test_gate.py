"""The rows of tests/live/claude/test_gate.py, against the simulator."""

from tests.live.claude.test_gate import *  # noqa: F403
