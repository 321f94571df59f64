import re

import pytest

from coop.agents.patterns import Option, ScreenPatterns
from coop.model.readings import Claim, Composer
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working

SHELL = ScreenPatterns(
    prompt=(re.compile(r"^\[(exit \d+|more)\] \$( |$)"),),
    error=(re.compile(r"^\[(exit [1-9]\d*)\] \$"),),
    question=(re.compile(r"\(y/n\)$"),),
    at_cursor=True,
)
PYTHON = ScreenPatterns(
    prompt=(re.compile(r"^(>>>|\.\.\.)( |$)"),),
    error=(re.compile(r"^Traceback "),),
    detail=(re.compile(r"^\w+Error: .*"),),
    at_cursor=True,
)


def screen(*lines: str, row: int | None = None, cols: int = 40, alt: bool = False) -> ScreenSnapshot:
    """The cursor is on the last line, unless told otherwise."""
    rows = len(lines) - 1 if row is None else row
    return ScreenSnapshot((*lines, "", ""), Size(cols, len(lines) + 2), Cursor(rows, 0), alt, "", 1)


def claim(patterns: ScreenPatterns, *lines: str, row: int | None = None, alt: bool = False) -> Claim | None:
    says = patterns.read(screen(*lines, row=row, alt=alt)).says
    return says.claim if says is not None else None


@pytest.mark.parametrize(
    ("lines", "row", "expected"),
    [
        (("[exit 0] $",), None, Idle()),
        (("[exit 0] $ ls", "a b", "[exit 0] $ dra"), None, Idle()),
        (("[exit 0] $ sleep 9", ""), None, Working()),
        (("[exit 0] $ cat log", "[exit 0] $ quoted", ""), None, Working()),
        (("[exit 0] $ make", "compiling [exit 0] $",), None, Working()),
        (("[exit 0] $ for x in 1 2; do", "[more] $"), None, Idle()),
        (("[exit 0] $ false", "[exit 1] $"), None, Failed("exit 1")),
        (("[exit 1] $ sleep 9", ""), None, Working()),
        (("[exit 1] $ true", "[exit 0] $"), None, Idle()),
        (("[exit 0] $", "menu of completions"), 0, Idle()),
        (("[exit 0] $ rm -i x", "remove x? (y/n)"), None, Prompted),
        (("[exit 0] $ rm -i x", "remove x? (y/n)", "[exit 0] $"), None, Idle()),
        (("",), None, None),
    ],
)  # fmt: skip
def test_a_shell_is_where_its_cursor_is(lines: tuple[str, ...], row: int | None, expected: object) -> None:
    found = claim(SHELL, *lines, row=row)
    assert found == expected or (isinstance(expected, type) and isinstance(found, expected))


def test_an_editor_in_a_shell_is_told_apart() -> None:
    assert claim(SHELL, "~", "~", alt=True) == AltScreen()


def test_an_error_lasts_until_the_next_command_and_says_why() -> None:
    traceback = ("Traceback (most recent call last):", '  File "<stdin>", line 1', "ZeroDivisionError: division by zero")
    assert claim(PYTHON, ">>> 1/0", *traceback, ">>>") == Failed("ZeroDivisionError: division by zero")
    assert claim(PYTHON, ">>> 1/0", *traceback, ">>> tim") == Failed("ZeroDivisionError: division by zero")
    assert claim(PYTHON, ">>> 1/0", *traceback, ">>> time.sleep(3)", "") == Working()
    assert claim(PYTHON, ">>> f()", *traceback, "") == Working()
    assert claim(PYTHON, ">>> 1/0", *traceback, ">>> 2", "2", ">>>") == Idle()


def test_the_draft_is_what_stands_behind_the_prompt() -> None:
    assert SHELL.read(screen("[exit 0] $ make te")).composer == Composer("make te")
    assert SHELL.read(screen("[exit 0] $")).composer == Composer("")
    assert SHELL.read(screen("[exit 0] $ make", "")).composer is None
    assert ScreenPatterns(prompt=SHELL.prompt).read(screen("[exit 0] $ a placeholder")).composer is None


def test_a_line_that_is_wrapped_is_one() -> None:
    assert SHELL.read(screen("[exit 0] $ 12345", "6789", cols=16)).composer == Composer("123456789")
    assert SHELL.shown(screen("[exit 0] $ 12345", "6789", "[exit 0] $", cols=16)).given == "123456789"


def test_a_prompt_under_a_full_row_is_a_line_of_its_own() -> None:
    assert SHELL.read(screen("[exit 0] $ x", "1234567890123456", "[exit 0] $", cols=16)).composer == Composer("")


def test_options_are_chosen_by_what_the_screen_says() -> None:
    options = (re.compile(r"^(?P<key>\w)\) (?P<label>.+)$"),)
    named = ScreenPatterns(question=(re.compile(r"\?$"),), option=options)
    assert named.options_on(named.shown(screen("Which?", "a) this", "b) that"))) == (Option("this", "a"), Option("that", "b"))
    counted = ScreenPatterns(question=(re.compile(r"\?$"),), option=(re.compile(r"^- (.+)$"),))
    assert counted.options_on(counted.shown(screen("Which?", "- this", "- that"))) == (Option("this", "1"), Option("that", "2"))


MENU = ScreenPatterns(question=(re.compile(r"\?"),), option=(re.compile(r"^\d\) (.+)$"),))


@pytest.mark.parametrize(
    ("lines", "text", "labels"),
    [
        (("remove a? n", "remove b?"), "remove b?", []),
        (("Which?", "1) this?", "2) that?"), "Which?", ["this?", "that?"]),
        (("1) this", "2) that", "Which?"), "Which?", ["this", "that"]),
        (("Which?", "1) this", "2) that", "> 1", "And?", "1) so", "2) thus"), "And?", ["so", "thus"]),
        (("Which?", "1) this", "2) that", "> 1", "Sure?"), "Sure?", []),
        (("1) this", "2) that", "Which? 1", "1) so", "2) thus", "And?"), "And?", ["so", "thus"]),
    ],
)  # fmt: skip
def test_the_last_question_is_asked_with_its_own_options(lines: tuple[str, ...], text: str, labels: list[str]) -> None:
    asked = MENU.question_on(MENU.shown(screen(*lines)))
    assert asked is not None
    assert (asked.text, list(asked.options)) == (text, labels)
