"""A pane of somebody's tmux: its bytes come by control mode, ours go to its program. Nothing of theirs is changed."""

import contextlib
import itertools
import os
import select
import socket
import subprocess
from collections import deque
from collections.abc import Sequence

from coop.errors import ConfigError
from coop.model.screen import Size
from coop.model.state import ExitStatus
from coop.terminal.control_mode import Block, ControlReader, Notice, PaneOutput, escaped
from coop.terminal.drawing import drawn
from coop.terminal.tmux_server import BUFFER, Pane, TmuxServer, facts_of, picture_commands, picture_of

_READ = 64 * 1024
_MOST = 512
"""Bytes typed by one command."""
_SANITISES_SINCE = (3, 7)
"""From then on a paste loses its control characters unless told not to."""
_CLIENT_GOES_WITHIN = 2.0
_MOVES = frozenset({"layout-change", "window-close", "unlinked-window-close"})


class TmuxPane:
    """Passes for a `Backend`."""

    is_ours = False

    def __init__(self, server: TmuxServer, pane: Pane, *, child: int, history: int) -> None:
        self.pid = child
        self.size = pane.size
        self._server = server
        self._pane = pane
        self._history = history
        self._status: ExitStatus | None = None
        self._ready: deque[bytes | Size] = deque()
        self._unsent = b""
        self._marks = itertools.count(1)
        self._former: socket.socket | None = None
        self._socket: socket.socket | None = None
        self.exit_fd = os.pidfd_open(child)
        self._connect(pane.session_id)

    def _connect(self, session_id: str) -> None:
        """What was connected before stays open until the next time: somebody may still be waiting on its number."""
        if self._former is not None:
            self._former.close()
        self._former = self._socket
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            self._client: subprocess.Popen[bytes] = self._server.control(session_id, theirs.fileno())
        self._socket, self.fd = ours, ours.fileno()
        self._session_id: str = session_id
        self._window_id: str = self._pane.window_id
        self._reader = ControlReader()
        self._unsent = b""
        self._foreign: set[str] = set()
        self._mark = ""
        self._blocks: list[Block] | None = None
        self._is_attached = False

    @property
    def has_more(self) -> bool:
        return bool(self._ready)

    def read(self) -> bytes | Size | None:
        if not self._ready:
            self._flush()
            data = self._receive()
            if data == b"":
                return self._lost()
            for told in self._reader.feed(data or b""):
                self._on(told)
        return self._ready.popleft() if self._ready else None

    def _receive(self) -> bytes | None:
        assert self._socket is not None
        try:
            return self._socket.recv(_READ)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            return b""

    def _on(self, told: PaneOutput | Block | Notice) -> None:
        match told:
            case PaneOutput(pane, data):
                self._on_output(pane, data)
            case Block():
                self._on_block(told)
            case Notice("session-changed") if not self._is_attached:
                self._is_attached = True
                self._look()
            case Notice("pause", rest) if rest == self._pane.id:
                self._look(goes_on=True)
            case Notice(name, rest) if name in _MOVES and rest.partition(" ")[0] == self._window_id:
                self._look()
            case _:
                pass

    def _on_output(self, pane: str, data: bytes) -> None:
        if pane != self._pane.id:
            if pane not in self._foreign:
                self._foreign.add(pane)
                self._command(f"refresh-client -A '{pane}:off'")
        elif self._ready and isinstance(self._ready[-1], bytes):
            self._ready[-1] += data
        else:
            self._ready.append(data)

    # The picture we begin with, and begin anew with when the pane's size has changed or we were too slow

    def _look(self, *, goes_on: bool = False) -> None:
        """Whoever asks again before the answer has come gets the later one."""
        self._mark = f"coop-picture {next(self._marks)}\t"
        commands = picture_commands(self._pane.id, self._history, self._mark)
        line = " ; ".join(_line(command) for command in commands)
        self._command(f"refresh-client -A '{self._pane.id}:continue' ; {line}" if goes_on else line)

    def _on_block(self, block: Block) -> None:
        if block.lines and block.lines[0].startswith(self._mark.encode()):
            self._blocks = [block]
        elif block.is_error:
            self._blocks = None
            if self._find() is None:
                self._ready.append(b"")
        elif self._blocks is not None:
            self._blocks.append(block)
            if len(self._blocks) == len(picture_commands("", 0)):
                self._on_picture(*self._blocks)
                self._blocks = None

    def _on_picture(self, told: Block, rows: Block, beneath: Block, pending: Block) -> None:
        facts = facts_of(told.lines[0].decode(errors="replace").removeprefix(self._mark))
        if facts is None:
            return
        self._window_id = facts.window_id
        if facts.session_id != self._session_id:  # the pane was moved to another session
            self._session_id = facts.session_id
            self._command(f"switch-client -t '{facts.session_id}'")
            self._look()
        if facts.size != self.size:
            self.size = facts.size
            self._ready.append(facts.size)
        self._ready.append(drawn(picture_of(facts, rows.lines, beneath.lines, pending.lines)))

    def _lost(self) -> bytes | None:
        """Our client is gone. Who detaches all clients means no harm: we come back as long as there is the pane."""
        self._end_client()
        found = self._find()
        if found is None:
            return b""
        if not self._is_attached:
            self._status = ExitStatus(why=f"tmux would not let us attach to {self._pane.name}")
            return b""
        self._connect(found.session_id)
        return None

    def _find(self) -> Pane | None:
        """Where the pane is now. When it is nowhere, that is the end."""
        try:
            panes = self._server.panes()
        except ConfigError:
            panes = []
        found = next((each for each in panes if (each.id, each.pid) == (self._pane.id, self._pane.pid)), None)
        if found is None or found.is_dead:
            self._status = self._status or ExitStatus(why="the tmux pane is gone" if panes else "the tmux server is gone")
            return None
        return found

    # Typing

    def write(self, data: bytes) -> int:
        """tmux keeps what its program does not read."""
        taken = 0
        while taken < len(data) and self._flush():
            chunk = data[taken : taken + _MOST]
            self._command(self._typing(chunk))
            taken += len(chunk)
        return taken

    def _typing(self, data: bytes) -> str:
        """Keys of a pane in copy mode go to that mode, and those of synchronized panes to all: a paste goes to the program."""
        keys = f"send-keys -t {self._pane.id} -H {data.hex(' ')}"
        if b"\0" in data:  # which no paste can hold
            return keys
        raw = "-r -S" if self._server.version is None or self._server.version >= _SANITISES_SINCE else "-r"
        paste = f"paste-buffer -d {raw} -b {BUFFER} -t {self._pane.id}"
        held = "#{||:#{pane_in_mode},#{pane_synchronized}}"
        return (
            f"if-shell -F -t {self._pane.id} '{held}' {{ set-buffer -b {BUFFER} \"{escaped(data)}\" ; {paste} }} {{ {keys} }}"
        )

    def _command(self, line: str) -> None:
        self._unsent += line.encode() + b"\n"
        self._flush()

    def _flush(self) -> bool:
        """Whether tmux has taken every command so far. What it is told before it has attached us, it would do before."""
        if not self._is_attached:
            return True
        assert self._socket is not None
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
        return not self._unsent

    # The rest of a Backend

    def resize(self, size: Size) -> None:
        """Theirs to do."""

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(os.getpgid(self.pid), number)

    def exit_status(self) -> ExitStatus | None:
        if self._status is None and select.select([self.exit_fd], [], [], 0)[0]:
            self._status = ExitStatus(why="the program has ended; how, only tmux knows")
        return self._status

    def stopped_by(self) -> None:
        """tmux lets it go on."""

    def makes_signals(self) -> bool:
        return True

    def close(self) -> None:
        """Detaches. The pane goes on."""
        for each in (self._former, self._socket):
            if each is not None:
                each.close()
        os.close(self.exit_fd)
        self._end_client()

    def _end_client(self) -> None:
        """That its socket is closed is not always enough: tmux may wait for it to take what was being sent."""
        self._client.terminate()
        try:
            self._client.wait(_CLIENT_GOES_WITHIN)
        except subprocess.TimeoutExpired:
            self._client.kill()
            self._client.wait()


def _line(command: Sequence[str]) -> str:
    return " ".join(word if word.replace("-", "").isalnum() else f"'{word}'" for word in command)
