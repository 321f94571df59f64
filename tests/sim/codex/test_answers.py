"""The rows of tests/live/codex/test_answers.py, against the simulator."""

from tests.live.codex.test_answers import *  # noqa: F403
