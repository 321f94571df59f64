"""The rows of tests/live/test_answers.py, against the simulator."""

from tests.live.test_answers import *  # noqa: F403
