"""A window of somebody's GNU screen. It pushes nothing, so it is looked at.

`hardcopy` tells silently that something has changed, but not what: it keeps one byte of every character. Then a second display
is attached for a moment, of just the size that changes nothing, and what screen draws on it is the picture.
"""

import os
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

from coop.errors import ConfigError
from coop.model.launch import Launch
from coop.model.screen import XTERM, Size
from coop.terminal.control_mode import escaped
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.pty import PtyBackend

FAST, SLOW = 0.1, 1.0
_BUSY_LOOKS = 30
_WITHIN = 5.0
_BECOMES_WITHIN = 0.2
_DRAWN_WITHIN, _RESTS_FOR = 2.0, 0.03
_MOST = 150
"""Bytes typed by one command: what is longer than 768 characters it drops, and each byte takes four."""
_PTS_MAJOR = 136
_LISTED = re.compile(r"^\t(\d+)\.(\S+)", re.MULTILINE)
_NOT_THE_PROGRAMS = (b"\x1b[?1049h", b"\x1b[?1047h", b"\x1b[?47h", b"\x1b[?1h", b"\x1b=")
"""Modes that screen sets on its displays whatever its program has: the alternate screen, and the keypad's."""
_KILLS = re.compile(r"^\s*autodetach\s+off\b", re.MULTILINE)


def pace(same: int) -> float:
    """Often while something happens, and seldom when nothing has for a while."""
    return FAST if same < _BUSY_LOOKS else SLOW


@dataclass(frozen=True, slots=True)
class Window:
    """One of a session's."""

    session: str
    """`PID.NAME`"""
    number: int
    pid: int
    tty: str
    command: str = ""

    @property
    def server(self) -> int:
        return int(self.session.partition(".")[0])


def sessions_in(listing: str) -> list[str]:
    """Of `screen -ls`."""
    return [f"{pid}.{name}" for pid, name in _LISTED.findall(listing)]


def session_meant(name: str, sessions: Iterable[str]) -> str:
    """Raises `ConfigError` that says what there is."""
    known = list(sessions)
    for fitting in ([each for each in known if each == name], [each for each in known if each.partition(".")[2] == name]):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise ConfigError(f"--attach screen:{name}: several have that name; use one of\n{_lines(fitting)}")
    there = f"there are:\n{_lines(known)}" if known else "no GNU screen runs here"
    raise ConfigError(f"--attach screen:{name}: no such session; {there}")


def _lines(sessions: Iterable[str]) -> str:
    return "\n".join(f"  screen:{each}" for each in sessions)


def window_meant(name: str, wanted: str | None, windows: Iterable[Window]) -> Window:
    """Raises `ConfigError` that says what there is."""
    known = list(windows)
    fitting = [each for each in known if wanted is None or str(each.number) == wanted]
    if len(fitting) == 1:
        return fitting[0]
    there = "\n".join(f"  screen:{name}:{each.number}  ({each.command})" for each in known)
    raise ConfigError(
        f"--attach screen:{name}: {'name one of its windows' if fitting else 'no such window; there are'}:\n{there}"
    )


class GnuScreen:
    """The sessions of this user, and the way to them."""

    def __init__(self, env: Mapping[str, str]) -> None:
        # With STY set, `screen` would talk to the session it runs in.
        self.env = {name: value for name, value in env.items() if name not in ("STY", "WINDOW", "TERMCAP")}
        self.env["TERM"] = "xterm-256color"
        self._refuse_deadly_settings()

    def find(self, target: str) -> Window:
        """`NAME`, `PID.NAME`, or either with `:WINDOW`. Raises `ConfigError`."""
        name, _, window = target.partition(":")
        session = session_meant(name, sessions_in(self.run("-ls")))
        return window_meant(name, window or None, windows_of(session))

    def run(self, *arguments: str) -> str:
        """Raises `ConfigError` when there is no screen, or no answer."""
        words = ["screen", *arguments]
        try:
            done = subprocess.run(
                words, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=_WITHIN, check=False
            )
        except FileNotFoundError:
            raise ConfigError("--attach screen: there is no screen on the PATH; install it, or leave the option out") from None
        except subprocess.TimeoutExpired:
            raise ConfigError(f"--attach screen: it has not answered for {_WITHIN:.0f} s") from None
        return done.stdout.decode(errors="replace")

    def _refuse_deadly_settings(self) -> None:
        """With `autodetach off` screen ends, and all that runs in it, when a display goes."""
        own = self.env.get("SCREENRC") or str(Path(self.env.get("HOME", "/"), ".screenrc"))
        for path in (own, self.env.get("SYSSCREENRC") or "/etc/screenrc"):
            with suppress(OSError):
                if _KILLS.search(Path(path).read_text(errors="replace")):
                    raise ConfigError(f"--attach screen: {path} has `autodetach off`; coop would end the session by leaving it")


def windows_of(session: str) -> list[Window]:
    """Children of the session's own process; each knows its number."""
    server = session.partition(".")[0]
    try:
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    except OSError:
        return []
    found = (_window(session, int(child)) for child in children)
    return sorted((each for each in found if each is not None), key=lambda each: each.number)


def _window(session: str, pid: int) -> Window | None:
    try:
        variables = _variables(pid)
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    number = next((each[7:] for each in variables if each.startswith(b"WINDOW=")), b"")
    command, _, fields = stat.partition(b"(")[2].rpartition(b")")
    device = int(fields.split()[4])
    if not number.isdigit() or not device:
        return None
    return Window(session, int(number), pid, _tty(device), command.decode(errors="replace"))


def _variables(pid: int) -> list[bytes]:
    """For a moment there are none: while the process becomes another program."""
    path, deadline = Path(f"/proc/{pid}/environ"), time.monotonic() + _BECOMES_WITHIN
    while not (found := path.read_bytes()) and time.monotonic() < deadline:
        time.sleep(0.001)
    return found.split(b"\0")


def _tty(device: int) -> str:
    minor = (device & 0xFF) | ((device >> 12) & 0xFFF00)
    return f"/dev/pts/{(((device >> 8) & 0xFFF) - _PTS_MAJOR) * 256 + minor}"


class LookedWindow:
    """Passes for `Looked`."""

    def __init__(self, screen: GnuScreen, window: Window) -> None:
        self._screen = screen
        self._window = window
        self._copied: tuple[Size, bytes] | None = None
        self._shown: tuple[Size, bytes] | None = None
        self._chrome: int | None = None
        """How many rows of a display are screen's own: a status line, captions."""

    def look(self) -> tuple[Size, bytes] | None:
        with suppress(ConfigError, OSError):
            copied = self._copy()
            if self._shown is None or copied != self._copied:
                self._shown, self._copied = self._show(copied[0]), copied
            return self._shown
        return self._shown if _is_alive(self._window.server) and _is_alive(self._window.pid) else None

    def type(self, data: bytes) -> None:
        for start in range(0, len(data), _MOST):
            with suppress(ConfigError):
                self._command("stuff", escaped(data[start : start + _MOST]))

    def gone(self) -> str:
        return "the screen window is gone" if _is_alive(self._window.server) else "GNU screen is gone"

    def size(self) -> Size:
        """Raises `OSError` when the window is gone."""
        fd = os.open(self._window.tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            rows, cols = struct.unpack("HHHH", ioctl(fd, termios.TIOCGWINSZ, bytes(8)))[:2]
        finally:
            os.close(fd)
        return Size(max(1, cols), max(1, rows))

    def _command(self, *words: str) -> None:
        self._screen.run("-S", self._window.session, "-p", str(self._window.number), "-X", *words)

    def _copy(self) -> tuple[Size, bytes]:
        """What is different when the screen is. Nobody who looks at the window sees it done."""
        size = self.size()
        with tempfile.TemporaryDirectory(prefix="coop-") as directory:
            path = Path(directory, "hardcopy")
            self._command("hardcopy", str(path))
            deadline = time.monotonic() + _WITHIN
            while not (found := _bytes(path)).count(b"\n") >= size.rows and time.monotonic() < deadline:
                time.sleep(0.001)
        if not found:
            raise OSError("no hardcopy")
        return size, found

    def _show(self, size: Size) -> tuple[Size, bytes]:
        """A display of another size would resize the window when nobody else looks at it."""
        if self._chrome is None:
            self._chrome = _rows_drawn(self._display(size, "-"), size)
        size = Size(size.cols, size.rows + self._chrome)
        drawn = self._display(size, str(self._window.number))
        for mode in _NOT_THE_PROGRAMS:
            drawn = drawn.replace(mode, b"")
        return size, drawn

    def _display(self, size: Size, window: str) -> bytes:
        """What screen draws on a display of that size; `-` is no window at all."""
        argv = ("screen", "-U", "-x", self._window.session, "-p", window)
        display = PtyBackend(Launch(argv, self._screen.env, size))
        try:
            return _drawn(display)
        finally:
            display.signal(signal.SIGHUP)
            _wait_for_end(display)
            display.close()


def _drawn(display: PtyBackend) -> bytes:
    """Everything, until it rests."""
    drawn, patience = b"", _DRAWN_WITHIN
    while select.select([display.fd], [], [], patience)[0]:
        data = display.read()
        if data == b"":
            break
        drawn += data or b""
        patience = _RESTS_FOR
    return drawn


def _rows_drawn(drawn: bytes, size: Size) -> int:
    screen = GhosttyScreen(size, XTERM)
    screen.feed(drawn)
    return sum(1 for line in screen.snapshot().lines if line.strip())


def _wait_for_end(display: PtyBackend) -> None:
    if not select.select([display.exit_fd], [], [], _DRAWN_WITHIN)[0]:
        display.signal(signal.SIGKILL)
        select.select([display.exit_fd], [], [], _DRAWN_WITHIN)
    display.exit_status()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()
