"""The rows of tests/live/gemini/test_gate.py, against the simulator."""

from tests.live.gemini.test_gate import *  # noqa: F403
