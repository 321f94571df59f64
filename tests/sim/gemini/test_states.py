"""The rows of tests/live/gemini/test_states.py, against the simulator."""

from tests.live.gemini.test_states import *  # noqa: F403
