"""A Codex that runs already: found by its name, and its log by what it has open.

A daemon of its own may have the logs open instead, of this terminal's session and of others: then none of them is followed.
"""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from coop.agents.codex.prepare import OWN_LOG, codex_home, words_of
from coop.agents.codex.resume import id_of
from coop.model.attach import Found, Process
from coop.model.launch import Disk, Launch, Prepared
from coop.model.screen import Size

DAEMON = "app-server"


def attach(processes: Sequence[Process], size: Size, disk: Disk) -> Found | None:
    """Of several, the first that has a log; `None` when there is none. Before its first message no Codex has one."""
    sessions = [each for each in processes if words_of(each.argv).is_session]
    if not sessions:
        return None
    found = next((each for each in sessions if _log(each, disk) is not None), sessions[0])
    has_daemon = any(words_of(each.argv).subcommand == DAEMON for each in processes)
    return _found(found, size, disk, has_daemon=has_daemon)


def _found(process: Process, size: Size, disk: Disk, *, has_daemon: bool) -> Found:
    log = _log(process, disk)
    return Found(
        process.pid,
        Prepared(
            Launch(process.argv, process.env, size, process.cwd),
            log=log,
            log_from_end=True,
            is_running=True,
            log_root=str(_logs(process)),
            open_log=None if has_daemon else OWN_LOG,
            session_id=id_of(log) if log is not None else None,
        ),
    )


def _log(process: Process, disk: Disk) -> str | None:
    """The one last written of those it has open: after `/new` it may have two."""
    opened = set(_opened(process, disk))
    if not opened:
        return None
    logs = disk.newest(str(_logs(process)), "*/*/*/rollout-*.jsonl")
    return next((log for log in logs if disk.real(log) in opened), None)


def _opened(process: Process, disk: Disk) -> Iterator[str]:
    root = disk.real(str(_logs(process)))
    for path in process.opened:
        if PurePath(path).is_relative_to(root) and id_of(path) is not None and _is_own(path, disk):
            yield path


def _is_own(log: str, disk: Disk) -> bool:
    try:
        return OWN_LOG in disk.first_line(log)
    except (OSError, ValueError):
        return False


def _logs(process: Process) -> PurePath:
    return codex_home(process.env, process.cwd) / "sessions"
