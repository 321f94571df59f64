"""All the cases. They were written before any terminal was asked, and none is dropped for its answer."""

from . import cases_cursor, cases_editing, cases_screen, cases_text
from .case import Case

CASES: tuple[Case, ...] = (
    *cases_cursor.MOTION,
    *cases_cursor.WRAP,
    *cases_cursor.TABS,
    *cases_editing.REGIONS,
    *cases_editing.EDIT,
    *cases_editing.ERASE,
    *cases_text.WIDE,
    *cases_text.SGR,
    *cases_screen.ALTERNATE,
    *cases_screen.RESIZE,
    *cases_screen.SPLIT,
    *cases_screen.STRINGS,
)
