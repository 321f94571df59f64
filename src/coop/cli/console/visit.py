"""A person at a session: what comes of keys, messages, sizes and time. No I/O: messages and frames are taken by the loop."""

from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from typing import NamedTuple

from coop.cli.console.keyboard import Keyboard, Order, Setting
from coop.cli.console.painting import Painter
from coop.cli.console.sent import Sent
from coop.cli.console.silence import Silence
from coop.cli.console.status import Known, status_row
from coop.cli.looks import one_line
from coop.errors import CoopError
from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.wire import ws

PACE = 1 / 60
"""A flood is drawn no more often."""
HALF_FRAME_AT_MOST = 0.1
"""How long a frame that the program is still drawing is waited for."""
ECHO_RESTS = 0.01
"""So long after an echo it is painted: soon enough to put right what looks different, not before the next key."""
NEWS = 4.0
"""How long a notice stays."""
_FLOOD = 4096
_LOST = 255
_WIDE_FRAME = 256


@dataclass(frozen=True, slots=True)
class Wishes:
    prefix: int | None
    prefix_name: str
    resizes: bool = True
    """The session takes the size of this terminal: when it comes, when it changes, and when somebody types here."""
    types: bool = True
    has_status: bool = True
    patience: float = 60.0
    """How long a connection that was cut is tried again."""
    minds_silence: bool = True
    """Something lies between that can die without a word. On one machine silence is only a coop that is busy, or was stopped."""

    @property
    def hint(self) -> str:
        leave = f"{self.prefix_name} d detaches" if self.prefix is not None else ""
        return leave if self.types else f"read-only  {leave}"


class Ended(NamedTuple):
    code: int
    words: str


class Visit:
    def __init__(self, name: str, wishes: Wishes, size: Size) -> None:
        self.outbox: list[bytes] = []
        """Messages to be sent."""
        self.ended: Ended | None = None
        self._wishes = wishes
        self._known = Known(name, hint=wishes.hint)
        self._size = size
        self._keyboard = Keyboard(wishes.prefix)
        self._painter = Painter(self._room)
        self._screen: GhosttyScreen | None = None
        self._sent = Sent()
        self._epoch = ""
        self._offset = 0
        self._asked_for: Size | None = None
        self._may_resize = wishes.resizes and wishes.types
        self._beneath_is_known = True
        self._dump_is_coming = False
        self._is_connected = False
        self._silence: Silence | None = None
        """`None` while there is no connection, and where silence is not minded."""
        self._lost_at: float | None = None
        self._notice_until = 0.0
        self._is_stale = True
        """There is something to draw."""
        self._escapes = 2
        """Chunks since the program last wrote an escape sequence decide whether a mode may have changed; counted down."""
        self._told: object = None
        """What the status line shows."""
        self._echo = b""
        """What is to be written before anything is painted."""
        self._paints_at = 0.0
        """When what was written so is to be painted; 0 when nothing was."""
        self._fed = 0
        self._painted_at = 0.0
        self._held_since: float | None = None

    # What happens

    def on_connected(self, now: float) -> None:
        if self._lost_at is not None:
            self._say(self._sent.after_a_cut(), now)
        self._is_connected, self._lost_at, self._asked_for = True, None, None
        self._silence = Silence(now) if self._wishes.minds_silence else None
        self._dump_is_coming = True
        if self._may_resize:
            self._ask_for_size()  # though it has it: the connection that asked before goes, and its size with it

    def on_lost(self, error: CoopError, now: float) -> None:
        """The connection, or an attempt to make it anew."""
        self._is_connected, self._silence, self._lost_at = False, None, self._lost_at if self._lost_at is not None else now
        self.outbox.clear()
        if now - self._lost_at > self._wishes.patience:
            self.ended = Ended(_LOST, f"lost {self._known.name}: {error.message}")
        self._say(f"not connected, trying again: {error.message}", now)
        self._notice_until = float("inf")

    def on_heard(self, now: float) -> None:
        """Something has come, if only a part of a message."""
        if self._silence is not None:
            self._silence.on_heard(now)

    def on_resized(self, size: Size) -> None:
        self._size = size
        self._painter.forget(self._room)
        self._is_stale, self._told, self._echo, self._paints_at = True, None, b"", 0.0
        if self._may_resize:
            self._claim_size()

    def on_typed(self, data: bytes, now: float) -> None:
        if self._keyboard.is_plain(data):
            self._type(data, now)
            return
        typed: list[bytes] = []
        for piece in self._keyboard.receive(data, self._setting()):
            match piece:
                case Order.DETACH:
                    self.ended = Ended(0, f"detached from {self._known.name}")
                case Order.REDRAW:
                    self.redraw()
                case Order.HELP:
                    name = self._wishes.prefix_name
                    self._say(f"d detaches  r redraws  {name} again sends it  any other key goes on", now)
                case bytes():
                    typed.append(piece)
        if text := b"".join(typed):
            self._type(text, now)

    def redraw(self) -> None:
        """As if the terminal showed nothing of us."""
        self._painter = Painter(self._room)
        self._is_stale, self._escapes, self._echo, self._paints_at = True, 2, b"", 0.0

    def on_message(self, text: bytes, now: float) -> None:
        match ws.read(text):
            case ws.OutputMessage(data, offset):
                self._on_output(b64decode(data), offset, now)
            case ws.DumpMessage(data, offset, cols, rows):
                self._on_dump(b64decode(data), offset, Size(cols, rows))
            case ws.LaggedMessage(next_offset=int(offset), dump=str(dump), cols=int(cols), rows=int(rows)):
                self._on_dump(b64decode(dump), offset, Size(cols, rows))
            case ws.StateMessage() as told:
                self._on_epoch(told.epoch, now)
                self._knows(replace(self._known, state=told.state, prompt=told.prompt, detail=told.detail))
            case ws.StateChangeMessage() as told:
                self._knows(replace(self._known, state=told.next, prompt=told.prompt, detail=told.detail))
            case ws.PongMessage(int(number)):
                self._sent.on_confirmed(number)
            case ws.ErrorMessage(message, code):
                self._on_error(message, code, now)
            case ws.ShutdownMessage():
                self._say("the session is being ended", now)
            case ws.ExitMessage(code, signal):
                self.ended = Ended(128 + signal if signal else code or 0, f"{self._known.name}{self._how(code, signal)}")
            case _:
                pass  # of no matter here, or of a newer coop

    # Time

    def deadline(self) -> float | None:
        """When `on_time`, `is_cut_off` or `frame` should be called at the latest."""
        drawing = 0.0 if self._echo else self._frame_due() if self._is_stale else None
        given_up = self._silence.ends_at if self._silence is not None else None
        return _first(drawing, self._ask_at(), given_up, self._notice_ends())

    def on_time(self, now: float) -> None:
        if (ask_at := self._ask_at()) is not None and now >= ask_at:
            self._ask(now)
        if (ends := self._notice_ends()) is not None and now >= ends:
            self._knows(self._known.saying(""))

    def is_cut_off(self, now: float) -> bool:
        """Nothing comes by this connection any more: it is to be made anew."""
        ends_at = self._silence.ends_at if self._silence is not None else None
        return ends_at is not None and now >= ends_at

    def frame(self, now: float) -> bytes:
        """What to write to the terminal, if it is time to; the terminal must have taken what it was given before."""
        if self._echo:
            echo, self._echo = self._echo, b""
            return echo
        if not self._is_stale or now < self._frame_due():
            return b""
        drawn = self._drawn()
        self._is_stale, self._fed, self._painted_at, self._held_since, self._paints_at = False, 0, now, None, 0.0
        return drawn if len(drawn) < _WIDE_FRAME else b"\x1b[?2026h\x1b[?25l%b\x1b[?2026l" % drawn

    def _drawn(self) -> bytes:
        status = self._status()
        if self._screen is None:
            return status
        bells = b"\x07" * min(1, self._screen.take_bells())
        modes_too, self._escapes = self._escapes > 0, max(0, self._escapes - 1)
        return self._painter.paint(self._screen, beside=status, modes_too=modes_too) + bells

    def _status(self) -> bytes:
        told = (self._known, self._room, self._painter)
        if not self._has_status or told == self._told:
            return b""
        self._told = told
        return self._painter.draw(self._room.rows, status_row(self._known, self._room))

    def _frame_due(self) -> float:
        if self._held_since is not None and self._screen is not None and self._screen.in_synchronized_update:
            return self._painted_at + HALF_FRAME_AT_MOST
        return self._painted_at + PACE if self._fed > _FLOOD else self._paints_at

    def _notice_ends(self) -> float | None:
        return self._notice_until if self._known.notice and self._notice_until != float("inf") else None

    # The session's screen

    def _on_output(self, data: bytes, offset: int, now: float) -> None:
        if self._screen is None or offset != self._offset:
            self._ask_for_dump()
            return
        self._screen.feed(data)
        self._screen.take_replies()  # coop has answered
        self._offset += len(data)
        self._fed += len(data)
        self._echo_or_paint(data, now)
        if b"\x1b" in data:
            self._escapes = 2
            self._held_since = self._painted_at if self._screen.in_synchronized_update else None
        if not self._beneath_is_known and not self._screen.on_alternate_screen():
            self._ask_for_dump()

    def _echo_or_paint(self, data: bytes, now: float) -> None:
        """A letter that comes back is written at once: to find out what has changed takes longer."""
        assert self._screen is not None
        if (not self._is_stale or self._paints_at) and self._painter.echoes(self._screen, data):
            self._echo += data
            self._paints_at = now + ECHO_RESTS
        else:
            self._paints_at = 0.0
        self._is_stale = True

    def _on_dump(self, data: bytes, offset: int, size: Size) -> None:
        self._dump_is_coming = False
        self._screen = GhosttyScreen(size, XTERM, scrollback=0)
        self._screen.feed(data)
        self._screen.take_replies()
        self._screen.take_bells()
        self._offset = offset
        self._beneath_is_known = not self._screen.on_alternate_screen()
        self._is_stale, self._escapes, self._echo, self._paints_at = True, 2, b"", 0.0
        if self._asked_for == size:
            self._asked_for = None
        self._knows(replace(self._known, size=size))

    def _ask_for_dump(self) -> None:
        """A gap is never drawn over, nor a screen shown that we have not seen."""
        if not self._dump_is_coming:
            self._dump_is_coming = True
            self.outbox.append(ws.encode(ws.DumpRequestMessage()))

    # What goes to the session

    def _type(self, data: bytes, now: float) -> None:
        if not self._wishes.types:
            self._say("read-only: nothing is typed", now)
        elif not self._is_connected:
            self._sent.on_dropped(len(data))
            self._say(f"not connected, {self._sent.dropped} bytes were not sent", now)
            self._notice_until = float("inf")
        else:
            if self._may_resize:
                self._claim_size()
            self.outbox.append(b'{"type":"input_raw","data":"%b"}' % b64encode(data))
            self._sent.on_sent(len(data), now)

    def _ask(self, now: float) -> None:
        self.outbox.append(ws.encode(ws.PingMessage(request_id=self._sent.ask())))
        if self._silence is not None:
            self._silence.on_asked(now)

    def _ask_at(self) -> float | None:
        """Whether what was typed has arrived, or whether anybody is there."""
        if not self._is_connected:
            return None
        return _first(self._sent.ask_at, self._silence.ask_at if self._silence is not None else None)

    def _claim_size(self) -> None:
        """Whoever came last, or types, has the size."""
        size = self._screen.size if self._screen is not None else None
        if self._is_connected and self._room not in (size, self._asked_for):
            self._ask_for_size()

    def _ask_for_size(self) -> None:
        self._asked_for = self._room
        self.outbox.append(ws.encode(ws.ResizeMessage(self._room.cols, self._room.rows)))

    def _on_error(self, message: str, code: str, now: float) -> None:
        if code == "NOT_OURS":
            self._may_resize = False
        else:
            self._say(message, now)

    # What is told

    def _on_epoch(self, epoch: str, now: float) -> None:
        if self._epoch and epoch != self._epoch:
            self._say("another run of coop answers here now", now)
        self._epoch = epoch

    def _how(self, code: int | None, signal: int | None) -> str:
        """Of a program that was not coop's, which knows neither, what is known of its end."""
        if signal:
            return f" was ended by signal {signal}"
        if code is not None:
            return f" has exited with {code}"
        is_told = self._known.state == "exited" and self._known.detail
        return f": {one_line(self._known.detail or '')}" if is_told else " has ended"

    def _say(self, notice: str, now: float) -> None:
        self._notice_until = now + NEWS
        self._knows(self._known.saying(notice))

    def _knows(self, known: Known) -> None:
        self._is_stale = self._is_stale or known != self._known
        self._known = known

    # Places

    @property
    def _has_status(self) -> bool:
        return self._wishes.has_status and self._size.rows > 1

    @property
    def _room(self) -> Size:
        """What of the terminal is the session's."""
        return Size(self._size.cols, self._size.rows - self._has_status)

    def _setting(self) -> Setting:
        modes = self._screen.modes() if self._screen is not None else frozenset[str]()
        size = self._screen.size if self._screen is not None else self._room
        return Setting(modes, self._painter.window, size)


def _first(*times: float | None) -> float | None:
    return min((time for time in times if time is not None), default=None)
