"""One conversation as the outside sees it: its id, mode, log, status file and hooks."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from coop_sim.claude.flags import Options
from coop_sim.claude.home import Home
from coop_sim.claude.hooks import HookAnswer, Hooks
from coop_sim.claude.log import SessionLog, last_uuid, read_lines, timestamp
from coop_sim.claude.log_lines import snapshot_line
from coop_sim.claude.permissions import Rules
from coop_sim.claude.plans import plan_path
from coop_sim.claude.scenario import Faults, Scenario
from coop_sim.claude.shapes import Table
from coop_sim.claude.states import Idle, State
from coop_sim.claude.status_file import StatusFile
from coop_sim.claude.versions import Version

_WITHOUT_MODE = ("SessionStart", "SessionEnd", "StopFailure", "PreCompact", "PostCompact")
_WITH_EFFORT = ("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure")


@dataclass
class Session:
    options: Options
    scenario: Scenario
    hooks: Hooks
    log: SessionLog
    status: StatusFile
    mode: str
    faults: Faults
    state: State = field(default_factory=Idle)
    on_state: Callable[[State], None] = lambda _: None
    prompt_id: str | None = None
    last_prompt: str | None = None
    remembered: frozenset[str] = frozenset()
    plan_file: Path = Path("/nonexistent")

    @property
    def version(self) -> Version:
        return self.options.version

    @property
    def cwd(self) -> Path:
        return self.options.cwd

    @property
    def id(self) -> str:
        return self.log.session_id

    def rules(self) -> Rules:
        checked = self.scenario.is_checked_in_auto
        can_check = "ANTHROPIC_BASE_URL" not in self.options.env if checked is None else checked
        return Rules(self.mode, can_check or not self.version.offers_auto, self.remembered)

    def open(self) -> None:
        """The status file is there from now on, without a status yet."""
        self.status.begin(self.id, _now())

    def close(self) -> None:
        if self.last_prompt is not None:
            self.log.note({"type": "last-prompt", "lastPrompt": self.last_prompt, "leafUuid": self.log.leaf})
        self.log.flush()
        self.status.remove()

    def become(self, state: State) -> None:
        self.state = state
        self.status.tell(state, self.id, _now())
        self.on_state(state)

    def begin_prompt(self, prompt: str, faults: Faults) -> None:
        self.prompt_id, self.last_prompt = str(uuid4()), prompt
        self.faults = self.scenario.faults.and_those_of(faults)
        self.status.is_absent = self.faults.no_status_file
        self.log.tears = self.faults.torn_log_line
        self.plan_file = plan_path(self.options.config_dir, prompt)
        if not self.log.count:
            self.log.note({"type": "mode", "mode": "normal"})
            self.log.note({"type": "permission-mode", "permissionMode": self.mode})
        self.log.note(snapshot_line(timestamp()))

    def restart(self, session_id: str | None = None) -> None:
        """A new id and file, as /clear and a fork make."""
        self.log.flush()
        self.log = new_log(self.options, session_id or str(uuid4()), self.log.on_line)

    async def fire(self, event: str, fields: Table, *, subject: str = "", session_id: str | None = None) -> list[HookAnswer]:
        """`session_id` is for the one event that carries the id of the session before."""
        if self.faults.no_hooks:
            return []
        own = session_id or self.id
        payload: Table = {
            "session_id": own,
            "transcript_path": str(self.log.path.with_name(f"{own}.jsonl")),
            "cwd": str(self.cwd),
            **({"prompt_id": self.prompt_id} if self.prompt_id else {}),
            **({} if event in _WITHOUT_MODE else {"permission_mode": self.mode}),
            **({"effort": {"level": "high"}} if event in _WITH_EFFORT else {}),
            "hook_event_name": event,
            **fields,
        }
        return await self.hooks.fire(event, payload, subject=subject)


def _now() -> int:
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
