"""The rows of tests/live/codex/test_states.py, against the simulator."""

from tests.live.codex.test_states import *  # noqa: F403
