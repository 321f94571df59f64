"""The rows of tests/live/test_states.py, against the simulator."""

from tests.live.test_states import *  # noqa: F403
