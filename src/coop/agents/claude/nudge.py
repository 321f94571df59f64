"""How a message is typed into Claude Code: pasted whole, then Enter, then a look whether it was taken."""

import re

from coop.agents import Script, Steps, View
from coop.errors import BadRequest
from coop.model.commands import Nudge, Reason, Refused, Stroke, When
from coop.model.state import Idle, Working

LONGEST = 100_000
"""Measured to arrive whole; more is refused before anything is typed."""
DIGEST = 0.1
"""An Enter in the same breath as a paste is taken for part of it."""
LOOK = 0.05
TAKEN_WITHIN = 1.0
"""When the message still stands in the composer after so long, Enter was lost, and is pressed once more."""
APPEARS_WITHIN = 3.0
ENDS_WITHIN = 3.0
_PASTE, _PASTED = b"\x1b[200~", b"\x1b[201~"
_CLEAR = b"\x15"
_MOST_LINES = 40
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_COMMAND = re.compile(r"^[!/]")


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    text = _sound(nudge.message)
    if not text.strip():
        raise BadRequest("message: expected some text, got none")
    return _script(nudge, text)


def _script(nudge: Nudge, text: str) -> Script:
    view = yield Stroke(b"", 0.0)
    if nudge.when is When.INTERRUPT and not isinstance(view.state, Idle):
        view = yield from _interrupt()
        if not isinstance(view.state, Idle):
            return Refused(Reason.AGENT_BUSY, "the agent was told to stop, and has not", view.state)
    if (refused := _unready(view)) is not None:
        return refused
    if view.draft and nudge.keep_draft:
        return Refused(Reason.DRAFT_PRESENT, f"somebody has begun to type: {view.draft[:80]!r}", view.state)
    view = yield from _clear(view)
    view = yield from _paste(text if nudge.raw else harmless(text, view.version))
    if (refused := _unready(view)) is not None:
        return refused
    yield from _submit()
    return None


def _unready(view: View) -> Refused | None:
    if view.reading.composer is not None:
        return None
    return Refused(Reason.AGENT_BUSY, "the agent's input is not on the screen: a dialog or something else has it", view.state)


def _interrupt() -> Steps:
    view = yield Stroke(b"\x1b", LOOK)
    until = view.now + ENDS_WITHIN
    while isinstance(view.state, Working) and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def _clear(view: View) -> Steps:
    """A placeholder does not go away when cleared; a draft does, line by line."""
    for _ in range(_MOST_LINES):
        before = view.draft
        if not before:
            break
        view = yield Stroke(_CLEAR, LOOK)
        if view.draft == before:
            break
    return view


def _paste(text: str) -> Steps:
    """A long one takes a while to appear, and Enter before that is lost."""
    view = yield Stroke(_PASTE + text.encode() + _PASTED, DIGEST)
    until = view.now + APPEARS_WITHIN
    while not view.draft and view.reading.composer is not None and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def _submit() -> Steps:
    view = yield Stroke(b"\r", LOOK)
    until = view.now + TAKEN_WITHIN
    while not view.is_done and view.now < until:
        view = yield Stroke(b"", LOOK)
    if not view.is_done and view.draft:
        view = yield Stroke(b"\r", LOOK)
    return view


def harmless(text: str, version: str | None) -> str:
    """What begins with `!` would run a shell without asking, and with `/` a command of Claude's own."""
    if not _COMMAND.match(text):
        return text
    # A space before `!` is enough everywhere; before `/` it was in 2.1.197 only.
    return f" {text}" if text.startswith("!") else f"\\{text}"


def _sound(message: str) -> str:
    """Without what would end the paste, or press keys."""
    lines = message.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return _CONTROL.sub("", lines).rstrip("\n")


def is_same(sent: str, heard: str) -> bool:
    """Is it the same message? Blanks do not count: the agent trims, and tabs become spaces."""
    return _bare(heard) in (_bare(sent), _bare(harmless(sent, None)))


def _bare(text: str) -> str:
    return "".join(_CONTROL.sub("", text).split())
