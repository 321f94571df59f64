"""One conversation as the outside sees it: its id, mode, log, status file and hooks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from coop_sim.claude.background import Background
from coop_sim.claude.flags import Options
from coop_sim.claude.hooks import HookAnswer, Hooks
from coop_sim.claude.log import SessionLog, timestamp
from coop_sim.claude.log_lines import snapshot_line
from coop_sim.claude.permissions import Rules
from coop_sim.claude.plans import plan_path
from coop_sim.claude.session_files import new_log, now
from coop_sim.claude.states import Between, Blocked, Idle, Shelled, State, Working
from coop_sim.claude.status_file import StatusFile
from coop_sim.claude.strand import Strand
from coop_sim.claude.versions import Version
from coop_sim.scenario import Faults, Scenario
from coop_sim.shapes import Table
from coop_sim.tasks import Tasks

_WITHOUT_MODE = ("SessionStart", "SessionEnd", "StopFailure", "PreCompact", "PostCompact")
_WITH_EFFORT = "PreToolUse PermissionRequest PostToolUse PostToolUseFailure Stop StopFailure SubagentStop".split()


@dataclass
class Session:
    options: Options
    scenario: Scenario
    hooks: Hooks
    main: Strand
    status: StatusFile
    mode: str
    faults: Faults
    state: State = field(default_factory=Idle)
    on_state: Callable[[State], None] = lambda _: None
    prompt_id: str | None = None
    last_prompt: str | None = None
    remembered: frozenset[str] = frozenset()
    plan_file: Path = Path("/nonexistent")
    asking: list[Blocked] = field(default_factory=list[Blocked])
    """What is being asked: the one that is shown, and those behind it."""
    imported: str = ""
    """Of the files outside that the project imports."""
    tasks: Tasks | None = None
    background: Background | None = None
    has_more: Callable[[], bool] = lambda: False
    """Is the next prompt waiting already?"""

    @property
    def version(self) -> Version:
        return self.options.version

    @property
    def cwd(self) -> Path:
        return self.options.cwd

    @property
    def log(self) -> SessionLog:
        return self.main.log

    @property
    def id(self) -> str:
        return self.log.session_id

    def rules(self) -> Rules:
        checked = self.scenario.is_checked_in_auto
        can_check = "ANTHROPIC_BASE_URL" not in self.options.env if checked is None else checked
        places = (self.cwd, self.options.config_dir / "plans", self.options.config_dir / "tasks")
        return Rules(self.mode, can_check or not self.version.offers_auto, self.remembered, places)

    def open(self) -> None:
        """The status file is there from now on, without a status yet."""
        self.status.begin(self.id, now())

    def close(self) -> None:
        if self.last_prompt is not None:
            self.log.note({"type": "last-prompt", "lastPrompt": self.last_prompt, "leafUuid": self.log.leaf})
        self.log.flush()
        self.status.remove()

    def become(self, state: State) -> None:
        self.state = state
        self.status.tell(state, self.id, now())
        self.on_state(state)

    def wait(self, state: Blocked) -> None:
        """Until `waited`; what is asked at the same time is shown before or after, by the version."""
        self.asking.append(state)
        self.become(self._shown())

    def waited(self, state: Blocked) -> None:
        self.asking.remove(state)
        self.become(self._shown())

    def _shown(self) -> State:
        if not self.asking:
            return Working()
        return self.asking[-1 if self.version.shows_last_dialog else 0]

    def rest(self, state: State) -> None:
        """The turn is over; shells may go on, and a queued prompt lets it rest only for a moment."""
        if self.has_more():
            self.become(Between())
        else:
            self.become(Shelled() if self.background is not None and self.background.running else state)

    def reminder(self) -> str:
        """What the model is told besides the conversation."""
        told = f"You are a pretend Claude Code.{self.imported and f' {self.imported}'}"
        return f"{told} Plan mode is active. The plan belongs in {self.plan_file}" if self.mode == "plan" else told

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
        self.main = Strand(new_log(self.options, session_id or str(uuid4()), self.log.on_line))

    async def fire(
        self, event: str, fields: Table, *, subject: str = "", session_id: str | None = None, besides: Table | None = None
    ) -> list[HookAnswer]:
        """`session_id` is for the one event that carries the id of the session before, `besides` for a subagent's name."""
        if self.faults.no_hooks:
            return []
        own = session_id or self.id
        payload: Table = {
            "session_id": own,
            "transcript_path": str(self.log.path.with_name(f"{own}.jsonl")),
            "cwd": str(self.cwd),
            **({"prompt_id": self.prompt_id} if self.prompt_id else {}),
            **({} if event in _WITHOUT_MODE else {"permission_mode": self.mode}),
            **(besides or {}),
            **({"effort": {"level": "high"}} if event in _WITH_EFFORT else {}),
            "hook_event_name": event,
            **fields,
        }
        return await self.hooks.fire(event, payload, subject=subject)
