"""What Claude Code's session status file says, `~/.claude/sessions/<pid>.json`: the best single source, and undocumented."""

from collections.abc import Mapping

from coop.agents.records import text_of
from coop.model.readings import Claim, Learned, Reading, Readings, Says, Waits
from coop.model.state import Idle, Working


def read_status(record: Mapping[str, object]) -> Readings:
    """The first write has no status yet; `shell` says that only commands in the background run."""
    learned = Learned(
        session_id=text_of(record, "sessionId"),
        cwd=text_of(record, "cwd"),
        version=text_of(record, "version"),
    )
    claim = _claim(record)
    said: tuple[Reading, ...] = (Says(claim, stamp=_stamp(record)),) if claim is not None else ()
    return (learned, *said)


def _claim(record: Mapping[str, object]) -> Claim | None:
    match record.get("status"):
        case "idle":
            return Idle()
        case "busy":
            return Working()
        case "shell":
            return Working("background")
        case "waiting":
            return Waits(text_of(record, "waitingFor") or "")
        case _:
            return None


def _stamp(record: Mapping[str, object]) -> float | None:
    updated = record.get("statusUpdatedAt")
    return updated / 1000 if isinstance(updated, int | float) and 0 <= updated < 1e15 else None
