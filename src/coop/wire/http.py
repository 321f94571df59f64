"""The bodies of the HTTP API. What decodes a request is what documents it."""

import base64
import binascii
import signal
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from coop.errors import BadRequest
from coop.model.commands import Keys, Nudge, Resize, Respond, Signal, Type, TypeRaw
from coop.model.screen import Size
from coop.wire.states import PromptContext, PromptType, StateName, TierName

MAX_SIDE = 2000
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
MAX_CELLS = 250_000
Text = Annotated[str, Meta(max_length=1_000_000)]


class ScreenQuery(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["text", "ansi"] = "text"
    cursor: bool = True
    scrollback: Annotated[int, Meta(ge=0, le=100_000)] = 0


class OutputQuery(msgspec.Struct, forbid_unknown_fields=True):
    offset: Annotated[int, Meta(ge=0)] = 0
    limit: Annotated[int, Meta(ge=0)] | None = None


class InputRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Types text, and Enter behind it when `enter`."""

    text: Text
    enter: bool = False

    def command(self) -> Type:
        return Type(self.text, self.enter)


class RawInputRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Writes bytes, given in base64, as they are."""

    data: Annotated[str, Meta(max_length=2_000_000, description="base64")]

    def command(self) -> TypeRaw:
        return TypeRaw(decode_base64(self.data))


class KeysRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Presses named keys, one after the other: `Enter`, `Escape`, `Up`, `F5`, `Ctrl-C`, `Alt-b`, `Shift-Tab`."""

    keys: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=10_000)]

    def command(self) -> Keys:
        return Keys(self.keys)


class ResizeRequest(msgspec.Struct, forbid_unknown_fields=True):
    cols: Side
    rows: Side

    def command(self) -> Resize:
        return Resize(checked_size(self.cols, self.rows))


class SignalRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Sends a signal to the child's process group."""

    signal: Annotated[str, Meta(max_length=32, description="SIGINT, INT or 2")]

    def command(self) -> Signal:
        return Signal(signal_number(self.signal))


class NudgeRequest(msgspec.Struct, forbid_unknown_fields=True):
    message: Text

    def command(self) -> Nudge:
        return Nudge(self.message)


class RespondRequest(msgspec.Struct, forbid_unknown_fields=True):
    accept: bool | None = None
    option: Annotated[int, Meta(ge=1)] | None = None
    text: Text | None = None

    def command(self) -> Respond:
        return Respond(self.accept, self.option, self.text)


class Terminal(msgspec.Struct):
    cols: int
    rows: int


class Health(msgspec.Struct):
    status: str
    pid: int | None
    uptime_secs: int
    agent: str
    terminal: Terminal
    ws_clients: int
    name: str
    labels: dict[str, str]
    version: str


class CursorPosition(msgspec.Struct):
    row: int
    col: int


class Screen(msgspec.Struct, omit_defaults=True):
    lines: tuple[str, ...]
    rows: int
    cols: int
    cursor: CursorPosition | None
    alt_screen: bool
    sequence: int
    title: str = ""
    scrollback: tuple[str, ...] = ()


class Output(msgspec.Struct):
    data: Annotated[str, Meta(description="base64")]
    offset: int
    next_offset: int
    total_written: int


class BytesWritten(msgspec.Struct):
    bytes_written: int


class Delivered(msgspec.Struct):
    delivered: bool


class Nudged(msgspec.Struct):
    delivered: bool
    state_before: StateName


class Responded(msgspec.Struct):
    delivered: bool
    prompt_type: PromptType


class Status(msgspec.Struct):
    state: str
    pid: int | None
    exit_code: int | None
    screen_seq: int
    bytes_read: int
    bytes_written: int
    ws_clients: int
    exit_signal: int | None
    uptime_secs: int


class AgentStateReply(msgspec.Struct, kw_only=True):
    agent: str
    state: StateName
    since_seq: int
    screen_seq: int
    detection_tier: TierName
    idle_grace_remaining_secs: float | None
    prompt: PromptContext | None
    detail: str | None
    epoch: str
    event_seq: int


T = TypeVar("T")


def decode(body: bytes, kind: type[T]) -> T:
    """A request of that kind. Raises `BadRequest` that names the field."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise BadRequest(f"body: {error}") from None
    except msgspec.DecodeError as error:
        raise BadRequest(f"body: expected a JSON object: {error}") from None
    except UnicodeDecodeError:
        raise BadRequest("body: expected JSON in UTF-8") from None
    except RecursionError:
        raise BadRequest("body: nested too deeply") from None


def checked_size(cols: int, rows: int) -> Size:
    if cols * rows > MAX_CELLS:
        raise BadRequest(f"cols, rows: {cols}×{rows} is more than {MAX_CELLS} cells")
    return Size(cols, rows)


def decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequest(f"data: expected base64: {error}") from None


def signal_number(name: str) -> int:
    """`SIGINT`, `int` or `2`. Raises `BadRequest` for what this system does not have."""
    text = name.strip().upper()
    if text.isascii() and text.isdigit():
        number = int(text)
        if number in signal.valid_signals():
            return number
    else:
        found = getattr(signal, text if text.startswith("SIG") else f"SIG{text}", None)
        if isinstance(found, signal.Signals):
            return found.value
    raise BadRequest(f"signal: expected a name like SIGINT or a number, got {name!r}")
