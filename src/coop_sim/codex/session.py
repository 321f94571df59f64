"""One conversation as the outside sees it: its id, its rollout and its hooks."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from coop_sim.codex.config import Config
from coop_sim.codex.flags import Options
from coop_sim.codex.history import History
from coop_sim.codex.hooks import HookAnswer, Hooks
from coop_sim.codex.ids import new_id
from coop_sim.codex.lines import added, environment, item_completed, message, session_meta, task_started, turn_context, usage_of
from coop_sim.codex.rollout import Rollout, new_rollout
from coop_sim.scenario import Faults
from coop_sim.shapes import Table

_WITHOUT_TURN = ("SessionStart", "SessionEnd")


@dataclass
class Session:
    options: Options
    config: Config
    hooks: Hooks
    rollout: Rollout
    history: History = field(default_factory=History)
    source: str | None = "startup"
    """Why its next turn begins a session; `None` when that was told."""
    mode: str = "default"
    turn: str = ""
    faults: Faults = field(default_factory=Faults)
    misfortunes: Faults = field(default_factory=Faults)
    """Of every turn."""
    on_item: Callable[[Table], None] = lambda _: None
    """Told of everything that is finished."""
    total: Mapping[str, int] = field(default_factory=dict[str, int])
    _began: float = 0.0
    _in_turn: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def id(self) -> str:
        return self.rollout.thread

    @property
    def model(self) -> str:
        return self.config.model

    def renew(self, source: str) -> None:
        """Another thread: a new id, a new file, nothing said yet."""
        self.rollout, self.history, self.source = new_rollout(self.config.home), History(), source

    # The rollout

    def record(self, kind: str, payload: Table, metadata: Table | None = None) -> None:
        self.rollout.write(kind, payload, metadata)
        self.history.take(kind, payload)

    def say(self, role: str, text: str) -> Table:
        """For the model and for the rollout."""
        item = message(role, text)
        self.record("response_item", item)
        return item

    def event(self, payload: Table) -> None:
        self.record("event_msg", payload)

    def finished(self, item: Table) -> None:
        self.event(item_completed(self.id, self.turn, item))
        self.on_item(item)

    def begin_turn(self, faults: Faults) -> None:
        self.turn, self._began, self._in_turn = new_id(), time.monotonic(), {}
        self.faults = self.misfortunes.and_those_of(faults)
        self.rollout.tears = self.faults.torn_log_line
        is_new = self.rollout.is_empty
        if is_new:
            provider = str(self.config.get("model_provider") or "openai")
            self.record("session_meta", session_meta(self.id, self.rollout.began, self.options, provider))
        self.event(task_started(self.turn, self.mode, time.time_ns() / 1e9))

    def introduce(self) -> None:
        """What the model is told before anything else."""
        if not self.history.items:
            self.say("developer", "You are a pretend Codex.")
            self.say("user", environment(self.options.cwd))
            self.record("world_state", {"full": True, "state": {"environments": {"cwd": str(self.options.cwd)}}})
        self.record("turn_context", turn_context(self.turn, self.model, self.options))

    def used(self, response: str, usage: Mapping[str, int]) -> None:
        counts = usage_of(usage)
        self._in_turn, self.total = added(self._in_turn, counts), added(self.total, counts)
        names: Table = {"thread_id": self.id, "turn_id": self.turn, "session_id": self.id, "root_turn_id": self.turn}
        told: Table = {"response_id": response, "usage": counts, "turn_token_usage": self._in_turn}
        self.record("token_usage_record", {**names, **told, "thread_token_usage": self.total})

    def complete(self, last: str | None, error: Table | None = None) -> None:
        told: Table = {"type": "task_complete", "root_turn_id": self.turn, "turn_id": self.turn, "last_agent_message": last}
        told |= {"error": error} if error is not None else {}
        self.event({**told, **self._times()})

    def abort(self) -> None:
        names: Table = {"type": "turn_aborted", "root_turn_id": self.turn, "turn_id": self.turn, "reason": "interrupted"}
        self.event({**names, **self._times()})

    def _times(self) -> Table:
        now, took = time.time_ns() // 1_000_000_000, self.seconds
        return {"started_at": int(now - took), "completed_at": now, "duration_ms": int(took * 1000)}

    @property
    def seconds(self) -> float:
        """Since the turn began."""
        return time.monotonic() - self._began

    # Hooks

    async def fire(self, event: str, fields: Table, *, subject: str = "") -> list[HookAnswer]:
        if self.faults.no_hooks:
            return []
        head: Table = {"session_id": self.id, **({} if event in _WITHOUT_TURN else {"turn_id": self.turn})}
        where: Table = {"transcript_path": str(self.rollout.path), "cwd": str(self.options.cwd), "hook_event_name": event}
        how: Table = {"model": self.model, "permission_mode": self.options.permission_mode}
        payload: Table = {**head, **where, **({} if event == "SessionEnd" else how), **fields}
        return await self.hooks.fire(event, payload, subject=subject)
