"""Finding the session that is meant: by its log's path, its id, a workspace's path, or a part of one."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from coop.errors import ConfigError
from coop.model.launch import Launch

_ID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_SLUG = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Found:
    session_id: str
    log: Path


def resumed(hint: str, launch: Launch, home: Path) -> Found:
    """The newest that fits. Raises `ConfigError` when none does."""
    logs = sorted(home.glob("projects/*/*.jsonl"), key=_modified, reverse=True)
    logs = [log for log in logs if _ID.fullmatch(log.stem)]
    fits = (
        _by_path(hint, launch.cwd) or [log for log in logs if log.stem == hint.lower()] or _by_workspace(hint, launch.cwd, logs)
    )
    fits = fits or [log for log in logs if _SLUG.sub("-", hint).lower() in f"{log.parent.name}/{log.stem}".lower()]
    if not fits:
        raise ConfigError(
            f"--resume {hint!r}: no session fits; expected a log's path, a session's id, a workspace's path or a part of one "
            f"({len(logs)} sessions under {home / 'projects'})"
        )
    return Found(fits[0].stem, fits[0])


def _by_path(hint: str, cwd: str) -> list[Path]:
    path = Path(cwd, os.path.expanduser(hint))
    return [path] if path.suffix == ".jsonl" and path.is_file() and _ID.fullmatch(path.stem) else []


def _by_workspace(hint: str, cwd: str, logs: list[Path]) -> list[Path]:
    path = Path(cwd, os.path.expanduser(hint))
    name = _SLUG.sub("-", os.path.realpath(path))
    return [log for log in logs if path.is_dir() and log.parent.name == name[: len(log.parent.name)]]


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
