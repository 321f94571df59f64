"""Claude Code without coop: on a bare PTY of ours, or in tmux."""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from bench.claude.api import Model
from bench.claude.place import COLS, ROWS, binary, temporary_place
from bench.processes import end, end_daemon
from coop.testing import eventually
from coop.testing.claude import ClaudeHome

READY_WITHIN = 30.0
TYPED_WITHIN = 10.0


class Typist(Protocol):
    """One way to type a message and Enter."""

    def type(self, text: str) -> None: ...
    def close(self) -> None: ...


class BarePty:
    """Whoever has the master side of a PTY and writes to it. What is drawn is read away."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        self._process = subprocess.Popen(
            argv, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=cwd, start_new_session=True
        )
        os.close(slave)
        os.set_blocking(self._master, False)
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        with suppress(OSError, ValueError):
            while select.select([self._master], [], [])[0] and os.read(self._master, 1 << 16):
                pass

    def type(self, text: str) -> None:
        self.write(f"{text}\r".encode())

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left and select.select([], [self._master], [], TYPED_WITHIN)[1]:
            left = left[os.write(self._master, left) :]

    def close(self) -> None:
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

    def close(self) -> None:
        self._ask("kill-server")
        end_daemon(self._pid)


AnyTypist = TypeVar("AnyTypist", bound=Typist)


@dataclass
class Plain(Generic[AnyTypist]):
    version: str
    model: Model
    place: ClaudeHome
    typist: AnyTypist

    def status(self) -> str | None:
        """What Claude itself says of its session; `None` when there is none."""
        for path in (self.place.home / ".claude" / "sessions").glob("*.json"):
            with suppress(OSError, ValueError):
                found: str | None = json.loads(path.read_text()).get("status")
                return found
        return None

    def until_idle(self) -> None:
        eventually(lambda: self.status() == "idle" and not self.model.in_flight, within=READY_WITHIN, what="idle")


@contextmanager
def started_plain(
    version: str, way: Callable[[Sequence[str], Mapping[str, str], Path], AnyTypist], *arguments: str, mode: str = "default"
) -> Generator[Plain[AnyTypist]]:
    with temporary_place() as place, Model().serving() as served:
        assert isinstance(served, Model)
        env = {**place.environment(served.url), "IS_SANDBOX": "1", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        typist = way([binary(version), "--permission-mode", mode, *arguments], env, place.workspace)
        try:
            plain = Plain(version, served, place, typist)
            plain.until_idle()
            yield plain
        finally:
            typist.close()
