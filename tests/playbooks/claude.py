"""What Claude Code says and shows in a conversation."""

import json
from collections.abc import Callable

from coop.agents.claude import claude
from coop.model.commands import Reason, Refused
from coop.model.events import Fact, StateChanged
from coop.model.ids import HookId, RequestId
from coop.model.records import HookAsked, HookRecord, LogLine, Output, StatusText, Written
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import AgentState, Idle
from coop.session.core import SETTLE
from coop.session.effects import Effect, Publish, Reply, ReplyHook, Write
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.claude.screens import RULE, composer, drawn

ONE, TWO, THREE = RequestId(1), RequestId(2), RequestId(3)
ALLOW = b'{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}'
WALL = 1_800_000_000.0
SPINNER = "✻ Pondering… (3s · esc to interrupt)"


def shows(screen: ScreenSnapshot) -> Output:
    lines = [line.rstrip(" ") for line in screen.lines]
    return Output(b"\x1b[2J\x1b[H" + "\r\n".join(lines).rstrip("\r\n").encode())


WORKS = shows(composer("", SPINNER))
RESTS = shows(composer())


def bash(command: str) -> ScreenSnapshot:
    body = (" Bash command", f"   {command}", " Do you want to proceed?")
    return drawn(RULE, *body, " ❯ 1. Yes", "   2. Yes, and always allow it", "   3. No", " Esc to cancel")


def asks(hook: int, command: str) -> HookAsked:
    return told("PermissionRequest", hook, tool_name="Bash", tool_input={"command": command})


def told(event: str, hook: int, **record: object) -> HookAsked:
    return HookAsked(HookId(hook), event, json.dumps(record).encode())


def logged(**record: object) -> LogLine:
    return LogLine(json.dumps(record).encode(), WALL)


def status(word: str) -> StatusText:
    return StatusText(json.dumps({"status": word}).encode(), WALL)


def idle_claude(make_play: MakePlay, **settings: object) -> Playbook:
    """It has started, and waits for input."""
    play = make_play(agent=claude(), size=Size(120, 40), **settings)
    play = play >> HookRecord(b'{"event":"SessionStart","data":{"source":"startup"}}') >> RESTS
    play = play.after(2.5)  # it has no status file here, which is waited for
    assert play.core.belief.state == Idle()
    play.effects.clear()
    return play


def writes(data: bytes) -> Callable[[Effect], bool]:
    return lambda effect: effect == Write(data)


def typed(play: Playbook, data: bytes) -> Playbook:
    """These bytes are typed next, and taken."""
    return play << Write(data) >> Written(len(data))


def pasted(text: str) -> bytes:
    return b"\x1b[200~" + text.encode() + b"\x1b[201~"


def becomes(state: AgentState) -> Callable[[Effect], bool]:
    return published(lambda fact: isinstance(fact, StateChanged) and fact.current == state)


def published(claim: Callable[[Fact], bool]) -> Callable[[Effect], bool]:
    return lambda effect: isinstance(effect, Publish) and claim(effect.event.fact)


def replied(hook: int, body: bytes = b"") -> Callable[[Effect], bool]:
    return lambda effect: effect == ReplyHook(HookId(hook), body)


def refused(request: RequestId, reason: Reason) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        return (
            isinstance(effect, Reply)
            and effect.id == request
            and isinstance(effect.outcome, Refused)
            and effect.outcome.reason is reason
        )

    return claim


def facts(play: Playbook) -> list[Fact]:
    """What was published, and is taken from what is to be done."""
    return [effect.event.fact for effect in play.effects if isinstance(effect, Publish)]


__all__ = ["SETTLE"]
