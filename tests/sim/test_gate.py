"""The rows of tests/live/test_gate.py, against the simulator."""

from tests.live.test_gate import *  # noqa: F403
