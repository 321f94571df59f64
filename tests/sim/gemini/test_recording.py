"""The rows of tests/live/gemini/test_recording.py, against the simulator."""

from tests.live.gemini.test_recording import *  # noqa: F403
