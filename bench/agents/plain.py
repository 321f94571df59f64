"""An agent without coop: on a bare PTY of ours, or in tmux."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from bench.agents.model import Model
from bench.agents.subject import COLS, ROWS, Place, Setting, Subject, placed
from bench.processes import end, end_daemon, nobody_left
from coop.testing import eventually

READY_WITHIN = 30.0
TYPED_WITHIN = 10.0
KEPT = 1 << 18
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class Typist(Protocol):
    """One way to type a message and Enter."""

    def type(self, text: str) -> None: ...
    def shown(self) -> str: ...
    def is_gone(self) -> bool: ...
    def close(self) -> None: ...


class BarePty:
    """Whoever has the master side of a PTY and writes to it. Of what is drawn the last is kept."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        self._process = subprocess.Popen(
            argv, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=cwd, start_new_session=True
        )
        os.close(slave)
        os.set_blocking(self._master, False)
        self._drawn = b""
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        with suppress(OSError, ValueError):
            while select.select([self._master], [], [])[0] and (data := os.read(self._master, 1 << 16)):
                self._drawn = (self._drawn + data)[-KEPT:]

    def type(self, text: str) -> None:
        self.write(f"{text}\r".encode())

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left and select.select([], [self._master], [], TYPED_WITHIN)[1]:
            left = left[os.write(self._master, left) :]

    def shown(self) -> str:
        return _ESCAPES.sub("", self._drawn.decode(errors="ignore"))

    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> None:
        # Of one that is gone, the number may be another's by now.
        with (
            nullcontext() if self.is_gone() else nobody_left(self._process.pid)
        ):  # some start themselves once more, and the first ignores the signal
            end(self._process)
        os.close(self._master)


class Tmux:
    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._env, self._cwd = {**env, "TMUX_TMPDIR": str(cwd.parent)}, cwd
        size = ("-x", str(COLS), "-y", str(ROWS))
        self._ask("start-server", ";", "set", "-g", "status", "off", ";", "new-session", "-d", *size, "--", *argv)
        self._pid = int(self._ask("display-message", "-p", "#{pid}"))

    def _ask(self, *words: str) -> str:
        command = ["tmux", "-L", "campaign", "-f", "/dev/null", *words]
        done = subprocess.run(command, env=self._env, cwd=self._cwd, capture_output=True, text=True, timeout=30, check=False)
        return done.stdout

    def type(self, text: str) -> None:
        self._ask("send-keys", "-l", "--", text)
        self._ask("send-keys", "Enter")

    def shown(self) -> str:
        return self._ask("capture-pane", "-p")

    def is_gone(self) -> bool:
        return not self._ask("list-sessions")

    def close(self) -> None:
        with nullcontext() if self.is_gone() else nobody_left(self._pid):
            self._ask("kill-server")
            end_daemon(self._pid, name="tmux")


AnyTypist = TypeVar("AnyTypist", bound=Typist)


@dataclass
class Plain(Generic[AnyTypist]):
    subject: Subject
    model: Model
    place: Place
    typist: AnyTypist

    def is_idle(self) -> bool:
        return not self.model.in_flight and self.subject.is_idle(self.place, "".join(self.typist.shown().split()))

    def shows(self, text: str) -> bool:
        """Blanks do not count: nobody needs to draw them."""
        return "".join(text.split()) in "".join(self.typist.shown().split())

    def until_idle(self) -> None:
        eventually(self.is_idle, within=READY_WITHIN, what="idle")


@contextmanager
def started_plain(
    subject: Subject, setting: Setting, way: Callable[[Sequence[str], Mapping[str, str], Path], AnyTypist], *arguments: str
) -> Generator[Plain[AnyTypist]]:
    model = subject.model()
    with model.serving(), placed(setting, model.url) as place:
        env = {**place.env, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        typist = way([*setting.command, *setting.alone, *arguments], env, place.workspace)
        try:
            plain = Plain(subject, model, place, typist)
            plain.until_idle()
            yield plain
        finally:
            typist.close()
