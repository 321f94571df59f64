import pytest

from coop.cli.console.status import Known, status_row
from coop.model.screen import Size
from coop.wire.states import PromptContext


def text(known: Known, cols: int = 60) -> str:
    row = status_row(known, Size(cols, 23))
    assert sum(run.width for run in row) == cols
    assert all(len(run.text) == run.width for run in row)
    return "".join(run.text for run in row).rstrip()


def test_it_tells_the_session_its_state_and_how_to_leave() -> None:
    told = text(Known("work", "working", hint="Ctrl-\\ d detaches"))
    assert told.startswith(" work  ● working ")
    assert told.endswith("Ctrl-\\ d detaches")


def test_it_tells_what_is_asked() -> None:
    prompt = PromptContext(type="permission", tool="Bash", input_preview="rm -rf\n build")
    assert text(Known("work", "permission_prompt", prompt)) == " work  ● asks for permission  Bash rm -rf build"


def test_a_program_of_which_nothing_is_known_has_no_state() -> None:
    assert text(Known("work")) == " work"


def test_news_stand_before_the_state() -> None:
    assert text(Known("work", "working").saying("connected again")) == " work  connected again"


def test_it_says_when_not_everything_is_shown() -> None:
    assert text(Known("work", size=Size(200, 50))).endswith("60×23 of 200×50")


@pytest.mark.parametrize("cols", [1, 2, 5, 10, 20])
def test_it_is_never_wider_than_the_terminal(cols: int) -> None:
    text(Known("a long name", "working", hint="Ctrl-\\ d detaches"), cols)


def test_what_is_not_one_cell_wide_is_not_drawn() -> None:
    prompt = PromptContext(type="question", question="wide 你 \x1b[31m e\u0301 fine…")
    assert "wide ? ?[31m e? fine…" in text(Known("work", "ask_user", prompt))
