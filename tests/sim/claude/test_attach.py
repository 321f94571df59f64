"""The rows of tests/live/claude/test_attach.py, against the simulator, in tmux and in GNU screen."""

from tests.live.claude.test_attach import *  # noqa: F403
