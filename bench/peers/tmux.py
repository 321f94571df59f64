"""Tmux with no client (a forked `tmux` per call), and with a real client attached."""

import contextlib
import subprocess
from collections.abc import Sequence

from bench.home import COLS, ROWS, Home
from bench.peers.echo import Typed
from bench.peers.tty import Tty
from bench.processes import end_daemon


class Tmux:
    """One session on a server of its own."""

    def __init__(self, home: Home, child: Sequence[str]) -> None:
        self._home = home
        self._typed = Typed()
        # Without the status line the window is as high as the terminal.
        size = ("-x", str(COLS), "-y", str(ROWS))
        self._ask("start-server", ";", "set", "-g", "status", "off", ";", "new-session", "-d", *size, "--", *child)

    @property
    def pid(self) -> int:
        return int(self._ask("display-message", "-p", "#{pid}"))

    def client(self, *words: str) -> Sequence[str]:
        return ("tmux", "-L", "bench", "-f", "/dev/null", *words)

    def _ask(self, *words: str) -> str:
        done = subprocess.run(self.client(*words), env=self._home.env, check=True, capture_output=True, timeout=60)
        return done.stdout.decode()

    def text(self) -> str:
        return self._ask("capture-pane", "-p")

    def press(self, char: str) -> None:
        self._typed.add(char)
        self._ask("send-keys", "-l", char)
        while not self._typed.is_shown_by(self.text()):
            pass

    def stream(self) -> int | None:
        return None

    def drain(self) -> None:
        pass

    def close(self) -> None:
        pid = self.pid
        self._ask("kill-server")
        end_daemon(pid)


class AttachedTmux(Tmux):
    """The same with a client that draws on a PTY of ours."""

    def __init__(self, home: Home, child: Sequence[str]) -> None:
        super().__init__(home, child)
        with contextlib.ExitStack() as undo:
            undo.callback(super().close)
            self._tty = Tty(self.client("attach"), home.env)
            undo.pop_all()

    def stream(self) -> int:
        return self._tty.stream

    def drain(self) -> None:
        self._tty.drain()

    def close(self) -> None:
        super().close()
        self._tty.close()
