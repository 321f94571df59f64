"""The rows of tests/live/gemini/test_startup.py, against the simulator."""

from tests.live.gemini.test_startup import *  # noqa: F403
