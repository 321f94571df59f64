"""What a person sees on Claude Code's screen: patterns of our own, none of coop's."""

import re
from collections.abc import Sequence
from itertools import pairwise

from bench.agents.subject import IDLE
from bench.agents.terminal import Sight, any_fits

_SPINS = re.compile(r"^\s*[·✢✳✶✻✽*∗] (\S.*…|.*Retrying in )")
_COMPOSER = re.compile(r"^[❯!]\xa0")
_RULER = re.compile(r"^─{20,}")
_DIALOGS = (
    ("plan_prompt", re.compile(r"^\s*❯? ?3?\.? ?Tell Claude what to change"), re.compile(r"^\s*ctrl\+g to edit in")),
    (
        "ask_user",
        re.compile(r"^\s*❯? ?\d\. (Chat about this|Submit answers|\S)"),
        re.compile(r"Enter to select ·|^\s+2\. Cancel"),
    ),
    ("permission_prompt", re.compile(r"^\s*Do you want to (proceed|create|make this edit)"), re.compile(r"^\s*Esc to cancel")),
    ("ask_user", re.compile(r"^\s*Auto mode can't check actions"), re.compile(r"Enter to stay in auto mode")),
    (
        "setup_prompt",
        re.compile(r"Yes, I trust this folder|Yes, I accept|No \(recommended\)"),
        re.compile(r"^\s*Enter to confirm"),
    ),
)
_ABOUT = re.compile(
    r"^[ │]*(touch \S+|sleep \S+|\S+\.txt|made-\S+|Read\(\S+\)|npm test|Auto mode's safety .*|The (?:other )?plan)\s*$",
    re.MULTILINE,
)
LOOK = 30
"""So many rows from below are looked at."""


def look(at: float, lines: Sequence[str]) -> Sight:
    rows = [line for line in lines if line.strip()][-LOOK:]
    composer = any(_RULER.match(above) and _COMPOSER.match(line) for above, line in pairwise(rows))
    spins = any(_SPINS.match(line) for line in rows[-20:])
    tail = rows[-2:]
    dialog = (
        "" if composer else next((kind for kind, body, foot in _DIALOGS if any_fits(rows, body) and any_fits(tail, foot)), "")
    )
    about = _ABOUT.findall("\n".join(rows))[-1:] if dialog in ("permission_prompt", "plan_prompt") else ()
    return Sight(at, dialog, composer and not spins, "".join(about), tuple(rows))


def final(lines: Sequence[str]) -> str:
    """What stands under the last message."""
    said = max((at for at, line in enumerate(lines) if line.startswith("❯ ")), default=0)
    return "error" if any("API Error" in line for line in lines[said:]) else IDLE
