"""What the lines of Gemini CLI's chat log say. A message is written more than once, and what is pending is not in it."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from coop.agents.gemini.failures import failure
from coop.agents.gemini.hooks import asked_by
from coop.agents.gemini.mentions import without_files
from coop.agents.records import Record, items_of, stamp_of, table_of, text_of
from coop.model.readings import Decided, Heard, Learned, Reading, Readings, Says, Settled, Unheard, Used
from coop.model.state import Idle, Working

CANCELLED = "Request cancelled."
_ENDS = (CANCELLED, "A potential loop was detected")
_BLOCKED = "Agent execution blocked"
_CONTEXT = "<session_context>"
_OWN = re.compile(r"User has manually exited Plan Mode\. Switching to .* mode \(.*\)\.")
"""What Gemini says as the user when another mode is chosen by key; no turn begins with it."""
_TOKENS = {"input": "input_tokens", "output": "output_tokens", "cached": "cached_tokens", "thoughts": "thought_tokens"}


class LogReader:
    """Reads line after line. After a cancelled turn the whole history is written again, which is passed over.

    It begins with the context the agent gives itself, and ends with a `$set` of all messages.
    """

    def __init__(self) -> None:
        self._is_history = False

    def read(self, record: Record) -> Readings:
        patch = record.get("$set")
        if isinstance(patch, Mapping) and "messages" in patch:
            self._is_history = False
            return ()
        if record.get("type") == "user" and "".join(_texts(record)).startswith(_CONTEXT):
            self._is_history = True
        return () if self._is_history else tuple(_read(record))


def _read(record: Record) -> Iterator[Reading]:
    stamp = stamp_of(record)
    match record:
        case {"sessionId": str(session), "kind": "main"}:
            yield Learned(session_id=session)
        case {"type": "user"} if texts := _texts(record):  # else a tool's result
            if len(texts) == 1 and _OWN.fullmatch(texts[0]):
                return
            yield Says(Working(), stamp=stamp)
            yield Heard(without_files("\n".join(texts)), stamp=stamp)
        case {"type": "gemini", "id": str(message)}:
            yield from _message(record, message, stamp)
        case {"type": "error", "content": str(words)}:
            yield Says(failure(words), stamp=stamp)
        case {"type": "info", "content": str(words)} if words.startswith(_ENDS):
            yield Says(Idle(), stamp=stamp)
        case {"type": "warning", "content": str(words)} if words.startswith(_BLOCKED):
            yield Says(Idle(), final=False, stamp=stamp)  # a hook that keeps it from stopping is told in the same words
            yield Unheard(stamp)
        case _:
            return


def _message(record: Record, message: str, stamp: float | None) -> Iterator[Reading]:
    """One with words ends the turn, unless a tool comes after it: the title says which."""
    words = record.get("content")
    text = words if isinstance(words, str) and words else None
    yield Learned(model=text_of(record, "model"), last_message=text)
    if isinstance(tokens := record.get("tokens"), Mapping):
        yield Used(message, _counted(cast("Record", tokens)))
    calls = items_of(record.get("toolCalls"))
    decided = [each for call in calls for each in _decided(call)]
    yield from (each for call in calls for each in _settled(call))
    yield from decided
    if not all(each.accepted for each in decided):
        return  # the turn is over, and this comes after the word of that
    if decided:
        yield Says(Working())  # stamped when it was asked for, and written when it was done
    else:
        yield Says(Idle(), final=False, stamp=stamp) if text else Says(Working(), stamp=stamp)


def _decided(call: object) -> Iterator[Decided]:
    match call:
        case {"name": str(tool), "status": str(status)}:
            yield Decided(tool, accepted=status != "cancelled")
        case _:
            return


def _settled(call: object) -> Iterator[Settled]:
    match call:
        case {"name": str(tool), "status": str()} if prompt := asked_by(tool, table_of(cast("Record", call).get("args"))):
            yield Settled(prompt)
        case _:
            return


def _counted(tokens: Record) -> dict[str, int]:
    return {name: count for key, name in _TOKENS.items() if isinstance(count := tokens.get(key), int)}


def _texts(record: Record) -> list[str]:
    return [text for part in items_of(record.get("content")) for text in _text_of(part)]


def _text_of(part: object) -> Iterator[str]:
    match part:
        case {"text": str(text)}:
            yield text
        case _:
            return
