"""A Gemini CLI that runs already: found by its name, and its chat log by its session's id or by when it began.

It does not keep the log open, and nothing in it names the process. But it begins one while it starts: the first of its workspace
from then is its own, unless it may as well be another's. One that nobody has told anything loses its log when another Gemini starts
in the same workspace.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePath

from coop.agents.commands import split
from coop.agents.gemini.prepare import NAMES, config_home, is_session, named_id
from coop.agents.gemini.resume import first_of, header_of, id_of, logs_under, slugs
from coop.agents.records import text_of
from coop.model.attach import Found, Process
from coop.model.launch import Disk, Launch, Prepared
from coop.model.screen import Size

STARTS_WITHIN = 15.0
"""How long after its process its log begins: some two seconds, and several on a slow machine."""
_TERMINALS = frozenset({"tmux", "screen", "SCREEN", "coop", "--agent"})
"""Their command lines may name what runs in them."""
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
    if slug is None:
        return None
    here = [log for log in logs if PurePath(log).parent.parent.name == slug]
    begun = {log: began for log in here[:_MOST] if (began := _began(log, disk)) is not None}
    first = _first_since(process, begun)
    others = [_first_since(each, begun) for each in process.beside if _is_another(each)]
    if first is None or first in others or (session := id_of(first, disk)) is None:
        return None
    return first_of(session, here)  # a resumed session makes a new one, and goes on in the old


def _is_another(process: Process) -> bool:
    """A Gemini of its own, and not what one was started in."""
    starters = {PurePath(word).name for word in split(process.argv, NAMES)[0][:-1]}
    return is_session(process.argv) and starters.isdisjoint(_TERMINALS)


def _first_since(process: Process, begun: Mapping[str, float]) -> str | None:
    """The one that it could have begun when it started."""
    if process.began is None:
        return None
    fits = ((at, log) for log, at in begun.items() if 0.0 <= at - process.began <= STARTS_WITHIN)
    return min(fits, default=(0.0, None))[1]


def _began(log: str, disk: Disk) -> float | None:
    try:
        return datetime.fromisoformat(text_of(header_of(log, disk), "startTime") or "").timestamp()
    except ValueError:
        return None
