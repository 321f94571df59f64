"""The child's environment: what it gets from us, and what it must not get from the terminal coop was started in."""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coop.model.launch import Launch, Prepared
from coop.model.screen import Size
from coop.session.places import Places

HOST_TERMINAL = frozenset(
    "TMUX TMUX_PANE STY WINDOW TERMCAP COLUMNS LINES COLORTERM COLORFGBG TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID "
    "LC_TERMINAL LC_TERMINAL_VERSION VTE_VERSION WT_SESSION WT_PROFILE_ID WINDOWID TERMINAL_EMULATOR INSIDE_EMACS "
    "VSCODE_INJECTION CURSOR_TRACE_ID ZED_TERM XTERM_VERSION XTERM_SHELL XTERM_LOCALE TERMINFO TERMINFO_DIRS VIM_TERMINAL "
    "NVIM TILIX_ID TERMINATOR_UUID".split()
)
"""Variables by which a program finds out about a terminal that is not the one it runs on."""
HOST_TERMINAL_PREFIXES = (
    "KITTY_",
    "WEZTERM_",
    "ITERM_",
    "KONSOLE_",
    "ALACRITTY_",
    "GHOSTTY_",
    "ZELLIJ",
    "VSCODE_",
    "GNOME_TERMINAL_",
    "COOP_",
)


HOOK_TOKEN = "COOP_HOOK_TOKEN"


@dataclass(frozen=True, slots=True)
class HookDoor:
    """Where the child's hooks go: not the API, and not with its token."""

    url: str
    token: str


def launch(
    argv: tuple[str, ...],
    *,
    inherited: Mapping[str, str],
    size: Size,
    term: str,
    places: Places,
    door: HookDoor,
    cwd: str = ".",
) -> Launch:
    env = {name: value for name, value in inherited.items() if not _is_host_terminals(name)}
    env |= {
        "TERM": term,
        "COOP": "1",
        "COOP_SOCKET": str(places.socket),
        "COOP_HOOK_PIPE": str(places.hook_pipe),
        "COOP_URL": door.url,
        HOOK_TOKEN: door.token,
    }
    return Launch(argv, env, size, cwd)


def write_files(prepared: Prepared, directory: Path) -> None:
    """Readable by the user alone: settings may hold secrets of theirs."""
    if not prepared.files:
        return
    directory.mkdir(mode=0o700, exist_ok=True)
    for path, content in prepared.files.items():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)


def remove_files(prepared: Prepared, directory: Path) -> None:
    for path in prepared.files:
        Path(path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        directory.rmdir()


def _is_host_terminals(name: str) -> bool:
    return name in HOST_TERMINAL or name == "COOP" or name.startswith(HOST_TERMINAL_PREFIXES)
