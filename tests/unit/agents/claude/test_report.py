import pytest

from coop.agents.claude.report import read_report
from coop.model.readings import Claim, Says, Waits
from coop.model.state import Idle, Working
from coop.terminal.osc import OscReader
from tests.unit.agents.claude.screens import VERSIONS, recording


@pytest.mark.parametrize(
    ("state", "claim"), [("idle", Idle()), ("done", Idle()), ("working", Working()), ("blocked", Waits()), ("error", Idle())]
)
def test_a_status_report_is_read(state: str, claim: Claim) -> None:
    assert read_report(f"7501;state={state}:app=claude-code") == (Says(claim),)
    assert read_report(f"7501;app=claude-code:state={state}:x=y") == (Says(claim),)


@pytest.mark.parametrize("title", ["⠂ Fake title", "⠐ Claude Code", "◐ x", "◑ x"])
def test_a_title_with_a_spinner_is_work(title: str) -> None:
    assert read_report(f"0;{title}") == (Says(Working()),)


def test_a_title_with_a_star_is_rest() -> None:
    assert read_report("0;✳ Claude Code") == (Says(Idle()),)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "0;",
        "0;vim",
        "2;✳ x",
        "7501;",
        "7501;?",
        "7501;state=idle",
        "7501;state=idle:app=codex",
        "7501;state=off:app=claude-code",
    ],
)
def test_other_commands_say_nothing(command: str) -> None:
    assert read_report(command) == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_recorded_turn_is_reported_as_it_happened(version: str) -> None:
    commands = OscReader().feed(recording(version, "text-turn").output())
    claims = [says.claim for command in commands for says in read_report(command) if isinstance(says, Says)]
    changes = [claim for n, claim in enumerate(claims) if n == 0 or claims[n - 1] != claim]
    assert changes == [Idle(), Working(), Idle()]
