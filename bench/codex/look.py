"""What a person sees on Codex's screen: patterns of our own, none of coop's."""

import re
from collections.abc import Sequence

from bench.agents.terminal import Sight, any_fits

_DIALOGS = (
    ("permission_prompt", re.compile(r"^\s*Would you like to (run|make)\b"), re.compile(r"^\s*Press enter to confirm or esc")),
    ("ask_user", re.compile(r"^\s*Question \d+/\d+"), re.compile(r"enter to submit (answer|all)")),
    ("plan_prompt", re.compile(r"^\s*Implement this plan\?"), re.compile(r"^\s*enter select · esc back")),
    ("setup_prompt", re.compile(r"^\s*Trust this folder\?"), re.compile(r"^\s*enter continue · esc quit")),
    ("setup_prompt", re.compile(r"^\s*. 1\. Try new model"), re.compile(r"^\s*enter/esc confirm")),
)
_INPUT = re.compile(r"^[›!] ?")
_FOOTER = re.compile(r"^  gpt-\S+ \S+.* · /", re.IGNORECASE)
_WORKS = re.compile(r"esc to interrupt\)|^• Queued follow-up|background terminals? running|^[•◦] Reconnecting")
_ABOUT = re.compile(r"^\s*(?:\$ |Destination: )(\S.*?)\s*$", re.MULTILINE)


def look(at: float, lines: Sequence[str]) -> Sight:
    rows = [line for line in lines if line.strip()]
    tail = rows[-3:]
    dialog = next((kind for kind, body, foot in _DIALOGS if any_fits(rows, body) and any_fits(tail, foot)), "")
    composer = not dialog and any_fits(tail, _FOOTER) and any_fits(rows[-4:], _INPUT)
    works = any_fits(rows[-12:], _WORKS)
    about = _ABOUT.findall("\n".join(rows))[-1:] if dialog == "permission_prompt" else ()
    return Sight(at, dialog, composer and not works, "".join(about), tuple(rows))
