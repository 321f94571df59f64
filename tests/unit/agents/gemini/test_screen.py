import pytest

from coop.agents.gemini import gemini
from coop.errors import ConfigError
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.model.readings import Composer, Learned, Says
from coop.model.screen import ScreenSnapshot
from coop.model.state import Idle, Prompted, Working
from tests.unit.agents.gemini.screens import (
    PLAN,
    REVIEW,
    SPINNER,
    TRUST,
    box,
    composer,
    drawn,
    prompts,
    question,
    read,
    readings,
    shell,
    writing,
)


def claim(screen: ScreenSnapshot) -> object:
    says = read(screen).says
    return says.claim if says else None


def asked(screen: ScreenSnapshot) -> Prompt:
    found = claim(screen)
    assert isinstance(found, Prompted)
    return found.prompt


def test_an_empty_input_is_at_rest() -> None:
    reading = read(composer())
    assert reading.says is not None
    assert reading.says.claim == Idle()
    assert reading.composer == Composer("")


@pytest.mark.parametrize("draft", ["half a thought", "one\ntwo", "[Pasted Text: 6000 chars]"])
def test_what_somebody_typed_is_a_draft(draft: str) -> None:
    assert read(composer(draft)).composer == Composer(draft)


def test_the_mode_in_which_a_shell_runs_what_is_typed_is_seen() -> None:
    reading = read(composer("  Type your shell command", glyph="!", mode="  shell mode enabled (esc to disable)"))
    assert reading.composer == Composer("", runs_shell=True)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        (SPINNER, Working()),
        (" ⠋ Executing Hooks: coop, coop", Working()),
        ("  Executing Hook: coop                                        ? for shortcuts", Idle()),
        ("✦ the words (esc to cancel are quoted here", Idle()),
    ],
)
def test_the_line_above_the_input_tells_of_work(line: str, state: object) -> None:
    above = (line, "") if line.startswith("✦") else ("✦ words", "", line)
    assert claim(composer("", *above)) == state


def test_a_queue_is_seen() -> None:
    assert read(composer("", " Queued (press ↑ to edit):", "   and then this", "", SPINNER)).queued
    assert not read(composer("", SPINNER)).queued


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (" Shift+Tab to accept edits", "default"),
        (" auto-accept edits Shift+Tab to plan", "auto_edit"),
        (" plan Shift+Tab to manual", "plan"),
    ],
)
def test_the_mode_and_the_version_are_learned(mode: str, name: str) -> None:
    assert read(composer("", " ▝▜▄     Gemini CLI v0.61.0", mode=mode)).learned == Learned(
        version="0.61.0", permission_mode=name
    )


def test_a_shell_command_is_a_permission_with_its_command() -> None:
    prompt = asked(shell("touch made"))
    assert isinstance(prompt, Permission)
    assert (prompt.tool, prompt.input) == ("run_shell_command", {"command": "touch made"})
    assert prompt.options == ("Allow once", "Allow for this session", "No, suggest changes (esc)")


def test_of_several_permissions_it_is_told_which_one_is_shown() -> None:
    assert read(shell(count="1 of 2")).answered == 0
    assert read(shell(count="2 of 2")).answered == 1


def test_an_edit_is_a_permission_with_its_file() -> None:
    prompt = asked(writing("made.txt"))
    assert isinstance(prompt, Permission)
    assert (prompt.tool, prompt.input, prompt.options[2]) == (
        "write_file",
        {"file_path": "made.txt"},
        "Modify with external editor",
    )


def test_a_tool_we_have_no_name_for_is_called_as_it_is_shown() -> None:
    screen = box(
        "Action Required",
        "",
        "?  Enter Plan Mode a reason",
        "",
        "Do you want to proceed?",
        "● 1. Allow once",
        "  2. No, suggest changes (esc)",
    )
    prompt = asked(screen)
    assert isinstance(prompt, Permission)
    assert prompt.tool == "Enter Plan Mode a reason"


def test_a_question_has_its_choices_without_those_the_agent_adds() -> None:
    prompt = asked(question())
    assert isinstance(prompt, Question)
    assert prompt.options == ("PostgreSQL", "SQLite")
    assert prompt.queries == (Query("Which database should we use?", (Choice("PostgreSQL"), Choice("SQLite"))),)


def test_boxes_can_be_ticked() -> None:
    screen = box(
        "Answer Questions",
        "",
        "Which ones?",
        "(Select all that apply)",
        "",
        "▲",
        "● 1. [x] Auth",
        "  2. [ ] Search",
        "▼",
        "",
        "Enter to select",
    )
    prompt = asked(screen)
    assert isinstance(prompt, Question)
    assert prompt.queries == (Query("Which ones?", (Choice("Auth"), Choice("Search")), takes_many=True),)


def test_plan_review_and_trust_are_told_apart() -> None:
    plan, review, trust = asked(PLAN), asked(REVIEW), asked(TRUST)
    assert isinstance(plan, Plan)
    assert "Step one" in plan.text
    assert isinstance(review, Question)
    assert review.subtype == "review"
    assert isinstance(trust, Setup)
    assert (trust.subtype, trust.options[0]) == ("trust", "Trust folder (x)")


def test_a_loop_is_asked_about_for_certain_since_no_other_source_tells_of_it() -> None:
    screen = box(
        "?  A potential loop was detected",
        "",
        "Do you want to keep loop detection enabled or",
        "disable it for this session?",
        "",
        "● 1. Keep loop detection enabled (esc)",
        "  2. Disable loop detection for this session",
    )
    says, prompt = read(screen).says, asked(screen)
    assert says is not None
    assert says.final
    assert isinstance(prompt, Question)
    assert (prompt.subtype, prompt.options[0]) == ("loop", "Keep loop detection enabled (esc)")


def test_a_plan_that_is_still_being_read_is_not_asked_yet() -> None:
    says = read(box("Ready to start implementation?")).says
    assert says is not None
    assert not says.final


def test_a_restart_is_work() -> None:
    assert claim(
        drawn(*(line for line in TRUST.lines if line), "", " Gemini CLI is restarting to apply the trust changes...")
    ) == Working("restarting")


def test_what_is_neither_is_kept_to_be_shown() -> None:
    assert read(drawn("Something", "", "else")).unread == ("Something", "else")


def test_the_recorded_sessions_ask_what_they_asked() -> None:
    shells, edits, questions = (prompts(name) for name in ("shell-permission", "edit-permission-resize", "question"))
    assert all(isinstance(each, Permission) and each.tool == "run_shell_command" for each in shells)
    assert shells
    assert {each.tool for each in edits if isinstance(each, Permission)} == {"replace"}
    assert [each.subtype for each in questions if isinstance(each, Question)][-1] == "review"


def test_a_recorded_plan_is_asked_for_with_its_text() -> None:
    entering, *plans = prompts("plan")
    assert isinstance(entering, Permission)
    assert entering.tool.startswith("Enter Plan Mode")
    assert plans
    assert all(isinstance(each, Plan) and "Step one" in each.text for each in plans)


def _is_asked(says: Says) -> bool:
    return says.final and isinstance(says.claim, Prompted)


def test_recorded_permissions_that_came_at_once_are_counted() -> None:
    counted = [reading.answered for reading in readings("two-permissions") if reading.says and _is_asked(reading.says)]
    assert set(counted) == {0, 1}
    assert counted == sorted(counted, key=lambda each: each or 0)


def test_recorded_boxes_are_ticked_in_a_list_that_scrolls() -> None:
    asked = [each for each in prompts("several-options") if isinstance(each, Question)]
    assert {each.text for each in asked} == {"Which features are needed?"}
    assert all(each.queries[0].takes_many for each in asked)


@pytest.mark.parametrize("name", ["text-turn", "interrupt"])
def test_a_recorded_turn_is_seen_to_work_and_to_rest(name: str) -> None:
    claims = [reading.says.claim for reading in readings(name) if reading.says and reading.says.final]
    assert Working() in claims
    assert claims[-1] == Idle()


def test_a_file_of_dialogs_that_is_wrong_says_where() -> None:
    with pytest.raises(ConfigError, match=r"mine.toml: \[screen\] has no key 'spinner'"):
        gemini({"screen": {"spinner": "x"}}, source="mine.toml")
