"""A Claude Code that runs already: found by its status file, which leads to its session log."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from coop.agents.claude.prepare import NAMES, config_home, log_of
from coop.agents.commands import split
from coop.agents.records import text_of
from coop.model.attach import Found, Process
from coop.model.launch import Disk, Launch, Prepared
from coop.model.screen import Size


def attach(processes: Sequence[Process], size: Size, disk: Disk) -> Found | None:
    """Of several, the first; `None` when there is none. One at its first dialogs has no status file yet."""
    with_file = (each for each in processes if disk.is_file(_status_file(each)))
    by_name = (each for each in processes if split(each.argv[:2], NAMES)[0])
    found = next(with_file, None) or next(by_name, None)
    return _found(found, size, disk) if found is not None else None


def _found(process: Process, size: Size, disk: Disk) -> Found:
    home, said = config_home(process.env), _status(process, disk)
    return Found(
        process.pid,
        Prepared(
            Launch(process.argv, process.env, size, process.cwd),
            log=log_of(said, home, disk),
            log_from_end=True,
            status_files=str(home / "sessions"),
            log_root=str(home / "projects"),
            session_id=text_of(said, "sessionId"),
            log_of_status=lambda record: log_of(record, home, disk),
        ),
    )


def _status(process: Process, disk: Disk) -> Mapping[str, object]:
    try:
        record: object = json.loads(disk.read(_status_file(process)))
    except (OSError, ValueError):
        return {}
    return cast("Mapping[str, object]", record) if isinstance(record, dict) else {}


def _status_file(process: Process) -> str:
    return str(config_home(process.env) / "sessions" / f"{process.pid}.json")
