"""Gemini starts itself once more, and waits: what is started hears signals, the one that waits does not."""

import os
import signal
from collections.abc import Callable

from coop_sim.gemini.startup import RELAUNCH

_IGNORED = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def launch(run: Callable[[int], int]) -> int:
    """`run` is given a descriptor that can be read when nobody waits any more."""
    code = RELAUNCH
    while code == RELAUNCH:
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(theirs)
            _exit(run, ours)
        os.close(ours)
        for number in _IGNORED:
            signal.signal(number, signal.SIG_IGN)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(theirs)
    return code


def _exit(run: Callable[[int], int], watched: int) -> None:
    code = 1
    try:
        for number in _IGNORED:
            signal.signal(number, signal.SIG_DFL)
        code = run(watched)
    finally:
        os._exit(code)
