import pytest

from coop.agents.gemini.report import read_report
from coop.model.readings import Claim, Says, Waits
from coop.model.state import Idle, Working


@pytest.mark.parametrize(
    ("title", "claim"),
    [
        ("0;◇  Ready (workspace)          ", Idle()),
        ("0;✦  Working… (workspace)       ", Working()),
        ("0;✋  Action Required (workspace) ", Waits("Action Required")),
        ("0;◇  Ready (✦  Working… (x))", Idle()),
        ("0;◇  Ready", Idle()),
        ("2;◇  Ready (workspace)", Idle()),
    ],
)
def test_a_title_tells_the_state(title: str, claim: Claim) -> None:
    assert read_report(title) == (Says(claim),)


@pytest.mark.parametrize(
    "title", ["", "0;", "0;Working…", "0;✦  Working", "1;✦  Working… (x)", "0;x ✦  Working… (x)", "0;Ready (workspace)"]
)
def test_another_title_tells_nothing(title: str) -> None:
    assert read_report(title) == ()
