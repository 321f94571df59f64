"""How a message is typed into Gemini CLI: pasted whole, a pause, then Enter, then a look whether it was taken."""

import itertools
import unicodedata

from coop.agents import Script, Steps, View
from coop.agents.paste import paste, sound
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, Refused, Stroke, When
from coop.model.state import Working

LONGEST = 20_000
"""Measured to arrive whole, in some six seconds: the time grows with the square of it. More is refused before anything is typed."""
DIGEST = 0.3
"""An Enter sooner after a paste is taken for part of it."""
LOOK = 0.05
TAKEN_WITHIN = 1.0
"""When the message still stands in the composer after so long, Enter was lost, and is pressed once more."""
REDRAWN_WITHIN = 2.0
APPEARS_WITHIN = 3.0
ENDS_WITHIN = 4.0
KNOWN_WITHIN = 2.0
"""Its commands are read while it starts, after its input is drawn."""
_TO_END, _CLEAR_LINE, _BACK = b"\x05", b"\x15", b"\x7f"
_MOST_LINES = 60
_FOLDED = "[Pasted Text:"
"""A long text is shown so."""


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    text = sound(nudge.message).strip()
    if not any(map(_is_seen, text)):
        raise BadRequest("message: expected some text, got none")
    if len(text) > LONGEST:
        raise MessageTooLong(f"message: {len(text)} characters are more than the {LONGEST} that were seen to arrive whole")
    return _script(nudge, text if nudge.raw else harmless(text))


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
    if (refused := _unready(view)) is not None:  # a dialog has come up meanwhile
        return refused
    if view.draft:
        return Refused(Reason.DRAFT_PRESENT, f"what stands in the input cannot be cleared: {view.draft[:80]!r}", view.state)
    view = yield from _paste(text)
    if nudge.raw and text.startswith("/"):
        view = yield from _known(text, view)
    if (refused := _unready(view)) is not None:
        return refused
    if _is_mixed(text, view.draft):
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
    composer = view.reading.composer
    if composer is None:
        why = "the agent's input is not on the screen: a dialog or something else has it"
        return Refused(Reason.AGENT_BUSY, why, view.state)
    if composer.runs_shell:
        return Refused(Reason.DRAFT_PRESENT, "the agent's input is in shell mode, and would run the message", view.state)
    return None


def _interrupt() -> Steps:
    """One Esc, and no more: two at rest open something else."""
    view = yield Stroke(b"\x1b", LOOK)
    until = view.now + ENDS_WITHIN
    while isinstance(view.state, Working) and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def _clear(view: View) -> Steps:
    """Line by line: Ctrl-C would do it at once, but the next one ends the program."""
    if view.draft:
        view = yield Stroke(_TO_END, LOOK, clears=view.draft)
    keys = itertools.cycle((_CLEAR_LINE, _BACK))
    for key in itertools.islice(keys, 2 * _MOST_LINES):
        if not view.draft and key == _CLEAR_LINE:
            break
        if view.reading.composer is None:
            break
        view = yield Stroke(key, LOOK)
    return view


def _paste(text: str) -> Steps:
    """A long one takes a while to appear, and Enter before that is lost."""
    view = yield Stroke(paste(text), DIGEST)
    until = view.now + APPEARS_WITHIN
    while not view.draft and view.reading.composer is not None and view.now < until:
        view = yield Stroke(b"", LOOK)
    return view


def _known(text: str, view: View) -> Steps:
    """A command is shown under the input once it is known; before that, it would be sent as a message."""
    name, until = text[1:].split(maxsplit=1)[0] if text[1:].strip() else "", view.now + KNOWN_WITHIN
    while view.now < until and not any(line.startswith(f" {name} ") for line in view.screen.lines):
        view = yield Stroke(b"", LOOK)
    return view


def _is_mixed(text: str, draft: str) -> bool:
    """Is there more in the input than was pasted? A long text is folded there, and cannot be told."""
    ours, there = _seen(text), _seen(draft)
    return ours in there and ours != there


def _submit() -> Steps:
    view = yield Stroke(b"\r", LOOK)
    until = view.now + TAKEN_WITHIN
    while not view.is_done and view.now < until:
        view = yield Stroke(b"", LOOK)
    if not view.is_done and view.draft and not view.reading.queued:
        view = yield Stroke(b"\r", LOOK)
    return view


def harmless(text: str) -> str:
    """What begins with `/` would run a command of Gemini's own, and `?` alone shows its keys.

    A pasted `!` is only text. At the end a name behind `@` would be completed by Enter, and a backslash would make a new line
    of it: a blank behind them prevents that.
    """
    guarded = f"\\{text}" if text.startswith(("/", "?")) else text
    return f"{guarded} " if guarded.endswith("\\") or "@" in guarded.rsplit(maxsplit=1)[-1] else guarded


def _is_seen(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")


def _seen(text: str) -> str:
    return "".join(filter(_is_seen, text))


def is_same(sent: str, heard: str) -> bool:
    """Is it the same message? The agent trims it, and writes its accents as it was told."""
    text = sound(sent).strip()
    return _bare(heard) in (_bare(text), _bare(harmless(text)))


def _bare(text: str) -> str:
    return _seen(unicodedata.normalize("NFC", text))
