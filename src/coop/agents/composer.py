"""Typing into an agent's own input: what every agent's way of being nudged has in common."""

from collections.abc import Callable

from coop.agents import Steps, View
from coop.agents.paste import paste
from coop.model.commands import Reason, Refused, Stroke
from coop.model.state import Prompted, Working

LOOK = 0.05
ENTER, ESCAPE = b"\r", b"\x1b"
TAKEN_WITHIN = 1.0
"""When the message still stands in the composer after so long, Enter was lost, and is pressed once more."""
REDRAWN_WITHIN = 2.0
APPEARS_WITHIN = 3.0


def appeared(view: View) -> Steps:
    """The composer is off the screen for a moment when all of it is drawn anew, or a dialog that was answered is still there."""
    until = view.now + REDRAWN_WITHIN
    while view.reading.composer is None and not isinstance(view.state, Prompted) and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def unready(view: View) -> Refused | None:
    """What is asked may not be drawn yet, and take keys all the same."""
    if view.reading.composer is not None and not isinstance(view.state, Prompted):
        return None
    return Refused(Reason.AGENT_BUSY, "the agent's input is not on the screen: a dialog or something else has it", view.state)


def is_busy(view: View) -> bool:
    """In the middle of a turn: what goes on in the background does not end with it."""
    return isinstance(view.state, Working) and view.state.detail != "background"


def interrupted(*, within: float) -> Steps:
    """One Esc, and no more, until the turn has ended."""
    view = yield Stroke(ESCAPE, LOOK, leads=True)
    until = view.now + within
    while is_busy(view) and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def pasted(text: str, view: View, *, digest: float, tab: str = "    ") -> Steps:
    """A long one takes a while to appear, and Enter before that is lost."""
    before = view.draft
    view = yield Stroke(paste(text, tab=tab), digest, leads=True)
    until = view.now + APPEARS_WITHIN
    while view.draft == before and view.reading.composer is not None and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def submitted(key: bytes, is_there: Callable[[View], bool]) -> Steps:
    """Presses it; once more when the message is still there after a while."""
    view = yield Stroke(key, LOOK)
    until = view.now + TAKEN_WITHIN
    while not view.is_done and view.now < until:
        view = yield Stroke(b"", LOOK)
    if not view.is_done and is_there(view) and not isinstance(view.state, Prompted):
        view = yield Stroke(key, LOOK)
    return view


def new_line(view: View) -> Refused:
    return Refused(Reason.UNVERIFIED, "Enter only begins a new line in the agent's input: its key bindings say so", view.state)


def still_busy(view: View) -> Refused:
    return Refused(Reason.AGENT_BUSY, "the agent was told to stop, and has not", view.state)


def begun(view: View) -> Refused:
    return Refused(Reason.DRAFT_PRESENT, f"somebody has begun to type: {view.draft[:80]!r}", view.state)


def in_shell_mode(view: View) -> Refused:
    return Refused(Reason.DRAFT_PRESENT, "the agent's input is in shell mode, and would run the message", view.state)


def mixed(view: View) -> Refused:
    return Refused(Reason.DRAFT_PRESENT, f"something else stands in the agent's input too: {view.draft[:80]!r}", view.state)


def runs_shell(view: View) -> bool:
    return view.reading.composer is not None and view.reading.composer.runs_shell


def is_mixed(ours: str, there: str) -> bool:
    """Is there more in the input than was pasted? A long text is folded there, and cannot be told."""
    return ours in there and ours != there
