"""A tmux server: which panes it has, and what one of them shows."""

import ctypes
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coop.errors import ConfigError
from coop.model.screen import Size
from coop.terminal.control_mode import unescaped
from coop.terminal.drawing import Picture

CONTROL_SINCE = (3, 2)
"""The first that attaches without a say in the size, and pauses a reader that is too slow."""
POLLED_SINCE = (2, 0)
BUFFER = f"coop-{os.getpid()}"
"""What is pasted: a name that nobody else has, as it is gone afterwards."""
_WITHIN = 5.0
_LISTED = (
    "#{pane_id}\t#{session_id}\t#{window_id}\t#{session_name}\t#{window_index}\t#{pane_index}\t#{pane_pid}\t"
    "#{pane_width}\t#{pane_height}\t#{pane_dead}\t#{pane_current_command}\t#{window_name}"
)
_MODES = {
    "?25": "cursor_flag",
    "4": "insert_flag",
    "?1": "keypad_cursor_flag",
    "=": "keypad_flag",
    "?7": "wrap_flag",
    "?6": "origin_flag",
    "?1000": "mouse_standard_flag",
    "?1002": "mouse_button_flag",
    "?1003": "mouse_all_flag",
    "?1006": "mouse_sgr_flag",
}
_NUMBERS = (
    "pane_width pane_height cursor_x cursor_y alternate_on alternate_saved_x alternate_saved_y scroll_region_upper "
    "scroll_region_lower".split()
)
_LAST = ("session_id", "window_id", "pane_title")
FACTS = "\t".join(f"#{{{name}}}" for name in (*_NUMBERS, *_MODES.values(), *_LAST))
"""Everything a picture needs beside the rows."""


@dataclass(frozen=True, slots=True)
class Pane:
    id: str
    session_id: str
    window_id: str
    session: str
    window: str
    index: str
    pid: int
    size: Size
    is_dead: bool = False
    command: str = ""
    window_name: str = ""

    @property
    def name(self) -> str:
        return f"{self.session}:{self.window}.{self.index}"

    @property
    def spellings(self) -> frozenset[str]:
        """What stands for it, or for a group it is of."""
        windows = [f"{session}:{window}" for session in (self.session, self.session_id) for window in self._windows]
        panes = [f"{window}.{self.index}" for window in (*windows, self.window_id)]
        return frozenset({self.id, self.session, self.session_id, self.window_id, *windows, *panes})

    @property
    def _windows(self) -> tuple[str, ...]:
        return tuple(each for each in (self.window, self.window_name, self.window_id) if each)


def pane_of(line: str) -> Pane | None:
    """One line of `list-panes -F`."""
    fields = line.split("\t")
    if len(fields) < 12:
        return None
    pane, session_id, window_id, session, window, index, pid, cols, rows, dead, command = fields[:11]
    try:
        size, process = Size(int(cols), int(rows)), int(pid)
    except ValueError:
        return None
    return Pane(
        pane, session_id, window_id, session, window, index, process, size, dead == "1", command, "\t".join(fields[11:])
    )


def meant(target: str, panes: Sequence[Pane], *, door: str = "tmux") -> Pane | None:
    """The pane a target stands for, as tmux spells panes. Raises `ConfigError` when there are several; `None`: none.

    `door` is what stands before a target in `--attach`: with `@SOCKET`, where that was given.
    """
    fitting = {pane.id: pane for pane in panes if target.removeprefix("=") in pane.spellings}
    if len(fitting) > 1:
        raise ConfigError(
            f"--attach {door}:{target}: there are {len(fitting)} panes in it; name one:\n{listed(fitting.values(), door)}"
        )
    return next(iter(fitting.values()), None)


def listed(panes: Iterable[Pane], door: str) -> str:
    """A line each, which begins with what can be given to `--attach` as it stands there."""
    return "\n".join(f"  {shlex.quote(f'{door}:{pane.name}')}  ({pane.id}, {pane.command})" for pane in panes)


def version_of(text: str) -> tuple[int, int] | None:
    """`tmux 3.3a`, `next-3.5`; `None` for what has no number (`master`), which is newer than all that have."""
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class Facts:
    """What tmux says of a pane at one moment."""

    numbers: Mapping[str, int]
    modes: tuple[tuple[str, bool], ...]
    session_id: str
    window_id: str
    title: str

    @property
    def size(self) -> Size:
        return Size(max(1, self.numbers["pane_width"]), max(1, self.numbers["pane_height"]))


def facts_of(line: str) -> Facts | None:
    fields = line.split("\t")
    counts, modes = len(_NUMBERS), len(_MODES)
    if len(fields) < counts + modes + len(_LAST):
        return None
    numbers = {name: int(value) if value.isdigit() else 0 for name, value in zip(_NUMBERS, fields, strict=False)}
    flags = tuple((mode, value == "1") for mode, value in zip(_MODES, fields[counts:], strict=False))
    session_id, window_id, *title = fields[counts + modes :]
    return Facts(numbers, flags, session_id, window_id, "\t".join(title))


def picture_of(facts: Facts, rows: Sequence[bytes], beneath: Sequence[bytes], pending: Sequence[bytes]) -> Picture:
    n = facts.numbers
    is_alternate = bool(n["alternate_on"])
    return Picture(
        facts.size,
        _whole(rows, facts.size),
        (n["cursor_y"], min(n["cursor_x"], facts.size.cols - 1)),
        facts.modes,
        _whole(beneath, facts.size) if is_alternate else None,
        (n["alternate_saved_y"], n["alternate_saved_x"]) if is_alternate else (0, 0),
        (n["scroll_region_upper"], n["scroll_region_lower"]),
        facts.title,
        unescaped(b"\n".join(pending)),
    )


def _whole(rows: Sequence[bytes], size: Size) -> Sequence[bytes]:
    return (*rows, *(b"" for _ in range(size.rows - len(rows))))


def picture_commands(pane: str, history: int, mark: str = "") -> tuple[tuple[str, ...], ...]:
    """One after the other, in one go, they tell all of one moment: the facts, the rows, the main screen, what is pending."""
    return (
        ("display-message", "-p", "-t", pane, f"{mark}{FACTS}"),
        ("capture-pane", "-p", "-e", "-N", "-S", f"-{history}", "-t", pane),
        ("capture-pane", "-p", "-e", "-N", "-a", "-q", "-t", pane),
        ("capture-pane", "-p", "-P", "-C", "-t", pane),
    )


class TmuxServer:
    """The one a person's own `tmux` would talk to, or the one of a socket that was named."""

    def __init__(self, socket_name: str | None, env: Mapping[str, str]) -> None:
        current = env.get("TMUX", "").partition(",")[0]
        chosen = ("-S", current) if current else ()
        if socket_name:
            chosen = ("-S" if "/" in socket_name else "-L", socket_name)
        self._command = ("tmux", "-u", *chosen)
        self._door = f"tmux@{socket_name}" if socket_name else "tmux"
        # With TMUX set it would refuse to attach: "sessions should be nested with care".
        self._env = {name: value for name, value in env.items() if name not in ("TMUX", "TMUX_PANE")}
        self.version = version_of(self.ask("-V") or "")

    def ask(self, *command: str, given: bytes = b"") -> str | None:
        """What a command printed; `None` when it failed."""
        done = self._run(*command, given=given)
        return done.stdout.decode(errors="replace") if done.returncode == 0 else None

    def _run(self, *command: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        words = [*self._command, *command]
        try:
            return subprocess.run(words, env=self._env, input=given, capture_output=True, timeout=_WITHIN, check=False)
        except FileNotFoundError:
            raise ConfigError("--attach tmux: there is no tmux on the PATH; install it, or leave the option out") from None
        except subprocess.TimeoutExpired:
            raise ConfigError(f"--attach tmux: the tmux server has not answered for {_WITHIN:.0f} s") from None

    def panes(self) -> list[Pane]:
        said = self.ask("list-panes", "-a", "-F", _LISTED) or ""
        return [pane for line in said.splitlines() if (pane := pane_of(line)) is not None]

    def find(self, target: str) -> Pane:
        """Raises `ConfigError` that says what there is."""
        panes = self.panes()
        found = meant(target, panes, door=self._door) or self._as_tmux_finds(target, panes)
        given = f"--attach {self._door}:{target}"
        if found is None and panes:
            raise ConfigError(f"{given}: no such session, window or pane; there are:\n{listed(panes, self._door)}")
        if found is None:
            raise ConfigError(f"{given}: no tmux server runs there, or it has no session ({self.where})")
        return found

    @property
    def where(self) -> str:
        return " ".join(self._command)

    def _as_tmux_finds(self, target: str, panes: Sequence[Pane]) -> Pane | None:
        """Beginnings of names, `{last}` and such: tmux knows best."""
        identity = (self.ask("display-message", "-p", "-t", target, "#{pane_id}") or "").strip()
        named = self.ask("list-panes", "-t", target) if identity else None
        return next((pane for pane in panes if pane.id == identity), None) if named is not None else None

    def control(self, session_id: str, theirs: int) -> "subprocess.Popen[bytes]":
        """A control client that has no say in the size; when we are slow, it does not hold up a pane that others look at.

        Nor in the session's environment (-E): new windows would have our agents and displays, or none.
        """
        flags = "ignore-size,pause-after=5"
        command = [*self._command, "-C", "attach-session", "-E", "-t", session_id, "-f", flags]
        return subprocess.Popen(
            command,
            env=self._env,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """A control client whose reader was killed can stay for ever: tmux waits for it to take what was being sent."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
