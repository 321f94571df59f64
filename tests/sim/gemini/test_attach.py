"""The rows of tests/live/gemini/test_attach.py, against the simulator, in tmux and in GNU screen."""

from tests.live.gemini.test_attach import *  # noqa: F403
