"""Our own screen's opinion."""

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen

from .case import Case
from .seen import Seen, see


def ask(case: Case) -> Seen:
    screen = GhosttyScreen(case.size, XTERM)
    for step in case.steps:
        if isinstance(step, Size):
            screen.resize(step)
        else:
            screen.feed(step)
    now = screen.snapshot()
    cursor = (now.cursor.row, now.cursor.col)
    return see(screen.cells(), cursor, cols=now.size.cols, alternate=now.alt_screen, title=now.title)
