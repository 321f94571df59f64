"""Finding the session that is meant: by its log's path, its id, a workspace's path, or a part of one."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from coop.errors import ConfigError
from coop.model.launch import Disk, Launch

_LOG = re.compile(r"rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl")
_MOST = 500
"""So many logs, the newest, are asked where they worked."""


@dataclass(frozen=True, slots=True)
class Found:
    session_id: str
    log: str


def resumed(hint: str, launch: Launch, home: PurePath, disk: Disk) -> Found:
    """The newest that fits. Raises `ConfigError` when none does."""
    logs = [found for log in disk.newest(str(home / "sessions"), "*/*/*/rollout-*.jsonl") if (found := _found(log))]
    path = str(PurePath(launch.cwd, _expanded(hint, launch)))
    fits = (
        _by_path(path, disk) or [log for log in logs if log.session_id == hint.lower()] or _by_workspace(path, hint, logs, disk)
    )
    if not fits:
        raise ConfigError(
            f"--resume {hint!r}: no session fits; expected a log's path, a session's id, a workspace's path or a part of one "
            f"({len(logs)} sessions under {home / 'sessions'})"
        )
    return fits[0]


def _found(log: str) -> Found | None:
    session = id_of(log)
    return Found(session, log) if session is not None else None


def id_of(log: str) -> str | None:
    """The session's, which is in the log's name; `None` when it is no log."""
    named = _LOG.fullmatch(PurePath(log).name)
    return named[1] if named else None


def _expanded(hint: str, launch: Launch) -> str:
    return launch.env.get("HOME", "~") + hint[1:] if hint.startswith("~/") else hint


def _by_path(path: str, disk: Disk) -> Sequence[Found]:
    found = _found(path)
    return [found] if found is not None and disk.is_file(path) else []


def _by_workspace(path: str, hint: str, logs: Sequence[Found], disk: Disk) -> Sequence[Found]:
    places = [(log, _workspace(log, disk)) for log in logs[:_MOST]]
    there = [log for log, place in places if disk.is_folder(path) and place and disk.real(place) == disk.real(path)]
    part = hint.lower()
    return there or [log for log, place in places if part in place.lower() or part in log.session_id]


def _workspace(log: Found, disk: Disk) -> str:
    """Where it worked, as its first line says; empty when that cannot be read."""
    try:
        first: object = json.loads(disk.first_line(log.log))
    except (OSError, ValueError):
        return ""
    match first:
        case {"type": "session_meta", "payload": {"cwd": str(cwd)}}:
            return cwd
        case _:
            return ""
