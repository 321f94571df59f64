"""The rows of tests/live/codex/test_startup.py, against the simulator."""

from tests.live.codex.test_startup import *  # noqa: F403
