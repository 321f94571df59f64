"""What the transports say about a session. Every surface is served from here, so that no two can disagree."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

from coop import __version__
from coop.errors import CannotRecord, CoopError, NotFound, NotReady, SelfAnswer
from coop.model.commands import Command, ConfigureStop, Keys, Lease, Nudge, Outcome, Refused, Respond, Signal, Type, TypeRaw
from coop.model.ids import ConnectionId, ReceiptId
from coop.model.state import Tier
from coop.server.peers import Peer, belongs_to
from coop.session.core import SessionCore
from coop.session.recording import Recording
from coop.session.runner import Session
from coop.session.telling import KEPT
from coop.wire import http as wire
from coop.wire.errors import as_error
from coop.wire.states import claim_words, detail_of, error_kind_of, exit_of, prompt_of, prompts_of, resets_at_of, state_name

SILENT_HOOKS = "silent: the agent has had a turn and no hook of it has come; its dialogs are answered with keys"
MOST_OUTPUT = 8 * 1024 * 1024
"""At most so much is read at once; `next_offset` says where to go on."""


@dataclass(frozen=True, slots=True)
class Served:
    """A session and how it is served."""

    session: Session
    name: str
    socket: str = ""
    """Where it is found on this machine."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    token: str | None = None
    keep_alive: bool = False
    allow_self: bool = False
    allowed_hosts: frozenset[str] = frozenset()
    recording: Recording | None = None
    """`None` where there is no place for one."""

    @property
    def core(self) -> SessionCore:
        return self.session.core

    def require_started(self) -> None:
        if self.core.pid is None:
            raise NotReady("the child has not started yet; try again in a moment")

    def uptime(self) -> int:
        return int(self.session.now - self.core.started_at)

    def life(self) -> str:
        if self.core.pid is None:
            return "starting"
        return "running" if self.core.ended is None else "exited"

    def health(self) -> wire.Health:
        size = self.core.screen.size
        return wire.Health(
            status=self.life(),
            pid=self.core.pid,
            uptime_secs=self.uptime(),
            agent=self.core.agent.name,
            terminal=wire.Terminal(size.cols, size.rows),
            ws_clients=self.session.connections,
            name=self.name,
            labels=dict(self.labels),
            version=__version__,
        )

    def status(self) -> wire.Status:
        ended, counters = self.core.ended, self.core.counters
        return wire.Status(
            state=self.life(),
            pid=self.core.pid,
            exit_code=ended.code if ended else None,
            screen_seq=self.core.screen.seq,
            bytes_read=counters.bytes_read,
            bytes_written=counters.bytes_written,
            ws_clients=self.session.connections,
            exit_signal=ended.signal if ended else None,
            uptime_secs=self.uptime(),
        )

    def screen(self, *, ansi: bool, cursor: bool, scrollback: int) -> wire.Screen:
        shown = self.core.screen.snapshot()
        return wire.Screen(
            lines=self.core.screen.ansi_lines() if ansi else shown.lines,
            rows=shown.size.rows,
            cols=shown.size.cols,
            cursor=wire.CursorPosition(shown.cursor.row, shown.cursor.col) if cursor else None,
            alt_screen=shown.alt_screen,
            sequence=shown.seq,
            title=shown.title,
            scrollback=self.core.screen.scrollback(scrollback) if scrollback else (),
        )

    def output(self, offset: int, limit: int | None) -> wire.Output:
        chunk = self.core.ring.since(offset, MOST_OUTPUT if limit is None else min(limit, MOST_OUTPUT))
        return wire.Output(base64.b64encode(chunk.data).decode(), chunk.offset, chunk.next_offset, self.core.ring.total)

    def state(self) -> wire.AgentStateReply:
        core, belief, known = self.core, self.core.belief, self.core.insight.known
        return wire.AgentStateReply(
            agent=core.agent.name,
            state=state_name(belief.state),
            since_seq=core.since_seq,
            screen_seq=core.screen.seq,
            detection_tier=belief.tier.value,
            idle_grace_remaining_secs=belief.grace_remaining(self.session.now),
            prompt=prompt_of(belief.state),
            detail=detail_of(belief.state),
            epoch=core.settings.epoch,
            event_seq=core.counters.events,
            prompts=prompts_of(belief.state),
            error_kind=error_kind_of(belief.state),
            resets_at=resets_at_of(belief.state),
            session_id=known.session_id,
            transcript_path=known.transcript_path,
            cwd=known.cwd,
            model=known.model,
            permission_mode=known.permission_mode,
            agent_version=known.version,
            tested=core.insight.is_tested,
            last_message=known.last_message,
            usage=dict(known.tokens()) or None,
            exit_code=exit_of(belief.state).code,
            exit_signal=exit_of(belief.state).signal,
        )

    def explanation(self) -> wire.Explanation:
        """Of the very belief that `state` tells."""
        core, belief, now = self.core, self.core.belief, self.session.now
        pending, attachment = belief.pending, core.settings.attachment
        return wire.Explanation(
            state=state_name(belief.state),
            detection_tier=belief.tier.value,
            for_secs=now - belief.since,
            rule=belief.rule,
            until=belief.unless,
            pending=wire.PendingWord(state_name(pending.state), pending.due - now, pending.rule) if pending else None,
            tiers=tuple(self._word(tier) for tier in core.agent.tiers),
            held_hooks=len(core.insight.hooks),
            hook_records=core.counters.hook_records,
            work_after_the_turn=belief.kept,
            event_seq=core.counters.events,
            attached=wire.AttachedTo(attachment.to, attachment.output) if attachment else None,
        )

    def _word(self, tier: Tier) -> wire.TierWord:
        said, now = self.core.belief.said.get(tier), self.session.now
        decides = self.core.belief.tier is tier
        absent = self.core.settings.absent.get(tier)
        if absent is None and tier is Tier.HOOKS and self.core.insight.hooks_are_silent:
            absent = SILENT_HOOKS
        if said is None:
            return wire.TierWord(tier.value, None, None, None, None, decides, absent)
        words = claim_words(said.state)
        return wire.TierWord(tier.value, words, now - said.at, now - said.began, said.final, decides, None)

    def receipt(self, identity: str) -> wire.ReceiptBody:
        found = self.core.tellings.receipts.get(ReceiptId(identity))
        if found is None:
            raise NotFound(f"no receipt {identity!r}; the last {KEPT} are kept")
        return wire.receipt_body(found)

    def stop_status(self) -> wire.StopStatus:
        gate = self.core.gate
        said = wire.SignalBody(gate.signal.kind, gate.signal.message) if gate.signal else None
        return wire.StopStatus(gate.config.mode.value, gate.config.reason, gate.config.most_blocks, gate.blocks, said)

    def recorded(self) -> wire.RecordingReply:
        if self.recording is None:
            return wire.RecordingReply(on=False)
        told = self.recording.status()
        path = str(told.path) if told.path else None
        return wire.RecordingReply(told.is_on, path, told.written, told.begins, told.ended)

    def record(self, peer: Peer, *, on: bool) -> wire.RecordingReply:
        """Raises `CannotRecord` and `Exited`."""
        self._refuse_self(peer, "say whether it is recorded")
        if self.recording is None:
            raise CannotRecord("this session has no place for recordings")
        if on:
            self.recording.start()
        else:
            self.recording.stop()
        return self.recorded()

    async def ask(self, command: Command, peer: Peer, connection: ConnectionId | None = None) -> Outcome:
        """What became of the command. Raises what the error table has for a refusal."""
        if isinstance(command, Type | TypeRaw | Keys | Nudge | Respond | Lease | ConfigureStop):
            self._refuse_self(peer, "type into it")
        if isinstance(command, Signal):  # the terminal would have made one of a key
            self._refuse_self(peer, "signal it")
        outcome = await self.session.ask(command, connection)
        if isinstance(outcome, Refused):
            raise as_error(outcome)
        return outcome

    def shut_down(self, grace: float, peer: Peer) -> wire.Ending:
        """Begins the end of the session. An agent may leave, but not take its terminal away from whoever looks at it."""
        self._refuse_self(peer, "end it")
        self.session.end(grace)
        return wire.Ending(self.session.grace)

    def _refuse_self(self, peer: Peer, what: str) -> None:
        """A guard against accidents and prompt injection, not against a hostile process of the same user."""
        if not self.allow_self and self.core.pid is not None and belongs_to(peer, self.core.pid, self.socket):
            raise SelfAnswer(f"a process of this session may not {what}; start coop with --allow-self to permit it")


def unexpected(outcome: Outcome) -> CoopError:
    """An outcome that does not belong to the command: a bug of ours."""
    return CoopError(f"unexpected outcome {outcome!r}")
