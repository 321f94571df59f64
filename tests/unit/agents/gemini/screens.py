"""Screens of Gemini CLI: recorded ones, and ones drawn by hand where no recording has them."""

from collections.abc import Iterator, Sequence
from functools import cache

from coop.agents.gemini import gemini
from coop.model.readings import ScreenReading
from coop.model.screen import XTERM, Cursor, ScreenSnapshot, Size
from coop.model.state import Prompted
from coop.terminal.ghostty import GhosttyScreen
from tests.support.captured import recordings

RULE = "─" * 120
GEMINI = gemini()
SPINNER = " ⠦ Thinking... (esc to cancel, 2s)"


def read(screen: ScreenSnapshot) -> ScreenReading:
    assert GEMINI.read_screen is not None
    return GEMINI.read_screen(screen)


def drawn(*lines: str) -> ScreenSnapshot:
    """As much as these lines, on a screen of 120 by 40."""
    return ScreenSnapshot((*lines, *[""] * (40 - len(lines))), Size(120, 40), Cursor(0, 0), False, "", 1)


def composer(draft: str = "", *above: str, glyph: str = ">", mode: str = " Shift+Tab to accept edits") -> ScreenSnapshot:
    shown = draft or "  Type your message or @path/to/file"
    first, *others = shown.split("\n")
    return drawn(*above, RULE, mode, "", f" {glyph} {first}", *(f"   {line}" for line in others), "", " workspace (/directory)")


def box(*lines: str) -> ScreenSnapshot:
    inside = (f"│ {line:<116} │" for line in lines)
    return drawn(" > a message", "", "╭" + "─" * 118 + "╮", *inside, "╰" + "─" * 118 + "╯")


def shell(command: str = "touch made", count: str = "") -> ScreenSnapshot:
    inner = ("╭" + "─" * 114 + "╮", f"│ {command:<112} │", "╰" + "─" * 114 + "╯")
    head = f"? Shell  {command}{count:>{100 - len(command)}}".rstrip()
    options = ("● 1. Allow once", "  2. Allow for this session", "  3. No, suggest changes (esc)")
    return box(head, *inner, "Allow execution of [Shell]?", "", *options)


def tall_shell(lines: Sequence[str], first: int, last: int) -> ScreenSnapshot:
    """Of a command taller than the screen, the lines from `first` up to `last`; the rest of its title is above them."""
    hidden = f"... first {first} lines hidden (Ctrl+O to show) ..."
    inner = ("╭" + "─" * 114 + "╮", *(f"│ {line:<112} │" for line in (hidden, *lines[first:last])), "╰" + "─" * 114 + "╯")
    options = (
        "Allow execution of [Shell]?",
        "",
        "● 1. Allow once",
        "  2. Allow for this session",
        "  3. No, suggest changes (esc)",
    )
    rows = [f"│ {line:<116} │" for line in (*(f"{'':9}{line}" for line in lines), *inner, *options)]
    return drawn(*rows[-38:], "╰" + "─" * 118 + "╯")


def writing(name: str = "made.txt") -> ScreenSnapshot:
    options = (
        "● 1. Allow once",
        "  2. Allow for this session",
        "  3. Modify with external editor",
        "  4. No, suggest changes (esc)",
    )
    return box(f"? WriteFile  Writing to {name}", "1 hello", "Apply this change?", "", *options)


def question(
    *, marked: int = 1, text: str = "Which database should we use?", labels: tuple[str, ...] = ("PostgreSQL", "SQLite")
) -> ScreenSnapshot:
    listed = [f"{'●' if n == marked else ' '} {n}.  {label}" for n, label in enumerate((*labels, "Enter a custom value"), 1)]
    return box("Answer Questions", "", *text.split("\n"), "", *listed, "", "Enter to select · ↑/↓ to navigate · Esc to cancel")


REVIEW = box(
    "Answer Questions",
    "",
    "Review your answers:",
    "",
    "Database → SQLite",
    "",
    "Enter to submit · Tab/Shift+Tab to edit answers · Esc to cancel",
)
PLAN = box(
    "Ready to start implementation?",
    "",
    "Auth plan",
    " - Step one",
    "",
    "● 1.  Yes, automatically accept edits",
    "      Approves plan and allows tools to run automatically",
    "  2.  Yes, manually accept edits",
    "  3.  Type your feedback...",
    "",
    "Enter to select · ↑/↓ to navigate · Ctrl+G to edit plan · Esc to cancel",
)
TRUST = box(
    "Do you trust the files in this folder?",
    "",
    "It could run code.",
    "",
    "● 1. Trust folder (x)",
    "  2. Trust parent folder (y)",
    "  3. Don't trust",
)


def frames(name: str) -> Iterator[ScreenSnapshot]:
    """What is on the screen after each read."""
    recorded = next(each for each in recordings() if each.name == f"gemini/0.61.0/{name}")
    screen = GhosttyScreen(recorded.size, XTERM)
    for step in recorded.steps:
        if isinstance(step, Size):
            screen.resize(step)
        else:
            screen.feed(step)
            yield screen.snapshot()


@cache
def readings(name: str) -> tuple[ScreenReading, ...]:
    return tuple(read(frame) for frame in frames(name))


def prompts(name: str) -> list[object]:
    """What the recorded session asked, each once, in order."""
    found: list[object] = []
    for reading in readings(name):
        match reading.says:
            case None:
                continue
            case says if isinstance(says.claim, Prompted) and says.final and (not found or found[-1] != says.claim.prompt):
                found.append(says.claim.prompt)
    return found
