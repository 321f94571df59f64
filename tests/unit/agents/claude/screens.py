"""Screens of Claude Code: recorded ones, and ones drawn by hand where no recording has them."""

from collections.abc import Iterator
from functools import cache

from coop.agents.claude import claude
from coop.agents.dialogs import Dialog, find_dialog
from coop.model.readings import ScreenReading
from coop.model.screen import XTERM, Cursor, ScreenSnapshot, Size
from coop.model.state import Prompted
from coop.terminal.ghostty import GhosttyScreen
from tests.support.captured import Recording, recordings

VERSIONS = ("2.1.197", "2.1.325")
RULE = "─" * 120
CLAUDE = claude()


def read(screen: ScreenSnapshot) -> ScreenReading:
    assert CLAUDE.read_screen is not None
    return CLAUDE.read_screen(screen)


def drawn(*lines: str, seq: int = 1) -> ScreenSnapshot:
    """As much as these lines, on a screen of 120 by 40."""
    return ScreenSnapshot((*lines, *[""] * (40 - len(lines))), Size(120, 40), Cursor(0, 0), False, "", seq)


def composer(draft: str = "", *above: str, below: str = "  ? for shortcuts") -> ScreenSnapshot:
    first, *others = draft.split("\n")
    return drawn(*above, RULE, f"❯\xa0{first}", *(f"  {line}" for line in others), RULE, below)


@cache
def recording(version: str, name: str) -> Recording:
    return next(each for each in recordings() if each.name == f"claude/{version}/{name}")


def frames(version: str, name: str) -> Iterator[ScreenSnapshot]:
    """What is on the screen after each read that ends a frame."""
    recorded = recording(version, name)
    screen = GhosttyScreen(recorded.size, XTERM)
    for step in recorded.steps:
        if isinstance(step, Size):
            screen.resize(step)
        else:
            screen.feed(step)
            if not screen.in_synchronized_update:
                yield screen.snapshot()


@cache
def readings(version: str, name: str) -> tuple[tuple[ScreenSnapshot, ScreenReading], ...]:
    return tuple((frame, read(frame)) for frame in frames(version, name))


@cache
def dialog_screens(version: str, name: str) -> tuple[ScreenSnapshot, ...]:
    """The recorded screens that show a dialog, once each."""
    found: dict[tuple[str, ...], ScreenSnapshot] = {}
    for frame, reading in readings(version, name):
        if reading.says is not None and isinstance(reading.says.claim, Prompted):
            found.setdefault(reading.says.claim.prompt.screen_lines, frame)
    return tuple(found.values())


def dialog_on(screen: ScreenSnapshot) -> Dialog:
    dialog = find_dialog(screen.lines)
    assert dialog is not None
    return dialog
