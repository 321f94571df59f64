import pytest

from coop.agents.codex.report import read_report
from coop.model.readings import Says, Waits
from coop.model.state import Idle, Working


@pytest.mark.parametrize(
    ("command", "claim"),
    [
        ("7501;state=idle:app=codex", Idle()),
        ("7501;state=working:app=codex", Working()),
        ("7501;state=blocked:app=codex:kind=permission", Waits("permission")),
        ("7501;state=done:app=codex", Idle()),
        ("7501;state=error:app=codex", Idle()),
    ],
)
def test_a_report_is_read(command: str, claim: object) -> None:
    assert read_report(command) == (Says(claim),)  # type: ignore[arg-type]


@pytest.mark.parametrize("command", ["7501;state=clear", "7501;state=idle:app=other", "0;⠋ work", "7501;", "x"])
def test_what_says_nothing_says_nothing(command: str) -> None:
    assert read_report(command) == ()
