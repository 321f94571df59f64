"""The rows of tests/live/codex/test_recording.py, against the simulator."""

from tests.live.codex.test_recording import *  # noqa: F403
