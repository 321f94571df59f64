"""What Codex says and shows in a conversation."""

import json

from coop.agents.codex import codex
from coop.model.records import LogLine, Output
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import Idle
from coop.testing import Playbook
from tests.playbooks.claude import WALL
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.codex.screens import composer


def shows(screen: ScreenSnapshot) -> Output:
    rows = "\r\n".join(line.rstrip(" ") for line in screen.lines)
    cursor = f"\x1b[{screen.cursor.row + 1};{screen.cursor.col + 1}H\x1b[?25{'h' if screen.cursor.visible else 'l'}"
    return Output(f"\x1b[2J\x1b[H{rows}{cursor}".encode())


def reports(state: str) -> Output:
    return Output(f"\x1b]7501;state={state}:app=codex\x1b\\".encode())


def logged(kind: str, **payload: object) -> LogLine:
    return LogLine(json.dumps({"type": kind, "payload": payload}).encode(), WALL)


STARTED = logged("event_msg", type="task_started")
COMPLETE = logged("event_msg", type="task_complete", last_agent_message="Done.")
ABORTED = logged("event_msg", type="turn_aborted", reason="interrupted")
RESTS = shows(composer())


def idle_codex(make_play: MakePlay, **settings: object) -> Playbook:
    """It has started, and waits for input."""
    play = make_play(**{"agent": codex(), "size": Size(120, 40), **settings}) >> RESTS >> reports("idle")
    play = play.after(1.5)
    assert play.core.belief.state == Idle()
    play.effects.clear()
    return play
