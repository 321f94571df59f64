"""GNU screen, detached: a forked `screen` per call, and hardcopies through a file."""

import subprocess
from collections.abc import Sequence

from bench.home import ROWS, Home
from bench.peers.echo import Typed
from bench.peers.tty import Tty
from bench.processes import end_daemon
from bench.waiting import until

PAUSE = 0.0005


class GnuScreen:
    def __init__(self, home: Home, child: Sequence[str]) -> None:
        self._home = home
        self._typed = Typed()
        self._hardcopy = home.path / "hardcopy"
        # A window that was never attached stays at 80×24, whatever it is told; so attach once, and detach.
        tty = Tty(("screen", "-c", "/dev/null", "-S", "bench", *child), home.env)
        try:
            self.pid = self._wait_for_pid()
            until(self._has_size, within=10, pause=0.05, what="screen's window")
            subprocess.run(("screen", "-S", "bench", "-d"), check=True, env=home.env, stdout=subprocess.DEVNULL, timeout=10)
        except BaseException:
            self._tell("quit")
            raise
        finally:
            tty.close()

    def _wait_for_pid(self) -> int:
        until(lambda: self._pid() is not None, within=10, pause=0.01, what="screen")
        return self._pid() or 0

    def _pid(self) -> int | None:
        """The server's socket is named by its pid; `None` until it is there."""
        for socket in (self._home.path / "screens").iterdir():
            return int(socket.name.partition(".")[0])
        return None

    def _has_size(self) -> bool:
        return self.text().count("\n") == ROWS

    def _tell(self, *words: str) -> None:
        command = ("screen", "-S", "bench", "-p", "0", "-X", *words)
        subprocess.run(command, env=self._home.env, check=True, stdout=subprocess.DEVNULL, timeout=60)

    def text(self) -> str:
        self._hardcopy.unlink(missing_ok=True)
        self._tell("hardcopy", str(self._hardcopy))
        # The file is written after the command has returned.
        until(self._is_complete, within=10, pause=PAUSE, what="the hardcopy")
        return self._hardcopy.read_text(errors="replace")

    def _is_complete(self) -> bool:
        return self._hardcopy.exists() and self._hardcopy.read_bytes().count(b"\n") >= 24

    def press(self, char: str) -> None:
        self._typed.add(char)
        self._tell("stuff", char)
        while not self._typed.is_shown_by(self.text()):
            pass

    def stream(self) -> int | None:
        return None

    def drain(self) -> None:
        pass

    def close(self) -> None:
        self._tell("quit")
        end_daemon(self.pid)
