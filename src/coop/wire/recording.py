"""A recording as lines of JSON: what came into a session and when, and what the session published.

The first line is the header. Then `[time, kind, body]` for everything that came in, each followed by the events that came of it:
`[time, "event", seq, message]`. A last line without its end was torn, and is passed over.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, cast, get_args, get_type_hints

import msgspec

from coop.errors import BadRecording
from coop.model.commands import Command, Resize
from coop.model.events import Event
from coop.model.ids import ConnectionId, RequestId
from coop.model.readings import Learned
from coop.model.records import Asked, Item, Output, SizeChanged
from coop.model.screen import Identity, Size
from coop.wire import ws
from coop.wire.http import MAX_SIDE
from coop.wire.text import encode

FORMAT = 1
MAX_SCROLLBACK = 1_000_000
Begins = Literal["start", "middle"]


class Header(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a session must be made with, so that the same items give the same events."""

    coop_recording: int = msgspec.field(default_factory=lambda: FORMAT)
    coop: str
    engine: str
    """The terminal emulator, and its version."""
    agent: str
    dialogs: dict[str, Any] | None = None
    """The data by which the agent's screen is read; `None` for an agent that has none."""
    holds_hooks: bool
    session: str
    size: Size
    scrollback: int
    identity: Identity
    settings: dict[str, Any]
    learned: Learned
    now: float
    """By the session's own clock, as all times of a recording."""
    wall: float
    """The same moment in seconds since 1970."""
    begins: Begins
    """One that begins in the middle can be replayed for the screen only: what was believed before is not in it."""
    screen: str | None = None
    """Draws the screen that was there, for one that begins in the middle."""
    replayable: bool | None = None
    """Of an export: does it still give the events of the session?"""
    removed: dict[str, int] | None = None
    """Of an export: how often something of each kind was made unreadable."""


@dataclass(frozen=True, slots=True)
class Received:
    now: float
    item: Item


@dataclass(frozen=True, slots=True)
class Published:
    at: float
    seq: int
    message: Mapping[str, Any]
    """As on the WebSocket."""


@dataclass(frozen=True, slots=True)
class Ended:
    at: float
    why: str
    screen: str
    """A digest of what was on the screen."""
    agent_version: str | None = None


Line = Received | Published | Ended


def _name(kind: type) -> str:
    """`HookAsked` is spelled `hook_asked`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


_ITEMS: Mapping[str, type] = {_name(kind): kind for kind in get_args(Item)}
_COMMANDS: Mapping[str, type] = {_name(kind): kind for kind in get_args(Command)}
_NAMES: Mapping[type, str] = {kind: name for name, kind in (*_ITEMS.items(), *_COMMANDS.items())}
_EVENT, _END = "event", "end"


def _bytes_of(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if hint is bytes)


_BYTES: Mapping[type, frozenset[str]] = {kind: _bytes_of(kind) for kind in (*_ITEMS.values(), *_COMMANDS.values())}


# Writing


def header_line(header: Header) -> bytes:
    return _line(header)


def item_line(item: Item, now: float) -> bytes:
    return _line((now, _NAMES[type(item)], _body(item)))


def event_line(event: Event) -> bytes:
    return _line((event.at, _EVENT, event.seq, ws.event(event)))


def published_line(published: Published) -> bytes:
    return _line((published.at, _EVENT, published.seq, published.message))


def end_line(ended: Ended) -> bytes:
    return _line((ended.at, _END, {"why": ended.why, "screen": ended.screen, "agent_version": ended.agent_version}))


def _line(value: object) -> bytes:
    return encode(value) + b"\n"


def _body(item: Item) -> object:
    return _spelled(item.data) if type(item) is Output else _fields(item)


def _fields(value: Any) -> dict[str, object]:
    return {each.name: _spelled(getattr(value, each.name)) for each in fields(value)}


def _spelled(value: object) -> object:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    if type(value) in _COMMANDS.values():
        return {"type": _NAMES[type(value)], **_fields(value)}
    return msgspec.to_builtins(value)


def item_text(item: Item) -> str:
    """What is in an item, as JSON."""
    return _line(_body(item)).decode()


# Reading

_UNREADABLE = (msgspec.MsgspecError, ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""It may be anybody's: nested without end, with numbers that are none."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A whole recording."""

    header: Header
    lines: tuple[Line, ...]
    is_torn: bool = False
    """Its last line was not written to its end, and is not among these."""

    @property
    def end(self) -> Ended | None:
        """`None` when it just breaks off."""
        last = self.lines[-1] if self.lines else None
        return last if isinstance(last, Ended) else None

    def published(self) -> tuple[Published, ...]:
        return tuple(line for line in self.lines if isinstance(line, Published))


def read(data: bytes, *, source: str) -> Recorded:
    """Raises `BadRecording` that names the line."""
    whole, newline, rest = data.rpartition(b"\n")
    first, *others = whole.split(b"\n") if newline else [b""]
    return Recorded(_header(first, source), tuple(_lines(others, source)), bool(rest))


def _header(line: bytes, source: str) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
        _check_size(header.size)
        if not 0 <= header.scrollback <= MAX_SCROLLBACK:
            raise ValueError(f"a scrollback of {header.scrollback} rows: expected 0 to {MAX_SCROLLBACK}")
    except _UNREADABLE as error:
        raise BadRecording(f"{source}: not a recording of coop: its first line is no header ({error})") from None
    if header.coop_recording != FORMAT:
        made = f"format {header.coop_recording}, by coop {header.coop}"
        raise BadRecording(f"{source}: recorded in {made}; this coop reads format {FORMAT}")
    return header


def _lines(lines: Iterable[bytes], source: str) -> Iterator[Line]:
    for number, line in enumerate(lines, 2):
        try:
            yield _read(msgspec.json.decode(line))
        except _UNREADABLE as error:
            raise BadRecording(f"{source}: line {number} is not one of a recording: {error}") from None


def _read(line: Any) -> Line:
    match line:
        case [int() | float() as at, "event", int(seq), {"type": str()}]:
            _check_resize(line[3])
            return Published(float(at), seq, line[3])
        case [int() | float() as at, "end", {"why": str(why), "screen": str(screen), "agent_version": str() | None as version}]:
            return Ended(float(at), why, screen, version)
        case [int() | float() as now, str(kind), body]:
            return Received(float(now), _item(kind, body))
        case _:
            raise ValueError(f"expected [time, kind, body], got {str(line)[:80]}")


def _check_resize(message: Mapping[str, Any]) -> None:
    match message:
        case {"type": "resize", "cols": int(cols), "rows": int(rows)}:
            _check_size(Size(cols, rows))
        case {"type": "resize"}:
            raise ValueError("expected a number of cols and of rows")
        case _:
            pass


def _check_size(size: Size) -> None:
    """Memory is taken for every cell."""
    if not (1 <= size.cols <= MAX_SIDE and 1 <= size.rows <= MAX_SIDE):
        raise ValueError(f"a screen of {size.cols}×{size.rows}: expected 1×1 to {MAX_SIDE}×{MAX_SIDE}")


def item_of(kind: type, text: str) -> Item:
    """Raises `ValueError` when that is none."""
    try:
        return _item(_NAMES[kind], msgspec.json.decode(text))
    except (msgspec.MsgspecError, KeyError, TypeError) as error:
        raise ValueError(str(error)) from None


def _item(kind: str, body: Any) -> Item:
    if kind not in _ITEMS:
        raise ValueError(f"{kind!r} is no kind of item")
    if kind == "output":
        return Output(_data(body))
    if kind == "asked":
        return _asked(body)
    item = cast("Item", _made(_ITEMS[kind], body))
    if isinstance(item, SizeChanged):
        _check_size(item.size)
    return item


def _asked(body: Any) -> Asked:
    match body:
        case {"id": int(number), "command": {"type": str(kind), **given}} if kind in _COMMANDS:
            command = cast("Command", _made(_COMMANDS[kind], given))
        case _:
            raise ValueError(f"expected an id and a command, got {str(body)[:80]}")
    if isinstance(command, Resize):
        _check_size(command.size)
    connection = body.get("connection")
    return Asked(RequestId(number), command, ConnectionId(connection) if connection is not None else None)


def _made(kind: type, body: Any) -> object:
    if not isinstance(body, dict):
        raise ValueError(f"expected an object, got {str(body)[:80]}")
    given = cast("dict[str, Any]", body)
    read = {name: _data(value) if name in _BYTES[kind] else value for name, value in given.items()}
    made: object = msgspec.convert(read, cast("type[object]", kind), builtin_types=(bytes,))
    return made


def _data(spelled: Any) -> bytes:
    match spelled:
        case str():
            return spelled.encode()
        case {"base64": str(text)}:
            return base64.b64decode(text, validate=True)
        case _:
            raise ValueError(f"expected text or base64, got {str(spelled)[:80]}")
