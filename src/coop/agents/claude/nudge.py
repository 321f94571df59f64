"""How a message is typed into Claude Code: pasted whole, then Enter, then a look whether it was taken."""

import unicodedata

from coop.agents import Script, Steps, View
from coop.agents.paste import paste, sound
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, Refused, Stroke, When
from coop.model.state import Working

LONGEST = 300_000
"""Measured to arrive whole; more is refused before anything is typed."""
DIGEST = 0.1
"""An Enter in the same breath as a paste is taken for part of it."""
LOOK = 0.05
TAKEN_WITHIN = 1.0
"""When the message still stands in the composer after so long, Enter was lost, and is pressed once more."""
REDRAWN_WITHIN = 2.0
APPEARS_WITHIN = 3.0
ENDS_WITHIN = 3.0
_CLEAR = b"\x15"
_MOST_LINES = 40
_EXITS = frozenset({"exit", "quit", ":q", ":q!", ":wq", ":wq!"})
"""Words that end the program when they are all of a message."""
_IGNORED = frozenset("\u034f\u115f\u1160\u3164\uffa0")
"""Letters and marks that are not seen, and that 2.1.325 leaves out."""


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    text = sound(nudge.message)
    if not any(map(_is_seen, text)):
        raise BadRequest("message: expected some text, got none")
    if len(text) > LONGEST:
        raise MessageTooLong(f"message: {len(text)} characters are more than the {LONGEST} that were seen to arrive whole")
    return _script(nudge, text)


def _script(nudge: Nudge, text: str) -> Script:
    view = yield Stroke(b"", 0.0)
    if nudge.when is When.INTERRUPT and isinstance(view.state, Working):
        view = yield from _interrupt()
        if isinstance(view.state, Working):
            return Refused(Reason.AGENT_BUSY, "the agent was told to stop, and has not", view.state)
    view = yield from _appeared(view)
    if (refused := _unready(view)) is not None:
        return refused
    if view.draft and nudge.keep_draft:
        return Refused(Reason.DRAFT_PRESENT, f"somebody has begun to type: {view.draft[:80]!r}", view.state)
    view = yield from _clear(view)
    if _runs_shell(view) and not nudge.raw:
        view = yield Stroke(b"\x7f", LOOK)
        if _runs_shell(view):
            return Refused(Reason.DRAFT_PRESENT, "the agent's input is in shell mode, and would run the message", view.state)
    typed = text if nudge.raw else harmless(text)
    view = yield from _paste(typed)
    if (refused := _unready(view)) is not None:
        return refused
    if _is_mixed(typed, view.draft) or (_runs_shell(view) and not nudge.raw):
        yield from _clear(view)
        return Refused(Reason.DRAFT_PRESENT, f"something else stands in the agent's input too: {view.draft[:80]!r}", view.state)
    yield from _submit()
    return None


def _appeared(view: View) -> Steps:
    """The composer is off the screen for a moment when all of it is drawn anew."""
    until = view.now + REDRAWN_WITHIN
    while view.reading.composer is None and view.reading.says is None and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


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
        view = yield Stroke(_CLEAR, LOOK, clears=before)
        if view.draft == before:
            break
    return view


def _paste(text: str) -> Steps:
    """A long one takes a while to appear, and Enter before that is lost."""
    view = yield Stroke(paste(text), DIGEST)
    until = view.now + APPEARS_WITHIN
    while not view.draft and view.reading.composer is not None and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def _runs_shell(view: View) -> bool:
    return view.reading.composer is not None and view.reading.composer.runs_shell


def _is_mixed(text: str, draft: str) -> bool:
    """Is there more in the input than was pasted? A long text is folded there, and cannot be told."""
    ours, there = _seen(text).lstrip("!"), _seen(draft)
    return ours in there and ours != there


def _submit() -> Steps:
    view = yield Stroke(b"\r", LOOK)
    until = view.now + TAKEN_WITHIN
    while not view.is_done and view.now < until:
        view = yield Stroke(b"", LOOK)
    if not view.is_done and view.draft:
        view = yield Stroke(b"\r", LOOK)
    return view


def harmless(text: str) -> str:
    """What begins with `!` would run a shell without asking, with `/` a command of Claude's own, and `exit` would end it.

    2.1.325 leaves out what cannot be seen before it looks, and blanks too before `/`, so we look past them.
    """
    first = next((n for n, character in enumerate(text) if _is_seen(character)), 0)
    is_command = text[first] in "!/" or _seen(text) in _EXITS
    guarded = f"{text[:first]}\\{text[first:]}" if is_command else text
    last = guarded.rsplit(maxsplit=1)[-1]
    # Enter would complete a name at the end, and a backslash there would make it a line break.
    return f"{guarded} " if "@" in last or last.endswith("\\") else guarded


def _is_seen(character: str) -> bool:
    return not character.isspace() and character not in _IGNORED and unicodedata.category(character) not in ("Cf", "Cc", "Mn")


def _seen(text: str) -> str:
    return "".join(filter(_is_seen, text))


def is_same(sent: str, heard: str) -> bool:
    """Is it the same message? The agent trims it, composes its accents, and leaves out what cannot be seen."""
    text = sound(sent)
    return _bare(heard) in (_bare(text), _bare(harmless(text)))


def _bare(text: str) -> str:
    return _seen(unicodedata.normalize("NFC", text))
