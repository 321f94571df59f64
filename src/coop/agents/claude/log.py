"""What a line of Claude Code's session log says. Most lines say nothing about the state, and none comes in time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from coop.agents.claude.hooks import failure
from coop.agents.records import Record, stamp_of
from coop.model.readings import Decided, Heard, Learned, Reading, Readings, Returned, Says, Unheard, Used
from coop.model.state import Idle, Working

INTERRUPTED = "[Request interrupted by user"
BLOCKED = "UserPromptSubmit operation blocked by hook"
_REFUSED = "The user doesn't want to proceed with this tool use"


def read_log(record: Record) -> Readings:
    """Sidechains are other agents' work, and meta lines nobody's: they carry no state."""
    if any(record.get(mark) is True for mark in ("isSidechain", "isMeta", "isCompactSummary")):
        return ()
    return tuple(_read(record))


def _read(record: Record) -> Iterator[Reading]:
    stamp = stamp_of(record)
    match record:
        case {"type": "assistant", "isApiErrorMessage": True}:
            yield Says(failure(str(record.get("error") or ""), _words(record)), stamp=stamp)
        case {"type": "assistant", "message": {"model": str(model), "id": str(message_id)} as message}:
            yield from read_message(cast("Record", message), model, message_id, stamp)
        case {"type": "user"}:
            content = _content(record)
            yield from _user(content, stamp) if isinstance(content, str) else _user_blocks(content, stamp, _chosen(record))
        case {"type": "system", "subtype": "turn_duration"}:
            yield Says(Idle(), stamp=stamp)
        case {"type": "system", "subtype": "informational", "content": str(words)} if words.startswith(BLOCKED):
            yield Unheard(stamp)
        case {
            "type": "attachment",
            "attachment": {"type": "hook_cancelled", "hookEvent": "UserPromptSubmit", "timedOut": False},
        }:
            yield Unheard(stamp, returns=True)
        case {"type": "queue-operation", "operation": "enqueue", "content": str(text)}:
            yield Heard(text, queued=True, stamp=stamp)
        case {"type": "queue-operation", "operation": "popAll" | "popOne", "content": str(text)}:
            yield Returned(text)  # into the input; `remove` is of what the model was given in the middle of a turn
        case {"type": "permission-mode", "permissionMode": str(mode)}:
            yield Learned(permission_mode=mode)
        case _:
            return
    if isinstance(version := record.get("version"), str):
        yield Learned(version=version)


def read_message(message: Record, model: str, message_id: str, stamp: float | None) -> Iterator[Reading]:
    if model == "<synthetic>":
        return
    texts = _texts(cast("list[object]", content) if isinstance(content := message.get("content"), list) else ())
    yield Learned(model=model, last_message="\n".join(texts) or None)
    if isinstance(usage := message.get("usage"), Mapping):
        tokens = {str(key): value for key, value in cast("Record", usage).items() if isinstance(value, int)}
        yield Used(message_id, tokens)
    match message.get("stop_reason"):
        case "end_turn" | "stop_sequence" | "max_tokens" | "refusal":
            yield Says(Idle(), final=False, stamp=stamp)
        case "tool_use":
            yield Says(Working(), stamp=stamp)
        case _:
            pass  # of a message that was cut short


def _user(text: str, stamp: float | None) -> Iterator[Reading]:
    if text.startswith(INTERRUPTED):
        yield Says(Idle(), stamp=stamp)
    elif not text.startswith(("<command-name>", "<local-command", "<bash-")):
        yield Says(Working(), stamp=stamp)
        yield Heard(text, stamp=stamp)


def _chosen(record: Record) -> str:
    """What was answered to the questions whose result this is."""
    result = record.get("toolUseResult")
    answers = cast("Record", result).get("answers") if isinstance(result, Mapping) else None
    return "; ".join(map(str, cast("Record", answers).values())) if isinstance(answers, Mapping) else ""


def _user_blocks(blocks: Sequence[object], stamp: float | None, chosen: str = "") -> Iterator[Reading]:
    texts = _texts(blocks)
    if any(text.startswith(INTERRUPTED) for text in texts):
        yield Says(Idle(), stamp=stamp)
        return
    yield Says(Working(), stamp=stamp)
    if texts:
        yield Heard("\n".join(texts), stamp=stamp)
    for block in blocks:
        match block:
            case {"type": "tool_result", "is_error": True, "content": str(words)} if words.startswith(_REFUSED):
                yield Decided("", accepted=False, words=words)
            case {"type": "tool_result"}:
                yield Decided("", accepted=True, words=chosen)
            case _:
                pass


def _texts(blocks: Sequence[object]) -> list[str]:
    return [text for block in blocks for text in _text_of(block)]


def _text_of(block: object) -> Iterator[str]:
    match block:
        case {"type": "text", "text": str(text)}:
            yield text
        case _:
            return


def _words(record: Record) -> str:
    content = _content(record)
    return content if isinstance(content, str) else " ".join(_texts(content))


def _content(record: Record) -> str | Sequence[object]:
    """What the message of a line holds: words, or blocks."""
    message = record.get("message")
    content = cast("Record", message).get("content") if isinstance(message, Mapping) else None
    return content if isinstance(content, str) else cast("list[object]", content) if isinstance(content, list) else ()
