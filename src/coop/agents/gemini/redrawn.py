"""A new dialog is drawn several times: it grows to its place, and shows its last line later than the others.

What does not fit is counted, above what is shown or below it, so that every line that is shown has its number.
"""

from collections.abc import Mapping, Sequence

from coop.agents.gemini.boxes import HIDDEN, parts_of
from coop.model.prompt import Permission, Prompt

_LATE = 1
"""So many of its last lines a permission shows later."""


def is_redrawn(before: Prompt, drawn: Prompt) -> bool:
    """Do both show the same, as far as both show it? And is what only one of them shows out of the other's sight?"""
    if type(before) is not type(drawn) or before.subtype != drawn.subtype or before.options != drawn.options:
        return False
    was, now = parts_of(before.screen_lines), parts_of(drawn.screen_lines)
    if was.is_boxed != now.is_boxed or was.below != now.below or not (was.begins and now.begins):
        return False
    if _is_whole(before) and _is_whole(drawn) and was.above != now.above:  # titles tell, where both are seen
        return False
    some, others = _numbered(was.within), _numbered(now.within)
    both = some.keys() & others.keys()
    if not both or any(some[n] != others[n] for n in both):
        return False
    return not isinstance(drawn, Permission) or abs(max(some) - max(others)) <= _LATE


def _is_whole(drawn: Prompt) -> bool:
    return bool(drawn.screen_lines) and "╭" in drawn.screen_lines[0] and "│" not in drawn.screen_lines[0]


def _numbered(lines: Sequence[str]) -> Mapping[int, str]:
    """What is shown of all there is."""
    hidden = HIDDEN.match(lines[0]) if lines else None
    first = int(hidden[2]) if hidden is not None and hidden[1] != "last" else 0
    shown = [line.strip() for line in lines if not HIDDEN.match(line)]
    while shown and not shown[-1]:
        shown.pop()
    return dict(enumerate(shown, first))
