"""`--attach`: whose terminal is meant, and how it is reached."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from coop.errors import ConfigError
from coop.model.screen import Size
from coop.session.sources.tail import lineage
from coop.terminal.backend import Backend
from coop.terminal.gnuscreen import GnuScreen, LookedWindow, pace
from coop.terminal.polled import PolledTerminal
from coop.terminal.tmux import TmuxPane
from coop.terminal.tmux_polled import EVERY, LookedPane
from coop.terminal.tmux_server import CONTROL_SINCE, POLLED_SINCE, Pane, TmuxServer

EXPECTED = "expected tmux:TARGET, tmux@SOCKET:TARGET or screen:NAME"


@dataclass(frozen=True, slots=True)
class Spec:
    kind: str
    target: str
    socket: str | None = None
    """Of the tmux server: a name (`tmux -L`), or a path (`tmux -S`)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A terminal of somebody else's."""

    to: str
    pid: int
    """The process it was made for, a shell often."""
    size: Size
    output: str
    """How its output comes to us."""
    open: Callable[[int], Backend]
    """Given the process whose end is the session's."""


def spec_of(text: str) -> Spec:
    """Raises `ConfigError`."""
    head, colon, target = text.partition(":")
    kind, at, socket = head.partition("@")
    if not colon or not target or kind not in ("tmux", "screen") or (at and (not socket or kind == "screen")):
        raise ConfigError(f"--attach {text!r}: {EXPECTED}")
    return Spec(kind, target, socket or None)


def reach(text: str, env: Mapping[str, str], *, history: int) -> Place:
    """Raises `ConfigError` that says what is there instead."""
    spec = spec_of(text)
    place = _screen_place(spec, text, env) if spec.kind == "screen" else _tmux_place(spec, text, env, history)
    if place.pid in lineage(os.getpid()):
        raise ConfigError(f"--attach {text}: coop runs on that terminal itself; start it on another")
    return place


def _tmux_place(spec: Spec, text: str, env: Mapping[str, str], history: int) -> Place:
    server = TmuxServer(spec.socket, env)
    pane = server.find(spec.target)
    if pane.is_dead:
        raise ConfigError(f"--attach {text}: the program in {pane.name} has ended")
    version = server.version
    if version is not None and version < POLLED_SINCE:
        raise ConfigError(f"--attach {text}: tmux {_dotted(version)} is too old; {_dotted(POLLED_SINCE)} is needed at least")
    if version is not None and version < CONTROL_SINCE:
        return polled_tmux(text, server, pane, history)
    return Place(
        text,
        pane.pid,
        pane.size,
        "as it is written, by tmux's control mode",
        lambda child: TmuxPane(server, pane, child=child, history=history),
    )


def polled_tmux(text: str, server: TmuxServer, pane: Pane, history: int) -> Place:
    """For a tmux whose control mode would resize windows, or lose what we are too slow for."""
    seen = LookedPane(server, pane, history=history)
    return Place(
        text,
        pane.pid,
        pane.size,
        f"looked at once a second: this tmux is older than {_dotted(CONTROL_SINCE)}; the raw output is drawings of the screen",
        lambda child: PolledTerminal(seen, child=child, size=pane.size, pace=lambda _: EVERY),
    )


def _screen_place(spec: Spec, text: str, env: Mapping[str, str]) -> Place:
    screen = GnuScreen(env)
    window = screen.find(spec.target)
    seen = LookedWindow(screen, window)
    size = seen.size()
    return Place(
        text,
        window.pid,
        size,
        "looked at, up to ten times a second while it changes: GNU screen tells nobody; the raw output is drawings of the screen",
        lambda child: PolledTerminal(seen, child=child, size=size, pace=pace),
    )


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
