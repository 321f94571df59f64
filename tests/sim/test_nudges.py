"""The rows of tests/live/test_nudges.py, against the simulator."""

from tests.live.test_nudges import *  # noqa: F403
