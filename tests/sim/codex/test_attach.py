"""The rows of tests/live/codex/test_attach.py, against the simulator, in tmux and in GNU screen."""

from tests.live.codex.test_attach import *  # noqa: F403
