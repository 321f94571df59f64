"""Finding the session that is meant: by its log's path, its id, a workspace's path, or a part of one."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath

from coop.errors import ConfigError
from coop.model.launch import Disk, Launch

_ID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_SLUG = re.compile(r"[^A-Za-z0-9]")
_CUT_AT = 200
"""A longer name is cut there, and ends with a hash."""


@dataclass(frozen=True, slots=True)
class Found:
    session_id: str
    log: str


def resumed(hint: str, launch: Launch, home: PurePath, disk: Disk) -> Found:
    """The newest that fits. Raises `ConfigError` when none does."""
    logs = [PurePath(log) for log in disk.newest(str(home / "projects"), "*/*.jsonl")]
    logs = [log for log in logs if _ID.fullmatch(log.stem)]
    path = str(PurePath(launch.cwd, _expanded(hint, launch)))
    fits = _by_path(path, disk) or [log for log in logs if log.stem == hint.lower()] or _by_workspace(path, logs, disk)
    fits = fits or _by_part(hint, logs)
    if not fits:
        raise ConfigError(
            f"--resume {hint!r}: no session fits; expected a log's path, a session's id, a workspace's path or a part of one "
            f"({len(logs)} sessions under {home / 'projects'})"
        )
    return Found(fits[0].stem, str(fits[0]))


def folder_elsewhere(log: str, cwd: str, disk: Disk) -> str | None:
    """The folder that a session was begun in; `None` when that is the one it is resumed in."""
    kept = PurePath(log).parent.name
    here = _SLUG.sub("-", disk.real(cwd))
    if kept == here or (len(here) > _CUT_AT and kept.startswith(here[:_CUT_AT])):
        return None
    return next(_folders(log, disk), kept)


def _folders(log: str, disk: Disk) -> Iterator[str]:
    """Those that its lines name."""
    try:
        lines = disk.read(log).splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        with suppress(ValueError):
            match json.loads(line):
                case {"cwd": str(folder)}:
                    yield folder
                case _:
                    pass


def _expanded(hint: str, launch: Launch) -> str:
    return launch.env.get("HOME", "~") + hint[1:] if hint.startswith("~/") else hint


def _by_path(path: str, disk: Disk) -> Sequence[PurePath]:
    log = PurePath(path)
    return [log] if log.suffix == ".jsonl" and _ID.fullmatch(log.stem) and disk.is_file(path) else []


def _by_workspace(path: str, logs: Sequence[PurePath], disk: Disk) -> Sequence[PurePath]:
    name = _SLUG.sub("-", disk.real(path))
    names = (name, *(log.parent.name for log in logs if len(name) > _CUT_AT and log.parent.name.startswith(name[:_CUT_AT])))
    return [log for log in logs if disk.is_folder(path) and log.parent.name in names]


def _by_part(hint: str, logs: Sequence[PurePath]) -> Sequence[PurePath]:
    part = _SLUG.sub("-", hint).lower()
    return [log for log in logs if part in f"{log.parent.name}/{log.stem}".lower()]
