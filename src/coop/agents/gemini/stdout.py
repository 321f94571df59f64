"""What a line of `gemini -p … --output-format stream-json` says."""

from collections.abc import Iterator

from coop.agents.gemini.failures import failure
from coop.agents.records import Record, text_of
from coop.model.readings import Learned, Reading, Readings, Says
from coop.model.state import Idle, Working


class StdoutReader:
    """Reads line after line. What the model says comes in pieces, which are a message once something else comes after them."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def read(self, record: Record) -> Readings:
        match record:
            case {"type": "message", "role": "assistant", "content": str(piece), "delta": True}:
                self._pieces.append(piece)
                return (Says(Working()),)
            case _:
                return tuple(self._read(record))

    def _read(self, record: Record) -> Iterator[Reading]:
        said = tuple(_read(record))
        if said and self._pieces:
            yield Learned(last_message="".join(self._pieces))
            self._pieces.clear()
        yield from said


def _read(record: Record) -> Iterator[Reading]:
    match record:
        case {"type": "init", "session_id": str(session)}:
            yield Learned(session_id=session, model=text_of(record, "model"))
            yield Says(Working())
        case {"type": "message", "role": "assistant", "content": str(text)}:
            yield Learned(last_message=text)
            yield Says(Working())
        case {"type": "message" | "tool_use" | "tool_result"}:
            yield Says(Working())
        case {"type": "result", "status": "error"}:
            yield Says(failure(_error(record)))
        case {"type": "result"}:
            yield Says(Idle())
        case _:
            return


def _error(record: Record) -> str:
    match record:
        case {"error": {"message": str(message)}}:
            return message
        case _:
            return ""
