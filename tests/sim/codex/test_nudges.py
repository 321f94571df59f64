"""The rows of tests/live/codex/test_nudges.py, against the simulator."""

from tests.live.codex.test_nudges import *  # noqa: F403
