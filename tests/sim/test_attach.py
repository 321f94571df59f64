"""The rows of tests/live/test_attach.py, against the simulator, in tmux and in GNU screen."""

from tests.live.test_attach import *  # noqa: F403
