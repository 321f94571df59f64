"""Finding the session that is meant: by its log's path, its id, a workspace's path, or a part of one."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from coop.agents.records import Record, table_of, text_of
from coop.errors import ConfigError
from coop.model.launch import Disk, Launch

_LOG = re.compile(r"session-\d{4}-\d\d-\d\dT\d\d-\d\d-([0-9a-f]{8})\.jsonl")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Found:
    session_id: str
    log: str


def resumed(hint: str, launch: Launch, home: PurePath, disk: Disk) -> Found:
    """The newest that fits. Raises `ConfigError` when none does."""
    logs = logs_under(home, disk)
    path = str(PurePath(launch.cwd, launch.env.get("HOME", "~") + hint[1:] if hint.startswith("~/") else hint))
    fits = _by_path(path, disk) or _by_id(hint, logs) or _by_workspace(path, logs, home, disk) or _by_part(hint, logs)
    for log in fits:
        if (session := id_of(log, disk)) is not None:
            return Found(session, log)
    raise ConfigError(
        f"--resume {hint!r}: no session fits; expected a log's path, a session's id, a workspace's path or a part of one "
        f"({len(logs)} sessions under {home / 'tmp'})"
    )


def logs_under(home: PurePath, disk: Disk) -> Sequence[str]:
    """Of all workspaces, the one last written first."""
    return [log for log in disk.newest(str(home / "tmp"), "*/chats/session-*.jsonl") if _LOG.fullmatch(PurePath(log).name)]


def first_of(session_id: str, logs: Sequence[str]) -> str | None:
    """A resumed session leaves a file of its name that is never written to: the oldest is the one."""
    return min((log for log in logs if log.endswith(f"-{session_id[:8].lower()}.jsonl")), default=None)


def _by_path(path: str, disk: Disk) -> Sequence[str]:
    return [path] if _LOG.fullmatch(PurePath(path).name) and disk.is_file(path) else []


def _by_id(hint: str, logs: Sequence[str]) -> Sequence[str]:
    found = first_of(hint, logs) if is_id(hint) else None
    return [found] if found is not None else []


def is_id(text: str) -> bool:
    return _ID.fullmatch(text.lower()) is not None


def _by_workspace(path: str, logs: Sequence[str], home: PurePath, disk: Disk) -> Sequence[str]:
    if not disk.is_folder(path):
        return []
    slug = slugs(home, disk).get(disk.real(path))
    return _without_decoys([log for log in logs if PurePath(log).parent.parent.name == slug])


def slugs(home: PurePath, disk: Disk) -> dict[str, str]:
    """How Gemini names the folders of workspaces."""
    try:
        known = json.loads(disk.read(str(home / "projects.json")))["projects"]
        return {str(path): str(slug) for path, slug in known.items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}


def _by_part(hint: str, logs: Sequence[str]) -> Sequence[str]:
    part = hint.lower()
    return _without_decoys([log for log in logs if part in f"{PurePath(log).parent.parent.name}/{PurePath(log).name}".lower()])


def _without_decoys(logs: Sequence[str]) -> Sequence[str]:
    """Of several files of one session, the first; the newest session first."""
    first: dict[str, str] = {}
    for log in logs:
        suffix = log[-len("12345678.jsonl") :]
        first[suffix] = min(log, first.get(suffix, log))
    return list(first.values())


def id_of(log: str, disk: Disk) -> str | None:
    session = text_of(header_of(log, disk), "sessionId")
    return session if session is not None and _ID.fullmatch(session) else None


def header_of(log: str, disk: Disk) -> Record:
    """Its first line; empty when that cannot be read."""
    try:
        return table_of(json.loads(disk.first_line(log)))
    except (OSError, ValueError):
        return {}
