"""What a line of `codex exec --json` says."""

import re
from collections.abc import Iterator

from coop.agents.codex.errors import failure
from coop.agents.records import Record
from coop.model.readings import Learned, Reading, Readings, Says
from coop.model.state import Idle, Working

_RETRY = re.compile(r"^Reconnecting\.\.\. (\d+)/(\d+)")


def read_stdout(record: Record) -> Readings:
    return tuple(_read(record))


def _read(record: Record) -> Iterator[Reading]:
    match record:
        case {"type": "thread.started", "thread_id": str(thread)}:
            yield Learned(session_id=thread)
        case {"type": "turn.started"}:
            yield Says(Working())
        case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
            yield Learned(last_message=text)
            yield Says(Working())
        case {"type": "item.started" | "item.updated", "item": {"type": str()}}:
            yield Says(Working())
        case {"type": "turn.completed"}:
            yield Says(Idle())
        case {"type": "turn.failed", "error": {"message": str(message)}}:
            yield Says(failure(message))
        case {"type": "error", "message": str(message)} if attempt := _RETRY.match(message):
            yield Says(Working(f"retrying {attempt[1]}/{attempt[2]}"))
        case _:
            return
