"""The child's environment: what it gets from us, and what it must not get from the terminal coop was started in."""

from collections.abc import Mapping

from coop.model.launch import Launch
from coop.model.screen import Size
from coop.session.places import Places

HOST_TERMINAL = frozenset(
    "TMUX TMUX_PANE STY WINDOW TERMCAP COLUMNS LINES COLORTERM COLORFGBG TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID "
    "LC_TERMINAL LC_TERMINAL_VERSION VTE_VERSION WT_SESSION WT_PROFILE_ID WINDOWID TERMINAL_EMULATOR INSIDE_EMACS "
    "VSCODE_INJECTION CURSOR_TRACE_ID ZED_TERM".split()
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


def launch(argv: tuple[str, ...], *, inherited: Mapping[str, str], size: Size, term: str, places: Places) -> Launch:
    env = {name: value for name, value in inherited.items() if not _is_host_terminals(name)}
    env |= {
        "TERM": term,
        "COOP": "1",
        "COOP_SOCKET": str(places.socket),
        "COOP_HOOK_PIPE": str(places.hook_pipe),
    }
    return Launch(argv, env, size)


def _is_host_terminals(name: str) -> bool:
    return name in HOST_TERMINAL or name == "COOP" or name.startswith(HOST_TERMINAL_PREFIXES)
