from coop.mcp.seen import reason_of, screen_text, session_of, state_of
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Permission, Question
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import AgentState, ErrorKind, Exited, ExitStatus, Failed, Idle, Prompted, Tier, Working
from coop.model.view import Health, Snapshot


def snapshot(state: AgentState) -> Snapshot:
    return Snapshot(state, "claude", "e", EventSeq(1), 1, 1, tier=Tier.HOOKS, cwd="/work")


def test_a_state_is_told_in_the_words_of_the_wire_without_what_is_not_known() -> None:
    assert state_of("a", snapshot(Idle())) == {
        "session": "a",
        "agent": "claude",
        "state": "waiting_for_input",
        "detection_tier": "hooks",
        "cwd": "/work",
    }


def test_a_prompt_is_told_with_all_that_is_needed_to_answer_it() -> None:
    asked = Permission(PromptId("p1"), "Bash", {"command": "ls"}, ("Yes", "No"))
    told = state_of("a", snapshot(Prompted(asked, (asked, Question(PromptId("p2"), "Which?")))))
    assert told["prompt"] == {
        "type": "permission",
        "id": "p1",
        "tool": "Bash",
        "input": {"command": "ls"},
        "input_preview": "ls",
        "options": ("Yes", "No"),
    }
    prompts = told["prompts"]
    assert isinstance(prompts, list)
    assert [each["id"] for each in prompts] == ["p1", "p2"]


def test_errors_and_exits_have_their_fields() -> None:
    failed = state_of("a", snapshot(Failed("too much", ErrorKind.RATE_LIMITED, "at noon")))
    assert (failed["detail"], failed["error_kind"], failed["resets_at"]) == ("too much", "rate_limited", "at noon")
    assert state_of("a", snapshot(Exited(ExitStatus(3))))["exit_code"] == 3


def test_what_can_be_waited_for_has_a_name() -> None:
    states = (Idle(), Prompted(Question(PromptId("p"), "?")), Failed("x"), Exited(ExitStatus(0)), Working())
    assert [reason_of(state) for state in states] == ["idle", "prompt", "error", "exit", None]


def test_a_screen_is_told_without_the_blanks_at_its_edges() -> None:
    shown = ScreenSnapshot(("  a   ", "", "b", "", ""), Size(6, 5), Cursor(0, 0), False, "", 1)
    assert screen_text(shown, ("above ",)) == "above\n  a\n\nb"


def test_ones_own_session_is_marked() -> None:
    health = Health("running", "claude", "a", Size(80, 24), 7, 12.0, "0.1.0")
    assert session_of(health, snapshot(Idle()), is_own=True)["is_own"] is True
    assert "is_own" not in session_of(health, snapshot(Idle()), is_own=False)
