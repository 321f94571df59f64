"""A recording for others: without its secrets, and saying what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from coop.agents import Agent
from coop.errors import ConfigError
from coop.model.commands import Keys, Type, TypeRaw
from coop.model.records import (
    Asked,
    ChildExited,
    HookAsked,
    HookRecord,
    Item,
    LogFound,
    LogLine,
    LogTold,
    Output,
    PlanText,
    StatusText,
)
from coop.model.screen import ScreenSnapshot, Size
from coop.session.recording import digest
from coop.session.redaction import Redactor, Secrets
from coop.session.replay import replay, screen_of
from coop.wire.recording import (
    Ended,
    Header,
    Line,
    Published,
    Received,
    Recorded,
    end_line,
    header_line,
    item_line,
    item_of,
    item_text,
    published_line,
)

_TOLD = ("type", "prev", "next", "by", "outcome", "result", "cols", "rows", "code", "signal", "error_kind", "exit_code")
_TOLD_OF_PROMPTS = ("type", "id", "subtype", "tool")


@dataclass(frozen=True, slots=True)
class Exported:
    recorded: Recorded
    left: frozenset[str]
    """Kinds of secrets that can still be read on the screen: it was drawn in another order than it is read."""
    redactor: Redactor
    """It knows every secret that is in the recording."""


def redacted(recorded: Recorded, secrets: Secrets, make_agent: Callable[[Header], Agent]) -> Exported:
    redactor = Redactor(secrets)
    _learn(recorded, redactor)
    lines = _masked(recorded, redactor)
    header = _masked_header(recorded.header, redactor)
    bare = Recorded(header, tuple(map(_bare_line, lines)))
    again = replay(bare, make_agent(header))
    told = {each.seq: each for each in again.published}
    is_same = again.core is not None and _is_same(recorded, told)
    header = msgspec.structs.replace(header, replayable=is_same, removed=dict(sorted(redactor.removed.items())))
    whole = tuple(_retold(line, told if is_same else {}, digest(again.screen)) for line in bare.lines)
    exported = Recorded(header, whole, recorded.is_torn)
    left = {kind for shown in _screens(exported) for kind in redactor.drawn(shown.lines, shown.size.cols)}
    return Exported(exported, frozenset(left), redactor)


def file_of(recorded: Recorded) -> bytes:
    return b"".join((header_line(recorded.header), *map(_line, recorded.lines)))


def _line(line: Line) -> bytes:
    match line:
        case Received(now, item):
            return item_line(item, now)
        case Published():
            return published_line(line)
        case Ended():
            return end_line(line)


# Masking


def _learn(recorded: Recorded, redactor: Redactor) -> None:
    """All of it, before anything is masked: what is a secret at its end is one at its beginning."""
    redactor.learn([_told(recorded.header)])
    if recorded.header.screen is not None:
        redactor.learn([recorded.header.screen.encode()])
    for stream in _streams(recorded.lines):
        redactor.learn([_data(recorded.lines[at]) for at in stream])
    for shown in _screens(recorded):
        redactor.learn_screen(shown.lines, shown.size.cols)


def _told(header: Header) -> bytes:
    """The data by which the agent is read is coop's own."""
    return header_line(msgspec.structs.replace(header, dialogs=None, screen=None))


def _masked(recorded: Recorded, redactor: Redactor) -> list[Line]:
    """Output is one stream, and typing another: a secret may be cut anywhere. Everything else stands alone."""
    lines = list(recorded.lines)
    for stream in _streams(recorded.lines):
        for at, data in zip(stream, redactor.mask([_data(lines[at]) for at in stream]), strict=True):
            lines[at] = _with_data(lines[at], data)
    return lines


def _streams(lines: Iterable[Line]) -> list[list[int]]:
    output, typed, alone = list[int](), list[int](), list[list[int]]()
    for at, line in enumerate(lines):
        match line:
            case Received(item=Output()):
                output.append(at)
            case Received(item=Asked(command=Type() | TypeRaw() | Keys())):
                typed.append(at)
            case Received(
                item=HookRecord()
                | HookAsked()
                | LogLine()
                | LogTold()
                | StatusText()
                | PlanText()
                | Asked()
                | LogFound()
                | ChildExited()
            ):
                alone.append([at])
            case _:
                pass
    return [output, typed, *alone]


def _data(line: Line) -> bytes:
    assert isinstance(line, Received)
    match line.item:
        case Output(data) | HookRecord(data) | HookAsked(body=data) | LogLine(data) | LogTold(data) | StatusText(data):
            return data
        case Asked(command=Type(text)):
            return text.encode("utf-8", "surrogateescape")
        case Asked(command=Keys(keys)):
            return "".join(map(_as_text, keys)).encode("utf-8", "surrogateescape")
        case Asked(command=TypeRaw(data)):
            return data
        case item:
            return item_text(item).encode()


def _with_data(line: Line, data: bytes) -> Received:
    assert isinstance(line, Received)
    return Received(line.now, _item_with(line.item, data))


def _item_with(item: Item, data: bytes) -> Item:
    match item:
        case Output():
            return Output(data)
        case HookRecord():
            return HookRecord(data)
        case HookAsked():
            return replace(item, body=data)
        case LogLine():
            return replace(item, line=data)
        case StatusText() | LogTold():
            return replace(item, text=data)
        case Asked(command=Type() as typing):
            return replace(item, command=replace(typing, text=data.decode("utf-8", "surrogateescape")))
        case Asked(command=TypeRaw()):
            return replace(item, command=TypeRaw(data))
        case Asked(command=Keys(keys)):
            return replace(item, command=Keys(tuple(_keys(keys, data.decode("utf-8", "surrogateescape")))))
        case _:
            return _from_text(type(item), data)


def _as_text(key: str) -> str:
    """Characters follow upon each other. A name, or what was meant to be one, stands alone."""
    return key if len(key) == 1 else f"\n{key}\n"


def _keys(keys: Iterable[str], text: str) -> Iterator[str]:
    """The same number of them, of the same length, out of that text."""
    at = 0
    for key in keys:
        length = len(_as_text(key))
        padding = (length - len(key)) // 2
        yield text[at + padding : at + length - padding]
        at += length


def _from_text(kind: type, data: bytes) -> Item:
    try:
        return item_of(kind, data.decode())
    except ValueError as error:
        raise _too_much(error) from None


def _too_much(error: Exception) -> ConfigError:
    return ConfigError(
        "what is to be masked (--redact, --redact-env, --redact-user) matches more than text, so that the recording could not "
        f"be read any more: make it narrower, or mark the part to mask with (?P<secret>…) ({error})"
    )


def _masked_header(header: Header, redactor: Redactor) -> Header:
    try:
        masked = msgspec.json.decode(redactor.mask([_told(header)])[0], type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _too_much(error) from None
    screen = redactor.mask_text(header.screen) if header.screen is not None else None
    return msgspec.structs.replace(masked, dialogs=header.dialogs, screen=screen)


# What it still tells


def _is_same(recorded: Recorded, told: Mapping[int, Published]) -> bool:
    """Do the same events come of it, but for the words in them? Those of the last item may be missing where it breaks off."""
    before = {each.seq: _bare_line(each) for each in recorded.published()}
    after = {seq: _bare_line(each) for seq, each in told.items() if recorded.end is not None or seq in before}
    return before == after


def _retold(line: Line, told: Mapping[int, Published], screen: str) -> Line:
    match line:
        case Published(seq=seq):
            return told.get(seq, line)
        case Ended():
            return replace(line, screen=screen)
        case Received():
            return line


def _bare_line(line: Line) -> Line:
    """An event without any words of the agent's, in which a secret might be."""
    return replace(line, message=_bare(line.message)) if isinstance(line, Published) else line


def _bare(message: Mapping[str, Any]) -> Mapping[str, Any]:
    told = {key: message[key] for key in _TOLD if key in message}
    prompt = message.get("prompt")
    if not isinstance(prompt, dict):
        return told
    return {**told, "prompt": {key: prompt[key] for key in _TOLD_OF_PROMPTS if key in prompt}}


def _screens(recorded: Recorded) -> Iterator[ScreenSnapshot]:
    """Each that stood when something else than output came, and that is another than the one before."""
    screen, before = screen_of(recorded.header), None
    yield screen.snapshot()
    for line in (*recorded.lines, None):
        match line:
            case Received(item=Output(data)):
                screen.feed(data)
                continue
            case Published(message={"type": "resize", "cols": int(cols), "rows": int(rows)}):
                screen.resize(Size(cols, rows))
            case _:
                pass
        if screen.seq != before:
            before = screen.seq
            yield screen.snapshot()
