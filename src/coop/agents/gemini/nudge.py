"""How a message is typed into Gemini CLI: pasted whole, a pause, then Enter, then a look whether it was taken."""

import itertools
import unicodedata

from coop.agents import Script, Steps, View
from coop.agents.composer import (
    ENTER,
    LOOK,
    appeared,
    begun,
    in_shell_mode,
    interrupted,
    is_busy,
    is_mixed,
    mixed,
    pasted,
    runs_shell,
    still_busy,
    submitted,
    unready,
)
from coop.agents.gemini.mentions import without_files
from coop.agents.paste import sound
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, Refused, Stroke, When
from coop.model.state import Working

LONGEST = 20_000
"""Measured to arrive whole, in some six seconds: the time grows with the square of it. More is refused before anything is typed."""
DIGEST = 0.3
"""An Enter sooner after a paste is taken for part of it."""
ENDS_WITHIN = 4.0
KNOWN_WITHIN = 2.0
"""Its commands are read while it starts, after its input is drawn."""
_TO_END, _CLEAR_LINE, _BACK = b"\x05", b"\x15", b"\x7f"
_MOST_LINES = 60


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    if nudge.when is When.STEER:
        raise BadRequest("when: Gemini CLI cannot be steered in the middle of a turn; give queue or interrupt")
    text = sound(nudge.message).strip()
    if not any(map(_is_seen, text)):
        raise BadRequest("message: expected some text, got none")
    if len(text) > LONGEST:
        raise MessageTooLong(f"message: {len(text)} characters are more than the {LONGEST} that were seen to arrive whole")
    return _script(nudge, text if nudge.raw else harmless(text))


def _script(nudge: Nudge, text: str) -> Script:
    view = yield Stroke(b"", 0.0)
    if nudge.when is When.INTERRUPT and isinstance(view.state, Working):
        view = yield from interrupted(within=ENDS_WITHIN)  # two at rest would open something else
        if is_busy(view):
            return still_busy(view)
    view = yield from appeared(view)
    if (refused := _unready(view)) is not None:
        return refused
    if view.draft and nudge.keep_draft:
        return begun(view)
    view = yield from _clear(view)
    if (refused := _unready(view)) is not None:  # a dialog has come up meanwhile
        return refused
    if view.draft:
        return Refused(Reason.DRAFT_PRESENT, f"what stands in the input cannot be cleared: {view.draft[:80]!r}", view.state)
    view = yield from pasted(text, view, digest=DIGEST)
    if nudge.raw and text.startswith("/"):
        view = yield from _known(text, view)
    if (refused := _unready(view)) is not None:
        return refused
    if is_mixed(_seen(text), _seen(view.draft)):
        yield from _clear(view)
        return mixed(view)
    yield from submitted(ENTER, lambda view: bool(view.draft) and not view.reading.queued)
    return None


def _unready(view: View) -> Refused | None:
    return unready(view) or (in_shell_mode(view) if runs_shell(view) else None)


def _clear(view: View) -> Steps:
    """Line by line: Ctrl-C would do it at once, but the next one ends the program."""
    if view.draft:
        view = yield Stroke(_TO_END, LOOK, clears=view.draft, leads=True)
    keys = itertools.cycle((_CLEAR_LINE, _BACK))
    for key in itertools.islice(keys, 2 * _MOST_LINES):
        if not view.draft and key == _CLEAR_LINE:
            break
        if view.reading.composer is None:
            break
        view = yield Stroke(key, LOOK, leads=True)
    return view


def _known(text: str, view: View) -> Steps:
    """A command is shown under the input once it is known; before that, it would be sent as a message."""
    name, until = text[1:].split(maxsplit=1)[0] if text[1:].strip() else "", view.now + KNOWN_WITHIN
    while view.now < until and not any(line.startswith(f" {name} ") for line in view.screen.lines):
        view = yield Stroke(b"", LOOK)
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
    """Is it the same message? The agent trims it, and writes its accents as it was told. What would begin the files that it
    names is not heard."""
    text = without_files(sound(sent).strip())
    return _bare(heard) in (_bare(text), _bare(harmless(text)))


def _bare(text: str) -> str:
    return _seen(unicodedata.normalize("NFC", text))
