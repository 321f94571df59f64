"""`coop --detach`: the same coop started again, away from this terminal. Here only its start is waited for."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen

import click

from coop.errors import ConfigError

READY_FD = "--ready-fd"
_INTERRUPTED = 130


def detach(arguments: Sequence[str]) -> int:
    """The exit code: 0 when the session listens, else that of a coop which has said itself why there is none."""
    ours, theirs = os.pipe()
    coop = _started(arguments, theirs)
    os.close(theirs)
    try:
        with os.fdopen(ours) as pipe:
            name = pipe.read()
        if not name:
            return _shell_code(coop.wait())
    except KeyboardInterrupt:
        coop.terminate()
        coop.wait()
        return _INTERRUPTED
    click.echo(f"{name} runs; coop attach {name} shows it, coop stop {name} ends it")
    return 0


def _started(arguments: Sequence[str], ready: int) -> "Popen[bytes]":
    """A new process, not a fork; nothing of the folder it starts in is imported (-P). It has our stderr until it listens,
    and what else was opened for it: a token may come by /dev/fd/63."""
    os.set_inheritable(ready, True)
    again = [sys.executable, "-P", "-m", "coop.cli.main", READY_FD, str(ready), *arguments]
    return Popen(again, stdin=DEVNULL, stdout=DEVNULL, start_new_session=True, close_fds=False)


def _shell_code(code: int) -> int:
    return code if code >= 0 else 128 - code


# In the coop that was started


def close_inherited(ready: int) -> None:
    """A lock of the script that started us is not to be held for as long as the session lasts. What we open is never inherited."""
    with suppress(OSError):
        for fd in map(int, os.listdir("/proc/self/fd")):
            with suppress(OSError):
                if fd > 2 and fd != ready and os.get_inheritable(fd):
                    os.close(fd)


def move_stderr(path: Path) -> None:
    """To a new file. Raises `ConfigError`."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        os.fchmod(file, 0o600)
    except OSError as error:
        raise ConfigError(f"cannot write the log to {path}: {error.strerror}") from None
    os.dup2(file, 2)
    os.close(file)


def tell_ready(ready: int, name: str) -> None:
    """Whoever waited may have gone."""
    with suppress(OSError), os.fdopen(ready, "w") as pipe:
        pipe.write(name)
