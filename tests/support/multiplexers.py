"""A tmux server, or a GNU screen, that belongs to one test: what a person would have running, and see."""

import os
import shutil
import signal
import subprocess
import tempfile
import termios
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from coop.testing import eventually

WITHIN = 10.0


class Tmux:
    kind = "tmux"
    session = "work"

    def __init__(self, directory: Path) -> None:
        self.socket = directory / "tmux"
        self._env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(directory)}

    def run(self, *command: str) -> str:
        words = ["tmux", "-S", str(self.socket), "-f", "/dev/null", "-u", *command]
        done = subprocess.run(words, env=self._env, capture_output=True, text=True, check=False, timeout=WITHIN)
        assert done.returncode == 0, f"tmux {' '.join(command)}: {done.stderr}"
        return done.stdout.rstrip("\n")

    def start(self, *command: str, env: Mapping[str, str] | None = None, cwd: Path | None = None, size: str = "100x30") -> None:
        """A session with one pane, in which the command runs."""
        cols, _, rows = size.partition("x")
        variables = [f"-e{name}={value}" for name, value in (env or {}).items()]
        where = ("-c", str(cwd)) if cwd else ()
        self.run("new-session", "-d", "-s", self.session, "-x", cols, "-y", rows, *variables, *where, *command)

    @property
    def spec(self) -> str:
        return self.spec_of(self.session)

    def spec_of(self, target: str) -> str:
        return f"tmux@{self.socket}:{target}"

    def env(self) -> dict[str, str]:
        """What coop needs to find it."""
        return {}

    def resize(self, size: str) -> None:
        cols, _, rows = size.partition("x")
        self.run("resize-window", "-t", self.session, "-x", cols, "-y", rows)

    def fact(self, name: str) -> str:
        return self.run("display-message", "-p", "-t", self.session, f"#{{{name}}}")

    def pid(self) -> int:
        return int(self.fact("pane_pid"))

    def size(self) -> str:
        return f"{self.fact('pane_width')}x{self.fact('pane_height')}"

    def type(self, text: str) -> None:
        """At the keyboard; Enter is a key of its own, as a person's is."""
        self.run("send-keys", "-t", self.session, "-l", text)
        self.run("send-keys", "-t", self.session, "Enter")

    def shown(self) -> str:
        return self.run("capture-pane", "-p", "-t", self.session)

    def clients(self) -> Sequence[str]:
        return self.run("list-clients").splitlines()

    def stop(self) -> None:
        """With what runs in it: a program that ignores the end of its terminal would go on for ever."""
        tmux = ["tmux", "-S", str(self.socket)]
        panes = subprocess.run(
            [*tmux, "list-panes", "-a", "-F", "#{pane_pid}"], capture_output=True, check=False, timeout=WITHIN
        )
        for pid in panes.stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        subprocess.run([*tmux, "kill-server"], capture_output=True, check=False, timeout=WITHIN)


@contextmanager
def own_tmux() -> Generator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: run `make deps`")
    with tempfile.TemporaryDirectory(prefix="coop-tmux-") as directory:
        tmux = Tmux(Path(directory))
        try:
            yield tmux
        finally:
            tmux.stop()


class Screen:
    """GNU screen. What it shows is told in ASCII only."""

    kind = "screen"
    session = "work"

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._env = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "HOME": str(directory),
            **self.env(),
        }
        (directory / "sockets").mkdir(mode=0o700)

    def run(self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["screen", *arguments],
            env={**self._env, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=WITHIN,
        )
        return done.stdout

    def command(self, *words: str) -> None:
        self.run("-S", self.session, "-p", "0", "-X", *words)

    def start(self, *command: str, env: Mapping[str, str] | None = None, cwd: Path | None = None, size: str = "100x30") -> None:
        settings = self._directory / "screenrc"
        settings.write_text("startup_message off\n")
        # A window has its size only when somebody has looked at it. And its child sets the first one itself: a size that
        # is given before it has begun is lost, though screen goes on to believe in it.
        begun, go = self._directory / "begun", self._directory / "go"
        waits = f'>{begun}; until [ -e {go} ]; do sleep 0.02; done; exec "$@"'
        self.run("-c", str(settings), "-U", "-dmS", self.session, "sh", "-c", waits, "sh", *command, env=env, cwd=cwd)
        eventually(begun.exists, what="a window")
        self.resize(size)
        go.touch()

    def resize(self, size: str) -> None:
        """Somebody comes with a terminal of that size, has the window fill it, and leaves again.

        Where it does not, screen may believe that it has that size already: it has another first, and then this one.
        """
        cols, _, rows = size.partition("x")

        def has_it() -> bool:
            if self._has_filled(size):
                return True
            self._has_filled(f"{int(cols) - 1}x{rows}")
            return False

        eventually(has_it, within=60.0, what=f"the size {size}")

    def _has_filled(self, size: str) -> bool:
        with self.visited(size) as keyboard:

            def fits() -> bool:
                os.write(keyboard, b"\x01F")
                os.set_blocking(keyboard, False)
                with suppress(BlockingIOError):
                    os.read(keyboard, 65536)
                return self.size() == size

            with suppress(AssertionError):
                return eventually(fits, within=4.0)
        return False

    @contextmanager
    def visited(self, size: str) -> Generator[int]:
        cols, _, rows = size.partition("x")
        keyboard, terminal = os.openpty()
        termios.tcsetwinsize(terminal, (int(rows), int(cols)))
        words = ["screen", "-U", "-x", self.session]
        visitor = subprocess.Popen(
            words, env=self._env, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
        )
        os.close(terminal)
        try:
            eventually(lambda: self.clients(), what="the visitor")
            yield keyboard
        finally:
            visitor.send_signal(signal.SIGHUP)
            visitor.wait(WITHIN)
            os.close(keyboard)
        eventually(lambda: not self.clients(), what="nobody attached")

    @property
    def spec(self) -> str:
        return f"screen:{self.session}"

    def env(self) -> dict[str, str]:
        return {"SCREENDIR": str(self._directory / "sockets")}

    def windows(self) -> list[str]:
        server = self.server()
        path = Path(f"/proc/{server}/task/{server}/children")
        return path.read_text().split() if server and path.exists() else []

    def server(self) -> str:
        return next((line.split(".")[0].strip() for line in self.run("-ls").splitlines() if f".{self.session}\t" in line), "")

    def pid(self) -> int:
        return int(self.windows()[0])

    def size(self) -> str:
        done = subprocess.run(["stty", "-F", f"/proc/{self.pid()}/fd/2", "size"], capture_output=True, text=True, check=False)
        return "x".join(reversed(done.stdout.split()))

    def type(self, text: str) -> None:
        for typed in (text, "\r"):
            self.command("stuff", "".join(f"\\{code:03o}" for code in typed.encode()))

    def shown(self) -> str:
        path = self._directory / "hardcopy"
        path.unlink(missing_ok=True)
        self.command("hardcopy", str(path))
        rows = int(self.size().partition("x")[2])
        eventually(lambda: path.exists() and path.read_bytes().count(b"\n") >= rows, what="a hardcopy")
        return path.read_bytes().decode("ascii", "replace")

    def clients(self) -> Sequence[str]:
        return [line for line in self.run("-ls").splitlines() if "(Attached)" in line or "(Multi" in line]

    def stop(self) -> None:
        self.run("-S", self.session, "-X", "quit")


@contextmanager
def own_screen() -> Generator[Screen]:
    if shutil.which("screen") is None:
        pytest.skip("GNU screen is not installed: run `make deps`")
    with tempfile.TemporaryDirectory(prefix="coop-screen-") as directory:
        screen = Screen(Path(directory))
        try:
            yield screen
        finally:
            screen.stop()


Multiplexer = Tmux | Screen


def is_undisturbed(terminal: Multiplexer, pid: int | None, *, size: str) -> None:
    """The program runs, nobody is attached, and the terminal has the size it had."""
    assert pid is not None
    os.kill(pid, 0)
    eventually(lambda: not terminal.clients(), what="no client of ours")
    assert terminal.size() == size


def shows(terminal: Multiplexer, text: str) -> None:
    eventually(lambda: text in terminal.shown(), what=f"{text!r} on the screen")
