"""Screens of Codex: recorded ones, and ones drawn by hand where no recording has them."""

from collections.abc import Iterator

from coop.agents.codex import codex
from coop.model.readings import ScreenReading
from coop.model.screen import XTERM, Cursor, ScreenSnapshot, Size
from coop.terminal.ghostty import GhosttyScreen
from tests.support.captured import recordings

CODEX = codex()
VERSION = "0.166.0"
FOOTER = ("", "  GPT-5.5 default · /home/dev/work", "  ? for shortcuts")
HINT = ("", "  Press enter to confirm or esc to cancel")


def read(screen: ScreenSnapshot) -> ScreenReading:
    assert CODEX.read_screen is not None
    return CODEX.read_screen(screen)


def drawn(*lines: str, cursor: Cursor | None = None) -> ScreenSnapshot:
    """At the bottom of a screen of 120 by 40. Without a cursor it is hidden, as it is in a dialog."""
    rows = (*[""] * (40 - len(lines)), *lines)
    return ScreenSnapshot(rows, Size(120, 40), cursor or Cursor(39, 119, visible=False), True, "", 1)


def composer(draft: str = "", *above: str, glyph: str = "›") -> ScreenSnapshot:
    first, *others = draft.split("\n") if draft else ["Ask Codex to do anything"]
    lines = (f"{glyph} {first}", *(f"  {line}" for line in others), *FOOTER)
    row, col = 40 - len(FOOTER) - 1, 2 + len((others or [first])[-1]) if draft else 2
    return drawn(*above, "", *lines, cursor=Cursor(row, col))


def options(*labels: str, marked: int = 1) -> list[str]:
    return [f"{'›' if n == marked else ' '} {n}. {label}" for n, label in enumerate(labels, 1)]


def exec_dialog(command: str, *above: str, marked: int = 1) -> ScreenSnapshot:
    first, *others = command.split("\n")
    body = ("  Would you like to run the following command?", "", "  Environment: local", "", "  Reason: May it?", "")
    chosen = options(
        "Yes, proceed (y)",
        f"Yes, and don't ask again for commands that start with `{first}` (p)",
        "No, and tell Codex what to do differently (esc)",
        marked=marked,
    )
    return drawn(*above, "", *body, f"  $ {first}", *(f"  {line}" for line in others), "", "", *chosen, *HINT)


def question_page(number: int, of: int, text: str, *labels: str, marked: int = 1) -> ScreenSnapshot:
    listed = [f"  {row}" for row in options(*labels, "None of the above         Optionally, add details", marked=marked)]
    return drawn(
        f"  Question {number}/{of} (1 unanswered)", f"  {text}", "", *listed, "", "  tab to add notes | esc to interrupt", ""
    )


def frames(name: str) -> Iterator[ScreenSnapshot]:
    """What is on the screen after each read of a recording that ends a frame."""
    recording = next(each for each in recordings() if each.name == f"codex/{VERSION}/{name}")
    screen = GhosttyScreen(recording.size, XTERM)
    for step in recording.steps:
        if isinstance(step, Size):
            screen.resize(step)
            continue
        screen.feed(step)
        if not screen.in_synchronized_update:
            yield screen.snapshot()
