"""The rows of tests/live/test_startup.py, against the simulator."""

from tests.live.test_startup import *  # noqa: F403
