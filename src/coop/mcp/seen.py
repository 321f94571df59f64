"""A session in the words of the wire, for tools to tell."""

from collections.abc import Mapping

import msgspec

from coop.model.prompt import Prompt
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Exited, Failed, Idle, Prompted
from coop.model.view import Health, Snapshot
from coop.wire.states import detail_of, error_kind_of, exit_of, prompt_context, resets_at_of, state_name


def session_of(health: Health, snapshot: Snapshot, *, is_own: bool) -> dict[str, object]:
    return _told(
        name=health.name,
        agent=health.agent,
        status=health.status,
        state=state_name(snapshot.state),
        cwd=snapshot.cwd,
        uptime_secs=health.uptime,
        labels=dict(health.labels) or None,
        is_own=is_own or None,
    )


def state_of(name: str, snapshot: Snapshot) -> dict[str, object]:
    state = snapshot.state
    return _told(
        session=name,
        agent=snapshot.agent,
        state=state_name(state),
        detail=detail_of(state),
        error_kind=error_kind_of(state),
        resets_at=resets_at_of(state),
        prompt=_prompt(state.prompt) if isinstance(state, Prompted) else None,
        prompts=[_prompt(each) for each in state.waiting] or None if isinstance(state, Prompted) else None,
        detection_tier=snapshot.tier.value if snapshot.tier else None,
        cwd=snapshot.cwd,
        model=snapshot.model,
        agent_version=snapshot.agent_version,
        last_message=snapshot.last_message,
        exit_code=exit_of(state).code,
        exit_signal=exit_of(state).signal,
    )


def screen_text(screen: ScreenSnapshot, before: tuple[str, ...]) -> str:
    return "\n".join(line.rstrip() for line in (*before, *screen.lines)).rstrip("\n")


REASONS: Mapping[str, type[AgentState]] = {"idle": Idle, "prompt": Prompted, "error": Failed, "exit": Exited}
"""What can be waited for."""


def reason_of(state: AgentState) -> str | None:
    """Which of them it is; `None` for none."""
    return next((name for name, kind in REASONS.items() if isinstance(state, kind)), None)


def _prompt(prompt: Prompt) -> dict[str, object]:
    told: dict[str, object] = msgspec.to_builtins(prompt_context(prompt))
    return told


def _told(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
