"""How a message is typed into Codex: pasted whole, then Enter, or Tab for its queue, then a look whether it was taken."""

import re
import unicodedata

from coop.agents import Script, Steps, View
from coop.agents.composer import (
    ENTER,
    LOOK,
    TAKEN_WITHIN,
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
    unready,
)
from coop.agents.paste import sound
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, Refused, Stroke, When
from coop.model.state import Working

LONGEST = 300_000
"""Measured to arrive whole; more is refused before anything is typed."""
DIGEST = 0.1
ENDS_WITHIN = 3.0
_TAB = b"\t"
_KILL_LEFT, _KILL_RIGHT = b"\x15", b"\x0b"
_MOST_KEYS = 200
_PICTURE = re.compile(r"[^\n]*\.(?:png|jpe?g|gif|webp|bmp|tiff?)\W*", re.IGNORECASE)


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    text = sound(nudge.message, tab="\t")
    if not any(map(_is_seen, text)):
        raise BadRequest("message: expected some text, got none")
    if len(text) > LONGEST:
        raise MessageTooLong(f"message: {len(text)} characters are more than the {LONGEST} that were seen to arrive whole")
    return _script(nudge, text)


def _script(nudge: Nudge, text: str) -> Script:
    view = yield Stroke(b"", 0.0)
    if nudge.when is When.INTERRUPT and isinstance(view.state, Working):
        if view.reading.queued:
            return _keeps_a_queue(view)
        view = yield from interrupted(within=ENDS_WITHIN)
        if is_busy(view):
            return still_busy(view)
    view = yield from appeared(view)
    if (refused := unready(view)) is not None:
        return refused
    if view.draft and nudge.keep_draft:
        return begun(view)
    view = yield from _clear(view)
    if (refused := unready(view)) is not None:  # a dialog has come up meanwhile
        return refused
    typed = text if nudge.raw else harmless(text)
    for piece in _pieces(typed):
        view = yield from pasted(piece, view, digest=DIGEST, tab="\t")
        if view.reading.composer is None:
            break
    if (refused := unready(view) or _spoiled(view, typed, nudge)) is not None:
        yield from _clear(view)
        return refused
    # Enter in the middle of a turn would steer it; in the queue a message waits for its end.
    yield from _submit(_TAB if nudge.when is When.QUEUE else ENTER)
    return None


def _pieces(text: str) -> tuple[str, ...]:
    """A paste that is nothing but the path of a picture would be taken for the picture; in two pieces it is words."""
    cut = len(text.rstrip()) - 1
    return (text[:cut], text[cut:]) if cut > 0 and _PICTURE.fullmatch(text) else (text,)


def _keeps_a_queue(view: View) -> Refused:
    """Stopped, it puts its queue back into the input, which would have to be cleared for this one."""
    detail = "messages wait in its queue, and to stop it would take them out unsent; wait for their turn, or give when: queue or steer"
    return Refused(Reason.AGENT_BUSY, detail, view.state)


def _clear(view: View) -> Steps:
    """To the left of the cursor line by line, then to the right of it; a placeholder stays."""
    kill = _KILL_LEFT
    for _ in range(_MOST_KEYS):
        before = view
        if not before.draft or before.reading.composer is None:
            break
        view = yield Stroke(kill, LOOK, clears="" if kill == _KILL_RIGHT else before.draft, leads=True)
        if (view.screen.lines, view.screen.cursor) == (before.screen.lines, before.screen.cursor):
            if kill == _KILL_RIGHT:
                break
            kill = _KILL_RIGHT
    if runs_shell(view):
        view = yield Stroke(b"\x7f", LOOK, leads=True)
    return view


def _spoiled(view: View, typed: str, nudge: Nudge) -> Refused | None:
    """What stands in the input is not what was pasted, or would be run."""
    if runs_shell(view) and not nudge.raw:
        return in_shell_mode(view)
    return mixed(view) if is_mixed(_seen(typed).lstrip("!"), _seen(view.draft)) else None


def _submit(key: bytes) -> Steps:
    view = yield Stroke(key, LOOK)
    until = view.now + TAKEN_WITHIN
    while not view.is_done and view.draft and view.now < until:
        view = yield Stroke(b"", LOOK)
    if not view.is_done and view.draft and view.reading.composer is not None:
        view = yield Stroke(key, LOOK)
    return view


def harmless(text: str) -> str:
    """What begins with `!` would run a shell, blanks before it or not; with `/`, but for a blank, a command of Codex's own."""
    first = next((n for n, character in enumerate(text) if not character.isspace()), None)
    if first is None:
        return text
    if text[first] == "!":
        text = f"{text[:first]}\\{text[first:]}"
    elif text[0] == "/":
        text = f" {text}"
    last = text.rsplit(maxsplit=1)[-1]
    # Enter would choose from the list that such a word at the end brings up.
    return f"{text} " if last[0] in "@$" or "@" in last else text


def is_same(sent: str, heard: str) -> bool:
    """Is it the same message? The agent trims it."""
    text = sound(sent, tab="\t")
    return heard.strip() in (text.strip(), harmless(text).strip())


def _is_seen(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc", "Mn")


def _seen(text: str) -> str:
    return "".join(filter(_is_seen, text))
