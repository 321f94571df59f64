"""The rows of tests/live/codex/test_gate.py, against the simulator."""

from tests.live.codex.test_gate import *  # noqa: F403
