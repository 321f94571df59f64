"""Standard output as a command needs it: what cannot be written to it is told from all else that can go wrong."""

import io
import os
import sys
from typing import TextIO


class Unwritable(Exception):
    """What a command has to tell was not taken. Whatever it had to do is done."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.is_hung_up = isinstance(error, BrokenPipeError)
        """Whoever read has read enough, as `head` does: that is nothing to complain about."""


class _Raw(io.FileIO):
    def write(self, data: object, /) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError as error:
            _forget(self.fileno())
            raise Unwritable(error) from None


def standard_output() -> TextIO:
    """What this process was given. Letters that its encoding lacks are spelled out: `\\u2192`."""
    given = sys.stdout
    raw = _Raw(given.fileno() if given is not None else _closed(), "w", closefd=False)
    encoding = given.encoding if given is not None else "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=raw.isatty())


def nowhere(fd: int) -> TextIO:
    """For one that was closed when we were started: else the next file that is opened would be taken for it, by our child too."""
    opened = os.open(os.devnull, os.O_WRONLY)
    os.dup2(opened, fd)
    if opened != fd:
        os.close(opened)
    os.set_inheritable(fd, True)
    return open(fd, "w", closefd=False)


def _closed() -> int:
    """Fails when it is written to. Without it the next file that is opened would be taken for standard output."""
    return os.open(os.devnull, os.O_RDONLY)


def _forget(fd: int) -> None:
    """What is left goes nowhere: Python would try again at its end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, fd)
    os.close(nowhere)
