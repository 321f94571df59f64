"""A recording on the stage of one peer: played to a session, watched by a client on a terminal of ours, resized on the way."""

import base64
import contextlib
import fcntl
import json
import os
import select
import struct
import sys
import termios
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.home import Home, temporary_home
from bench.peers.coop import TOKEN, Coop
from bench.peers.tmux import Tmux
from bench.peers.tty import BLOCK, Tty
from bench.waiting import until
from coop.model.screen import Size
from tests.support.captured import Recording

PLAYER = Path(__file__).with_name("player.py")
WITHIN = 60.0
FEATURES = "*:256:RGB:usstyle:strikethrough:overline:cstyle:title:sync"
"""What our eye can show and tmux would not use unasked: else it would have fewer colours."""


class Player:
    """The session's child, as we command it."""

    def __init__(self, home: Home, recording: Recording) -> None:
        self._paths = [str(home.path / name) for name in ("steps", "orders", "done")]
        chunks = [step for step in recording.steps if isinstance(step, bytes)]
        Path(self._paths[0]).write_text("".join(json.dumps(base64.b64encode(chunk).decode()) + "\n" for chunk in chunks))
        for pipe in self._paths[1:]:
            os.mkfifo(pipe)
        self._orders = os.open(self._paths[1], os.O_RDWR)
        self._done = os.open(self._paths[2], os.O_RDWR)
        self._played = 0

    @property
    def command(self) -> Sequence[str]:
        return (sys.executable, "-S", "-E", str(PLAYER), *self._paths)

    def play(self, count: int) -> str:
        """So many steps more; the size the session has then."""
        self._played += count
        os.write(self._orders, f"{self._played}\n".encode())
        if not select.select([self._done], [], [], WITHIN)[0]:
            raise TimeoutError(f"the player did not answer within {WITHIN:g} s")
        return os.read(self._done, 100).decode().strip()

    def close(self) -> None:
        os.close(self._orders)
        os.close(self._done)


@contextmanager
def in_coop(home: Home, child: Sequence[str], size: Size) -> Generator[tuple[Sequence[str], dict[str, str]]]:
    """The client's command, and its environment."""
    sides = ("--cols", str(size.cols), "--rows", str(size.rows))
    with contextlib.closing(Coop(home, child, "--name", "bench", *sides)):
        attach = (sys.executable, "-m", "coop.cli.main", "attach", "bench", "--no-status")
        yield attach, {**home.env, "COOP_AUTH_TOKEN": TOKEN}


@contextmanager
def in_tmux(home: Home, child: Sequence[str], size: Size) -> Generator[tuple[Sequence[str], dict[str, str]]]:
    with contextlib.closing(Tmux(home, child)) as tmux:
        tmux._ask("set", "-as", "terminal-features", f",{FEATURES}", ";", "set", "-g", "set-titles", "on")
        tmux._ask("set", "-g", "set-titles-string", "#T", ";", "select-pane", "-T", "")
        tmux._ask("resize-window", "-x", str(size.cols), "-y", str(size.rows), ";", "set", "-w", "window-size", "latest")
        yield (*tmux.client("-u", "attach"),), dict(home.env)


PEERS = {"coop": in_coop, "tmux": in_tmux}


def watch(peer: str, recording: Recording, *, quiet: float) -> list[bytes | Size]:
    """What is written to the terminal of a client that comes in the middle: after half of it, or before the first resize."""
    first, rest = halves(recording.steps)
    with (
        temporary_home() as home,
        contextlib.closing(Player(home, recording)) as player,
        PEERS[peer](home, player.command, recording.size) as (argv, env),
    ):
        player.play(len(first))
        with contextlib.closing(Tty(argv, env, recording.size)) as tty:
            return _watched(tty, player, rest, recording.size, quiet)


def halves(steps: Sequence[bytes | Size]) -> tuple[Sequence[bytes | Size], Sequence[bytes | Size]]:
    resized = next((at for at, step in enumerate(steps) if isinstance(step, Size)), len(steps))
    at = min(len(steps) // 2, resized)
    return steps[:at], steps[at:]


def _watched(tty: Tty, player: Player, rest: Sequence[bytes | Size], size: Size, quiet: float) -> list[bytes | Size]:
    seen: list[bytes | Size] = [read_until_quiet(tty, quiet, first_within=WITHIN)]
    until(lambda: player.play(0) == _sides(size), within=WITHIN, pause=0.01, what=f"the size {_sides(size)}")
    for step in rest:
        if isinstance(step, Size):
            seen.append(read_until_quiet(tty, quiet))
            resize(tty, step)
            until(lambda step=step: player.play(0) == _sides(step), within=WITHIN, pause=0.01, what=_sides(step))  # type: ignore[misc]
            seen += [step, read_until_quiet(tty, quiet)]
        else:
            player.play(1)
            seen.append(_there(tty))
    return [*seen, read_until_quiet(tty, quiet)]


def resize(tty: Tty, size: Size) -> None:
    fcntl.ioctl(tty.stream, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))


def read_until_quiet(tty: Tty, quiet: float, *, first_within: float = 0.0) -> bytes:
    """Everything up to a silence; the first of it is waited for longer."""
    read, deadline = b"", time.monotonic() + WITHIN
    while time.monotonic() < deadline and select.select([tty.stream], [], [], quiet if read else first_within or quiet)[0]:
        read += os.read(tty.stream, BLOCK)
    return read


def _there(tty: Tty) -> bytes:
    return os.read(tty.stream, BLOCK) if select.select([tty.stream], [], [], 0)[0] else b""


def _sides(size: Size) -> str:
    return f"{size.cols}x{size.rows}"
