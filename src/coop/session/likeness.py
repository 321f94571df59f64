"""Which prompt a dialog on the screen is: by what it quotes of what the agent told."""

from collections.abc import Sequence
from dataclasses import replace

from coop.model.prompt import HIDDEN_ABOVE, Guise, Permission, Plan, Prompt, Question

_SHOWN, _BEGINNING, _SEEN = 200, 24, 8
_MARKS: dict[int, None] = dict.fromkeys(map(ord, "❯›●↑↓"))
_DRAWN: dict[int, None] = dict.fromkeys(range(0x2500, 0x25A0))
"""Rules, boxes and blocks, as wide as the terminal."""


def likeness(drawn: Prompt) -> object:
    """Equal for two pictures of one dialog: the highlight may move, and what cannot be read may do anything."""
    if isinstance(drawn, Question) and drawn.queries:
        return type(drawn), tuple(query.text for query in drawn.queries)
    if isinstance(drawn, Plan) and drawn.text:
        return type(drawn), drawn.text
    if isinstance(drawn, Permission) and not drawn.options:
        return type(drawn), drawn.subtype, drawn.tool, dict(drawn.input)
    if not drawn.options:
        return type(drawn), drawn.subtype
    return type(drawn), drawn.subtype, "".join(_bare(line) for line in _above_hints(drawn))


def _above_hints(drawn: Prompt) -> Sequence[str]:
    """Without what stands below the last option and a blank line: which keys do what changes with the highlight."""
    lines, last = drawn.screen_lines, _bare(drawn.options[-1])
    at = max((n for n, line in enumerate(lines) if last in _bare(line)), default=len(lines))
    end = next((n for n in range(at + 1, len(lines)) if not _bare(lines[n])), len(lines))
    return lines[:end]


def _bare(line: str) -> str:
    return "".join(line.translate(_MARKS | _DRAWN).split())


def is_asked_anew(before: Prompt, drawn: Prompt) -> bool:
    """Of two pictures with one likeness: is the second of another question, where there are no options to tell by?

    What a person types behind a question is no part of it, and what cannot be read may do anything.
    """
    match before, drawn:
        case Question(options=(), queries=()), Question(options=(), queries=(), subtype=subtype) if subtype != "unrecognized":
            if drawn.screen_lines and _picture(before) == _picture(drawn):
                return False  # wrapped otherwise, at most
            shorter, longer = sorted((before.text, drawn.text), key=len)
            return not longer.startswith(shorter) or _is_answered_above(shorter, before, drawn)
        case _:
            return False


def is_scrolled(before: Prompt, drawn: Prompt) -> bool:
    """Is one of them of a list whose beginning is out of sight? None of its options are told."""
    return isinstance(before, Permission) and isinstance(drawn, Permission) and not (before.options and drawn.options)


def _picture(drawn: Prompt) -> str:
    return "".join(map(_bare, drawn.screen_lines))


def _is_answered_above(text: str, before: Prompt, drawn: Prompt) -> bool:
    """Does the line that asked stand above the one that asks now, under what it stood under?

    Lines that scrolled away are missing at the top, but of what stood there one must be left to tell by.
    """
    at, now = _line_of(before), _line_of(drawn)
    if at is None or now is None:
        return False
    for gone in range(max(at, 1)):
        place = at - gone
        is_there = place <= now and drawn.screen_lines[place].strip().startswith(text)
        if is_there and drawn.screen_lines[:place] == before.screen_lines[gone:at]:
            return place < now
    return False


def _line_of(drawn: Prompt) -> int | None:
    text = drawn.text if isinstance(drawn, Question) else ""
    return max((n for n, line in enumerate(drawn.screen_lines) if line.strip() == text), default=None)


def fitting(told: Sequence[Prompt], drawn: Prompt) -> Prompt | None:
    """The one of which it quotes most, if that can be told; by its kind where there is nothing to quote."""
    fits = [each for each in told if could_be(each, drawn)]
    most = max((quoted(each, drawn) for each in fits), default=0)
    best = [each for each in fits if most and quoted(each, drawn) == most]
    if best:  # a question may well be asked again, with others beside it
        is_clear = isinstance(drawn, Question) or all(texts(each) == texts(best[0]) for each in best)
        return best[0] if is_clear else None
    unquotable = [each for each in fits if not texts(each) or drawn.subtype == "review"]
    return unquotable[0] if len(unquotable) == 1 else None


def quoted(told: Prompt, drawn: Prompt) -> int:
    """How much of what the hook told does the dialog show? A long text is cut, so its beginning counts too, and in a dialog that is
    taller than the screen whatever of it is seen."""
    lines = "".join("".join(line.replace("│", "").split()) for line in drawn.screen_lines)
    found = [begin for text in _shown_of(told, drawn) for begin in (text[:_SHOWN], text[:_BEGINNING]) if begin in lines]
    return max(map(len, found or _seen_of(told, drawn)), default=0)


def _shown_of(told: Prompt, drawn: Prompt) -> list[str]:
    """In the guise of another tool a dialog quotes nothing else of it: what else is in there is of the file."""
    guise = _guise(told, drawn)
    return ["".join(guise.about.split())] if guise is not None else texts(told)


def _guise(told: Prompt, drawn: Prompt) -> Guise | None:
    """What it is drawn as, if that is not a dialog of its own tool: one that asks word for word what the other would."""
    guise = told.guise if isinstance(told, Permission) else None
    is_asked = guise is not None and "".join(guise.asks.split()) in "".join(map(_bare, drawn.screen_lines))
    return guise if is_asked else None


def _seen_of(told: Prompt, drawn: Prompt) -> list[str]:
    """What the dialog shows of a command whose beginning is hidden: enough of it to be of no other."""
    match told, drawn:
        case Permission(), Permission(input={"command": str(shown)}) if shown.startswith(HIDDEN_ABOVE):
            bare = "".join(shown.removeprefix(HIDDEN_ABOVE).split())
            return [bare] if len(bare) >= _SEEN and any(bare in text for text in texts(told)) else []
        case _:
            return []


def texts(told: Prompt) -> list[str]:
    """What a dialog of this prompt would have to show, without blanks."""
    match told:
        case Permission(input=given):
            words = [str(given[key]) for key in ("command", "url", "pattern") if key in given]
            paths = [str(given[key]) for key in ("file_path", "notebook_path") if key in given]
            words += [part for path in paths for part in (path, path.rsplit("/", 1)[-1])]
        case Question():
            words = [query.text for query in told.queries]
        case _:
            words = []
    return [bare for text in words if (bare := "".join(text.split()))]


def could_be(told: Prompt, drawn: Prompt) -> bool:
    match told, drawn:
        case Permission(), Permission():
            guise = _guise(told, drawn)
            return (
                told.tool == drawn.tool or not drawn.tool or not told.tool or (guise is not None and guise.tool == drawn.tool)
            )
        case (Question(), Question()) | (Plan(), Plan()):
            return True
        case Permission(), Question(subtype="unrecognized", options=(_, *_)):
            return True
        case _:
            return False


def is_of(told: Prompt, made: Prompt) -> bool:
    """Is it about the call that was made? By what both tell of it; by its kind where there is nothing to compare."""
    words = texts(told)
    return could_be(told, made) and (not words or not set(words).isdisjoint(texts(made)))


def completed(known: Prompt, drawn: Prompt) -> Prompt:
    """With what the hook left out, and the dialog shows."""
    match known, drawn:
        case Permission(tool=""), Permission(tool=tool):
            return replace(known, tool=tool)
        case Plan(text=""), Plan(text=text):
            return replace(known, text=text)
        case _:
            return known
