"""The files of a session: its log and its status."""

import os
import time
from collections.abc import Callable

from coop_sim.claude.flags import Options
from coop_sim.claude.home import Home
from coop_sim.claude.log import SessionLog, last_uuid, read_lines
from coop_sim.claude.status_file import StatusFile
from coop_sim.shapes import Table


def now() -> int:
    return time.time_ns() // 1_000_000


def new_log(options: Options, session_id: str, on_line: Callable[[Table], None] = lambda _: None) -> SessionLog:
    entrypoint = "sdk-cli" if options.prints else "cli"
    common: Table = {
        "userType": "external",
        "entrypoint": entrypoint,
        "cwd": str(options.cwd),
        "version": options.version.number,
        "gitBranch": "HEAD",
    }
    path = Home(options).project_dir() / f"{session_id}.jsonl"
    lines = read_lines(path)
    return SessionLog(path, common, on_line, leaf=last_uuid(lines), count=len(lines))


def new_status_file(options: Options) -> StatusFile:
    base: Table = {
        "pid": os.getpid(),
        "cwd": str(options.cwd),
        "version": options.version.number,
        "kind": "interactive",
        "entrypoint": "cli",
    }
    return StatusFile(options.config_dir / "sessions" / f"{os.getpid()}.json", base)
