"""A Gemini CLI that runs already: found by its name, and its chat log by its session's id or by when it began.

It does not keep the log open, and nothing in it names the process. But it makes one while it starts: of those of the workspace
that began after the process did, the first is its own. Another Gemini there has begun one later, or before.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from coop.agents.commands import split
from coop.agents.gemini.prepare import NAMES, config_home, is_session, named_id
from coop.agents.gemini.resume import first_of, header_of, id_of, logs_under, slugs
from coop.agents.records import text_of
from coop.model.attach import Found, Process
from coop.model.launch import Disk, Launch, Prepared
from coop.model.screen import Size

_MOST = 200
"""So many logs, the newest, are asked when they began."""


def attach(processes: Sequence[Process], size: Size, disk: Disk) -> Found | None:
    """Of several, the first: it starts itself once more as a child of its own. `None` when there is none."""
    found = next((each for each in processes if is_session(each.argv)), None)
    return _found(found, size, disk) if found is not None else None


def _found(process: Process, size: Size, disk: Disk) -> Found:
    home, named = config_home(process.env), named_id(split(process.argv, NAMES)[1])
    logs = logs_under(home, disk)
    log = first_of(named, logs) if named else _begun_by(process, logs, home, disk)
    return Found(
        process.pid,
        Prepared(
            Launch(process.argv, process.env, size, process.cwd),
            log=log,
            log_pattern=str(home / "tmp" / "*" / "chats" / f"session-*-{named[:8]}.jsonl") if named else None,
            log_from_end=True,
            is_running=True,
            log_root=str(home / "tmp"),
            session_id=named or (id_of(log, disk) if log is not None else None),
        ),
    )


def _begun_by(process: Process, logs: Sequence[str], home: PurePath, disk: Disk) -> str | None:
    slug = slugs(home, disk).get(disk.real(process.cwd))
    if slug is None or process.began is None:
        return None
    here = [log for log in logs if PurePath(log).parent.parent.name == slug]
    times = ((_began(log, disk), log) for log in here[:_MOST])
    _, first = min(((began, log) for began, log in times if began is not None and began >= process.began), default=(0.0, None))
    if first is None or (session := id_of(first, disk)) is None:
        return None
    return first_of(session, here)  # a resumed session makes a new one, and goes on in the old


def _began(log: str, disk: Disk) -> float | None:
    try:
        return datetime.fromisoformat(text_of(header_of(log, disk), "startTime") or "").timestamp()
    except ValueError:
        return None
