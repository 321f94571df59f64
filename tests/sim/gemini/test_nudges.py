"""The rows of tests/live/gemini/test_nudges.py, against the simulator."""

from tests.live.gemini.test_nudges import *  # noqa: F403
