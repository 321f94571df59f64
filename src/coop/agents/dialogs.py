"""Dialogs on a screen: where they are, what they offer, and which one it is. Which ones there are is data."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise, takewhile
from typing import cast

from coop.errors import ConfigError

_OPTION = re.compile(
    r"^(?P<lead>\s*(?:(?P<mark>[❯›▸]) +|(?P<edge>[↑↓]) +(?=\d))?(?:✔ +)?)"
    r"(?:(?P<number>\d{1,2})\.(?: +|(?=[^\s\d.])))?(?P<box>\[[ xX✔✓]\] +)?(?P<label>\S.*)$"
)
"""In a narrow terminal there may be no room for the blank behind a number, which makes no option of `2.5 GB`. At the edge of a list
that is scrolled stands an arrow."""
_RULE = re.compile(r"^\s*[─━▔═]{20,}.*$")
_LINE = re.compile(r"^\s*[─━▔═╌]{20,}\s*$")
"""A rule, or the lighter one inside of a dialog."""
_BOX = re.compile(r"^\s*[╭╰][─━]+")
_PREVIEW_TOP, _PREVIEW_END = re.compile(r"\s{2,}┌─+┐$"), re.compile(r"(?:^|\s{2,})└─*.*┘$")
_PREVIEW = re.compile(r"\s{2,}[┌│├└].*$")
_MOST_OPTIONS = 20
_MOST_HINTS = 3
_KEY_HINT = re.compile(r"^(Enter|Esc|shift\+Tab|Tab) to (.+)$")


@dataclass(frozen=True, slots=True)
class Option:
    label: str
    """Its first line."""
    number: int | None = None
    """The digit that chooses it; `None` when there is none."""
    marked: bool = False
    """The highlight is on it: Enter chooses it."""
    checked: bool | None = None
    """`None` when it is not a box to tick."""
    more: str = ""
    """What stands under it: a description, or the rest of a long label."""
    key: str | None = None
    """The key that chooses it, where it is told in the last line instead of in a list."""


@dataclass(frozen=True, slots=True)
class Dialog:
    title: tuple[str, ...]
    """The lines above the question, without blank ones. Only the first is the agent's own: the rest may quote anything."""
    question: str
    options: tuple[Option, ...]
    hint: str
    lines: tuple[str, ...]
    """All of it, as drawn."""
    stands_alone: bool = True
    """Under a rule, and with nothing but a hint or two below: not a picture of a dialog among other text."""
    paragraph: str = ""
    """The question and the lines it stands among, up to a blank one or a rule: where it is too long for one, it goes on in the next."""
    has_preview: bool = False
    """Beside the options stands a box with what the one under the highlight would look like; a digit only moves the highlight."""
    is_scrolled: bool = False
    """There are more options than are in sight."""

    @property
    def begins(self) -> bool:
        """Is its first option in sight?"""
        return not self.options or self.options[0].number in (None, 1)

    def option(self, label: str) -> Option | None:
        return next((each for each in self.options if each.label == label), None)


def find_dialog(lines: Sequence[str]) -> Dialog | None:
    """The dialog at the bottom of a screen; `None` when nothing there can be chosen."""
    rows = [line.replace("\xa0", " ").rstrip() for line in lines]
    marked = next((n for n in range(len(rows) - 1, -1, -1) if _is_marked(rows[n])), None)
    if marked is None:
        return _notice(rows)
    numbered = _OPTION.match(rows[marked])
    assert numbered is not None
    found = _numbered(rows, marked) if numbered["number"] else _aligned(rows, marked)
    if len(found) < 2:
        return None if _lists(rows, marked) else _notice(rows)
    first, last = min(found), max(found)
    drawn, rows = rows, _without_preview(rows, first)
    top = next((n for n in range(first - 1, -1, -1) if _RULE.match(rows[n])), -1)
    above = [row.strip() for row in rows[top + 1 : first] if row.strip() and not _LINE.match(row)]
    end = last + 1 + len(_under(rows, last, found))
    below = [row.strip() for row in rows[end:] if row.strip() and not _LINE.match(row)]
    return Dialog(
        tuple(above[:-1]),
        above[-1] if above else "",
        tuple(_option(rows, n, found) for n in sorted(found)),
        below[-1] if below else "",
        _without_blank_end(drawn[max(top, 0) :]),
        top >= 0 and len(below) <= _MOST_HINTS,
        _last_paragraph(rows[top + 1 : first]),
        rows is not drawn,
        _is_scrolled(rows, found),
    )


def find_tail(lines: Sequence[str]) -> Dialog | None:
    """The end of a list that begins above the screen, maybe with its highlight: only whoever knows what is asked can tell that it
    is of that question."""
    rows = [line.replace("\xa0", " ").rstrip() for line in lines]
    last = max((n for n, row in enumerate(rows) if _number(row)), default=None)
    hint = next((row.strip() for row in reversed(rows) if row), "")
    if last is None or not any(_KEY_HINT.match(part) for part in hint.split(" · ")):
        return None
    found = _upwards(rows, last)
    begins_above = not any(_RULE.match(row) for row in rows[: found[0]]) and _number(rows[found[0]]) > 1
    if not begins_above:
        return None
    options = tuple(_option(rows, n, found) for n in found)
    return Dialog((), "", options, hint, _without_blank_end(rows), stands_alone=False, is_scrolled=True)


def _last_paragraph(rows: Sequence[str]) -> str:
    upwards = dropwhile(_parts, reversed(rows))
    lines = [row.strip() for row in takewhile(lambda row: not _parts(row), upwards)]
    return " ".join(reversed(lines))


def _parts(row: str) -> bool:
    """Does it end what stands above it?"""
    return not row.strip() or any(pattern.match(row) for pattern in (_RULE, _LINE, _BOX))


def _without_preview(rows: list[str], first: int) -> list[str]:
    """The rows without the box that begins beside the first option, if there is one."""
    if not _PREVIEW_TOP.search(rows[first]):
        return rows
    end = next((n for n in range(first, len(rows)) if _PREVIEW_END.search(rows[n])), len(rows) - 1)
    return [_PREVIEW.sub("", row) if first <= n <= end else row for n, row in enumerate(rows)]


def _notice(rows: Sequence[str]) -> Dialog | None:
    """A dialog without a list: its last line says which key does what."""
    last = max((n for n, row in enumerate(rows) if row.strip()), default=-1)
    hints = [_KEY_HINT.match(part.strip()) for part in rows[last].split(" · ")] if last >= 0 else []
    options = tuple(Option(hint[2], key=hint[1]) for hint in hints if hint is not None)
    top = next((n for n in range(last - 1, -1, -1) if _RULE.match(rows[n])), -1)
    title = tuple(row.strip() for row in rows[top + 1 : last] if row.strip())
    if len(options) < 2 or len(options) < len(hints) or not title:
        return None
    return Dialog(title, title[0], options, rows[last].strip(), tuple(rows[max(top, 0) : last + 1]))


def _without_blank_end(rows: Sequence[str]) -> tuple[str, ...]:
    end = max((n for n, row in enumerate(rows, 1) if row), default=0)
    return tuple(rows[:end])


def _is_marked(row: str) -> bool:
    found = _OPTION.match(row)
    return found is not None and found["mark"] is not None


def _lists(rows: Sequence[str], marked: int) -> bool:
    """Is it an option with a number in what stands below the last rule?"""
    return _number(rows[marked]) > 0 and not any(_RULE.match(row) for row in rows[marked:])


def _number(row: str) -> int:
    """0 when it has none."""
    found = _OPTION.match(row)
    return int(found["number"]) if found is not None and found["number"] else 0


def _numbered(rows: Sequence[str], marked: int) -> list[int]:
    """The rows of the run 1, 2, 3, … that the marked one belongs to, or of as much of it as is in sight."""
    run = _upwards(rows, marked)
    for n in range(marked + 1, len(rows)):
        if _follows(rows, run[-1], n):
            run.append(n)
    return run if _number(rows[run[0]]) == 1 or _edge(rows[run[0]]) == "↑" else []


def _upwards(rows: Sequence[str], last: int) -> list[int]:
    run = [last]
    for n in range(last - 1, -1, -1):
        if _edge(rows[run[0]]) == "↑":
            break
        if 0 < _number(rows[n]) == _number(rows[run[0]]) - 1 and _is_listed(rows[n], rows[run[0]]):
            run.insert(0, n)
    return run


def _follows(rows: Sequence[str], before: int, n: int) -> bool:
    """Is it the next option? Behind a list that is scrolled, and a rule, there may be one that always stays in sight."""
    step = _number(rows[n]) - _number(rows[before])
    is_behind_rule = any(_LINE.match(row) for row in rows[before + 1 : n])
    return (step == 1 or (step > 1 and is_behind_rule)) and _is_listed(rows[n], rows[before])


def _is_listed(row: str, beside: str) -> bool:
    """Do their numbers stand below each other? Others are of the text."""
    one, other = _place(row), _place(beside)
    return one[0] == other[0] or one[1] == other[1]


def _place(row: str) -> tuple[int, int]:
    """Where its number begins and ends."""
    found = _OPTION.match(row)
    return found.span("number") if found else (-1, -1)


def _edge(row: str) -> str | None:
    found = _OPTION.match(row)
    return found["edge"] if found else None


def _is_scrolled(rows: Sequence[str], run: Sequence[int]) -> bool:
    has_gap = any(_number(rows[after]) > _number(rows[n]) + 1 for n, after in pairwise(run))
    return has_gap or any(_edge(rows[n]) for n in run)


def _aligned(rows: Sequence[str], marked: int) -> list[int]:
    """Without numbers: the rows around it whose text begins in the same column."""
    column = _column(rows[marked])
    run = [marked]
    while run[0] > 0 and len(run) < _MOST_OPTIONS and _column(rows[run[0] - 1]) == column:
        run.insert(0, run[0] - 1)
    while run[-1] + 1 < len(rows) and len(run) < _MOST_OPTIONS and _column(rows[run[-1] + 1]) == column:
        run.append(run[-1] + 1)
    return run


def _column(row: str) -> int | None:
    """`None` where nothing of such a list stands."""
    found = _OPTION.match(row)
    return len(found["lead"]) if found and not found["number"] else None


def _option(rows: Sequence[str], n: int, options: Sequence[int]) -> Option:
    found = _OPTION.match(rows[n])
    assert found is not None
    box = found["box"]
    return Option(
        found["label"].strip().removesuffix(" ✔"),  # what is chosen now
        int(found["number"]) if found["number"] else None,
        found["mark"] is not None,
        box.strip() != "[ ]" if box else None,
        " ".join(_under(rows, n, options)),
    )


def _under(rows: Sequence[str], n: int, options: Sequence[int]) -> list[str]:
    """What stands under the label of the option in that row, and not further to the left."""
    label = _OPTION.match(rows[n])
    assert label is not None
    following = min((each for each in options if each > n), default=len(rows))
    under: list[str] = []
    for row in rows[n + 1 : following]:
        if not row.strip() or _RULE.match(row) or len(row) - len(row.lstrip()) < label.start("label"):
            break
        under.append(row.strip())
    return under


# Signatures


@dataclass(frozen=True, slots=True)
class Signature:
    """How one kind of dialog is told from the others."""

    kind: str
    subtype: str | None = None
    tool: str | None = None
    title: re.Pattern[str] | None = None
    question: re.Pattern[str] | None = None
    hint: re.Pattern[str] | None = None
    label: re.Pattern[str] | None = None
    is_bare: bool = False
    """It stands under no rule, or above other text."""
    accept: tuple[str, ...] = ()
    """Labels that say yes to this once, best first."""
    always: tuple[str, ...] = ()
    """Labels that say yes for longer."""
    deny: tuple[str, ...] = ()

    def matches(self, dialog: Dialog) -> bool:
        pairs: tuple[tuple[re.Pattern[str] | None, Iterable[str]], ...] = (
            (self.title, dialog.title[:1]),
            (self.question, (dialog.question, dialog.paragraph)),
            (self.hint, (dialog.hint,)),
            (self.label, (option.label for option in dialog.options)),
        )
        return all(pattern is None or any(pattern.search(text) for text in texts) for pattern, texts in pairs)


def recognize(dialog: Dialog, signatures: Sequence[Signature]) -> Signature | None:
    return next((signature for signature in signatures if signature.matches(dialog)), None)


def label_for(wanted: Sequence[str], dialog: Dialog, *, exactly: bool = False) -> Option | None:
    """The first of the wanted labels that is on offer; one ending in `…` stands for all that begin so, unless `exactly`."""
    for label in wanted:
        for option in dialog.options:
            begins = label.endswith("…") and not exactly and option.label.startswith(label[:-1])
            if option.label == label or begins:
                return option
    return None


_KEYS = frozenset({"kind", "subtype", "tool", "title", "question", "hint", "label", "bare", "accept", "always", "deny"})
_KINDS = ("permission", "question", "plan", "setup", "notice")


def signatures(tables: object, *, source: str) -> tuple[Signature, ...]:
    """Those of a TOML file's `[[dialog]]` tables. Raises `ConfigError` naming what is wrong."""
    if not isinstance(tables, list):
        raise ConfigError(f"{source}: expected [[dialog]] tables, got {type(tables).__name__}")
    return tuple(_signature(table, f"{source}: dialog {n}") for n, table in enumerate(cast("list[object]", tables), 1))


def screen_patterns(tables: Mapping[str, object], keys: Sequence[str], *, source: str) -> dict[str, re.Pattern[str]]:
    """Those of the `[screen]` table; one that is not given never matches. Raises `ConfigError` naming what is wrong."""
    if unknown := sorted(set(tables) - {"screen", "dialog"}):
        raise ConfigError(f"{source}: unknown table or key {unknown[0]!r}; expected [screen] and [[dialog]]")
    screen = tables.get("screen", {})
    if not isinstance(screen, Mapping):
        raise ConfigError(f"{source}: [screen]: expected a table with {', '.join(keys)}, got {screen!r}")
    given = cast("Mapping[str, object]", screen)
    if unknown := sorted(set(given) - set(keys)):
        raise ConfigError(f"{source}: [screen] has no key {unknown[0]!r}; expected {', '.join(keys)}")
    return {key: _compiled(given.get(key, _NEVER), f"{source}: [screen] {key}") for key in keys}


_NEVER = "(?!)"


def _compiled(value: object, source: str) -> re.Pattern[str]:
    if not isinstance(value, str):
        raise ConfigError(f"{source}: expected a regular expression, got {value!r}")
    try:
        return re.compile(value)
    except re.error as error:
        raise ConfigError(f"{source}: {error.pattern!r} is not a regular expression: {error}") from None


def _signature(table: object, source: str) -> Signature:
    if not isinstance(table, Mapping):
        raise ConfigError(f"{source}: expected a table, got {table!r}")
    given = cast("Mapping[str, object]", table)
    if unknown := sorted(set(given) - _KEYS):
        raise ConfigError(f"{source}: no key {unknown[0]!r}; expected {', '.join(sorted(_KEYS))}")
    if given.get("kind") not in _KINDS:
        raise ConfigError(f"{source}: kind: expected one of {', '.join(_KINDS)}, got {given.get('kind')!r}")
    patterns = {key: _pattern(given[key], f"{source}: {key}") for key in ("title", "question", "hint", "label") if key in given}
    words = {key: _words(given[key], f"{source}: {key}") for key in ("accept", "always", "deny") if key in given}
    texts = {key: str(given[key]) for key in ("kind", "subtype", "tool") if key in given}
    bare = given.get("bare", False)
    if not isinstance(bare, bool):
        raise ConfigError(f"{source}: bare: expected true or false, got {bare!r}")
    return Signature(**texts, **patterns, **words, is_bare=bare)  # type: ignore[arg-type]  # each goes where its name says


def _pattern(value: object, source: str) -> re.Pattern[str]:
    try:
        return re.compile(str(value))
    except re.error as error:
        raise ConfigError(f"{source}: {value!r} is not a regular expression: {error}") from None


def _words(value: object, source: str) -> tuple[str, ...]:
    words = cast("list[object]", value) if isinstance(value, list) else [value]
    if not all(isinstance(word, str) for word in words):
        raise ConfigError(f"{source}: expected a label or a list of them, got {value!r}")
    return tuple(str(word) for word in words)
