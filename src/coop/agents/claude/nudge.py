"""How a message is typed into Claude Code: pasted whole, then Enter, then a look whether it was taken."""

import re
import unicodedata
from collections.abc import Callable

from coop.agents import Script, Steps, View
from coop.agents.composer import (
    ENTER,
    ESCAPE,
    LOOK,
    appeared,
    begun,
    in_shell_mode,
    is_busy,
    is_mixed,
    mixed,
    new_line,
    pasted,
    runs_shell,
    still_busy,
    submitted,
    unready,
)
from coop.agents.paste import sound
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Stroke, When
from coop.model.readings import Composer, ScreenReading
from coop.model.state import Working

LONGEST = 300_000
"""Measured to arrive whole; more is refused before anything is typed."""
DIGEST = 0.1
"""An Enter in the same breath as a paste is taken for part of it."""
ENDS_WITHIN = 3.0
BEGINS_WITHIN = 0.3
"""What was queued is sent by then, and so can be stopped."""
_MOST_STOPS = 3
_CONTROL = re.compile("ctrl\\+([a-z])")
_ENTERS = 2
"""A message that stands in the input after so many, and as many lines more, is not sent by them."""
_CLEARS = (b"\x15", b"\x0b")
"""What erases before the cursor, and behind it, each a line's rest or its end at a time."""
_MOST_CLEARS = 200
_CLEARED_WITHIN = 0.3
_TRIES = 2
"""What was sent and interrupted at once is put back into the input, and may come there after it was cleared."""
_EXITS = frozenset({"exit", "quit", ":q", ":q!", ":wq", ":wq!"})
"""Words that end the program when they are all of a message."""
_COMPLETED = frozenset("/:#")
"""What a last word begins with that Claude would complete: a command, an emoji, a channel."""
_IGNORED = frozenset("\u034f\u115f\u1160\u3164\uffa0")
"""Letters and marks that are not seen, and that 2.1.325 leaves out."""
_PARTS = re.compile(r"(\n| (?=/))")
"""Where 2.1.197 looks for the paths of images in what is pasted. 2.1.325 takes only lines that are nothing else."""
_IMAGE = re.compile(r"/.*\.(?:png|jpe?g|gif|webp)", re.IGNORECASE | re.DOTALL)
_BLANKS = re.compile(r"([\s\ufeff]*)(.*?)([\s\ufeff]*)", re.DOTALL)


def type_nudge(nudge: Nudge) -> Script:
    """Raises `BadRequest` for a message that cannot be typed."""
    if nudge.when is When.STEER:
        raise BadRequest("when: Claude Code cannot be steered in the middle of a turn; give queue or interrupt")
    text = sound(nudge.message)
    if not any(map(_is_seen, text)):
        raise BadRequest("message: expected some text, got none")
    if len(text) > LONGEST:
        raise MessageTooLong(f"message: {len(text)} characters are more than the {LONGEST} that were seen to arrive whole")
    return _script(nudge, text)


def _script(nudge: Nudge, text: str) -> Script:
    view = yield from appeared((yield Stroke(b"", 0.0)))
    if (refused := unready(view)) is not None:
        return refused  # Esc would answer it
    if nudge.when is When.INTERRUPT and isinstance(view.state, Working):
        view = yield from _stopped(view)
        if is_busy(view):
            return still_busy(view)
    view = yield from appeared(view)
    if (refused := unready(view)) is not None:
        return refused
    if view.draft and nudge.keep_draft:
        return begun(view)
    typed = text if nudge.raw else harmless(text)
    for tried in range(1 if nudge.keep_draft else _TRIES):
        view = yield from _clear(view, ours=typed if tried else "")
        if (refused := unready(view)) is not None:
            return refused  # a dialog has come up meanwhile
        if runs_shell(view) and not nudge.raw:
            view = yield Stroke(b"\x7f", LOOK, leads=True)
            if runs_shell(view):
                return in_shell_mode(view)
        left = _seen(view.draft)
        if tried and left:
            break  # it cannot be cleared
        view = yield from pasted(typed, view, digest=DIGEST)
        if (refused := unready(view)) is not None:
            return refused
        if not _is_among_others(typed, left, view) and (nudge.raw or not runs_shell(view)):
            rows = _rows(view)
            view = yield from submitted(ENTER, _still_there(view.draft))
            if not (view.draft and _rows(view) == rows + _ENTERS):
                return None
            yield from _clear(view, ours=typed)
            return new_line(view)
    yield from _clear(view, ours=typed)
    return mixed(view)


def _stopped(view: View) -> Steps:
    """As vim has it, the first Esc only leaves the mode for text; and Claude goes on at once with what is queued."""
    for _ in range(_MOST_STOPS):
        was = view.reading
        view = yield Stroke(_stop(was.composer), LOOK, leads=True)
        until = view.now + ENDS_WITHIN
        while (is_busy(view) or view.reading.queued) and not _goes_on(was, view.reading) and view.now < until:
            view = yield Stroke(b"", LOOK)
        if not _goes_on(was, view.reading):
            break
        view = yield Stroke(b"", BEGINS_WITHIN)
    return view


def _goes_on(was: ScreenReading, now: ScreenReading) -> bool:
    """Did the key do something else than to end all work?"""
    if was.composer is None or now.composer is None:
        return False
    return (was.queued and not now.queued) or (was.composer.inserts and not now.composer.inserts)


def _stop(composer: Composer | None) -> bytes:
    control = _CONTROL.fullmatch(composer.stop_key or "") if composer is not None else None
    return bytes([ord(control[1]) & 0x1F]) if control else ESCAPE


def _rows(view: View) -> int:
    return view.reading.composer.rows if view.reading.composer is not None else 0


def _still_there(draft: str) -> Callable[[View], bool]:
    return lambda view: bool(view.draft) and view.draft == draft


def _is_among_others(typed: str, left: str, view: View) -> bool:
    """Does something else stand in the input too? `left` is what did before, and would have made way if it was a placeholder."""
    ours, there = _seen(typed).lstrip("!"), _seen(view.draft)
    return is_mixed(ours, there) or (bool(left) and left in there and there != ours)


def _clear(view: View, *, ours: str) -> Steps:
    """A placeholder does not go away when cleared; a draft does: first all before the cursor, then all behind it.

    `ours`: what of it nobody needs to be given back.
    """
    for key in _CLEARS:
        view = yield from _cleared(key, view, ours=ours)
    return view


def _cleared(key: bytes, view: View, *, ours: str) -> Steps:
    """Until it erases nothing more: first what stands in a line, then that line itself."""
    for _ in range(_MOST_CLEARS):
        before = view.reading.composer
        if before is None or (not before.draft and before.rows == 1):
            break
        view = yield Stroke(key, LOOK, clears=before.draft.replace(ours, ""), leads=True)
        until = view.now + _CLEARED_WITHIN
        while view.reading.composer == before and view.now < until:
            view = yield Stroke(b"", LOOK)
        if view.reading.composer == before:
            break
    return view


def harmless(text: str) -> str:
    """What begins with `!` would run a shell without asking, with `/` a command of Claude's own, and `exit` would end it.

    2.1.325 leaves out what cannot be seen before it looks, and blanks too before `/`, so we look past them. And the path of an image
    would be taken out of the text where there is such a file.
    """
    text = "".join(map(_without_image, _PARTS.split(text)))
    first = next((n for n, character in enumerate(text) if _is_seen(character)), None)
    if first is None:
        return text
    is_command = text[first] in "!/" or _seen(text) in _EXITS
    guarded = f"{text[:first]}\\{text[first:]}" if is_command else text
    last = guarded.rsplit(maxsplit=1)[-1]
    # Enter would complete such a word or a name at the end, and a backslash there would make it a line break.
    is_completed = "@" in last or last[0] in _COMPLETED or last.endswith("\\")
    return f"{guarded} " if is_completed else guarded


def _without_image(part: str) -> str:
    """The path of an image in backticks is none. Claude looks past quotes and backslashes, so they guard nothing."""
    blanks = _BLANKS.fullmatch(part)
    assert blanks is not None
    before, path, after = blanks.groups()
    is_quoted = len(path) > 1 and path[0] == path[-1] and path[0] in "\"'"
    meant = re.sub(r"\\(.)", r"\1", path[1:-1] if is_quoted else path)
    return f"{before}`{path}`{after}" if _IMAGE.fullmatch(meant) else part


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
