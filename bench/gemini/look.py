"""What a person sees on Gemini CLI's screen: patterns of our own, none of coop's."""

import re
from collections.abc import Sequence

from bench.agents.terminal import Sight, any_fits

_BOX = re.compile(r"^ ?╰─{20,}╯")
_SIDES = re.compile(r"^ ?│ ?(?:│ )?|(?: │)? ?│$")
_DIALOGS = (
    ("plan_prompt", re.compile(r"^Ready to start implementation\?"), re.compile(r"Yes, manually accept edits")),
    ("ask_user", re.compile(r"^Answer Questions"), re.compile(r"Enter to (select|submit)|Esc to cancel")),
    ("ask_user", re.compile(r"^\? +A potential loop was detected"), re.compile(r"Disable loop detection")),
    ("permission_prompt", re.compile(r"^\? "), re.compile(r"No, suggest changes \(esc\)")),
    ("setup_prompt", re.compile(r"^Do you trust the files in this folder\?"), re.compile(r"Don't trust")),
)
_RULE = re.compile(r"^─{20,}$")
_INPUT = re.compile(r"^ [>*!] ")
_WORKS = re.compile(r"^ ?[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|esc to cancel|^\s*Queued \(press")
_ABOUT = re.compile(r"^\? +(.*?) *$", re.MULTILINE)


def look(at: float, lines: Sequence[str]) -> Sight:
    """A dialog is the box at the foot; when there is none, the input stands there, below a rule."""
    rows = [line.rstrip() for line in lines if line.strip()]
    box = _box(rows)
    dialog = next((kind for kind, title, foot in _DIALOGS if any_fits(box, title) and any_fits(box, foot)), "")
    rules = [number for number, row in enumerate(rows) if _RULE.match(row)]
    below = rows[rules[-1] + 1 :] if rules else []
    composer = not dialog and any_fits(below[:4], _INPUT)
    works = any_fits(rows[max(0, rules[-1] - 6) : rules[-1]], _WORKS) if rules else True
    about = _ABOUT.findall("\n".join(box))[-1:] if dialog == "permission_prompt" else ()
    return Sight(at, dialog, composer and not works, "".join(about), tuple(rows))


def _box(rows: Sequence[str]) -> list[str]:
    """What stands in the last box, when nothing stands below it."""
    if not rows or not _BOX.match(rows[-1]):
        return []
    top = max((number for number, row in enumerate(rows) if re.match(r"^ ?╭─{20,}╮$", row)), default=0)
    return [_SIDES.sub("", row).strip() for row in rows[top:]]
