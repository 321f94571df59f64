from collections.abc import Sequence

import pytest

from coop.agents.gemini import gemini
from coop.agents.gemini.redrawn import is_redrawn
from coop.model.prompt import Prompt
from coop.model.screen import ScreenSnapshot
from coop.model.state import Prompted
from tests.unit.agents.gemini.screens import box, question, read, shell, tall_shell, writing

ECHOES = tuple(f"echo line{n}" for n in range(40))


def prompt(screen: ScreenSnapshot) -> Prompt:
    says = read(screen).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    return says.claim.prompt


def tall(first: int, last: int, lines: Sequence[str] = ECHOES) -> Prompt:
    return prompt(tall_shell(lines, first, last))


def test_gemini_tells_by_it() -> None:
    assert gemini().is_redrawn is is_redrawn


@pytest.mark.parametrize(
    ("before", "drawn"), [((22, 39), (13, 39)), ((13, 39), (14, 40)), ((22, 39), (14, 40)), ((14, 40), (22, 40))]
)
def test_a_dialog_that_grows_or_shows_its_last_line_is_the_same(before: tuple[int, int], drawn: tuple[int, int]) -> None:
    assert is_redrawn(tall(*before), tall(*drawn))


def test_a_box_without_a_lower_edge_is_one_that_will_have_it() -> None:
    options = (
        "Allow execution of [Shell]?",
        "",
        "● 1. Allow once",
        "  2. Allow for this session",
        "  3. No, suggest changes (esc)",
    )
    title, edge = ("? Shell  echo line0", "         echo line1"), "╭" + "─" * 114 + "╮"
    some = prompt(box(*title, edge, f"│ {'... 1 hidden (Ctrl+O) ...':<112} │", f"│ {'echo line1':<112} │", *options))
    shown = (f"│ {f'echo line{n}':<112} │" for n in range(2))
    assert is_redrawn(some, prompt(box(*title, edge, *shown, "╰" + "─" * 114 + "╯", *options)))


def test_a_question_is_longer_when_there_is_more_room() -> None:
    lines = tuple(f"context line {n}" for n in range(20))
    some, all_of_it = (prompt(question(text="\n".join(each))) for each in (lines[:9], lines))
    assert is_redrawn(some, all_of_it)


@pytest.mark.parametrize(
    "other",
    [
        tall(14, 40, tuple(f"echo two{n}" for n in range(40))),
        tall(14, 40, (*ECHOES[:20], "rm it", *ECHOES[21:])),
        tall(16, 42, (*ECHOES, "touch one", "touch two")),
        tall(24, 50, (*ECHOES[:10], *ECHOES)),
        prompt(shell("echo line39")),
        prompt(writing()),
        prompt(question()),
    ],
    ids=["other lines", "one other line", "more lines", "at another place", "one line", "another tool", "a question"],
)
def test_another_dialog_is_another(other: Prompt) -> None:
    assert not is_redrawn(tall(14, 40), other)
    assert not is_redrawn(other, tall(14, 40))


def test_where_titles_are_seen_they_tell() -> None:
    assert not is_redrawn(prompt(shell("touch one", "1 of 2")), prompt(shell("touch one", "2 of 2")))
    assert not is_redrawn(prompt(writing("one")), prompt(writing("two")))
    assert is_redrawn(prompt(shell("touch one")), prompt(shell("touch one")))
