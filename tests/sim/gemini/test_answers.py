"""The rows of tests/live/gemini/test_answers.py, against the simulator."""

from tests.live.gemini.test_answers import *  # noqa: F403
