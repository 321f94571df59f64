"""Every kind of prompt, answered in every way: checked by what happened, not by our own word."""

import re
from collections import deque
from dataclasses import replace
from typing import Any

import pytest

from coop.testing import eventually
from coop.testing.google import Reply, Use, say, use
from tests.live.gemini.conftest import BARE, IDLE, Lab, StartLab
from tests.support.lab import in_short

DATABASES: dict[str, Any] = {
    "question": "Which database should we use?",
    "header": "Database",
    "type": "choice",
    "options": [{"label": "PostgreSQL", "description": "Robust"}, {"label": "SQLite", "description": "Simple"}],
}
LANGUAGES: dict[str, Any] = {
    "question": "Which language do you prefer?",
    "header": "Language",
    "type": "choice",
    "options": [{"label": "Python", "description": "py"}, {"label": "Go", "description": "go"}],
}
FEATURES: dict[str, Any] = {
    "question": "Which features are needed?",
    "header": "Features",
    "type": "choice",
    "multiSelect": True,
    "options": [{"label": name, "description": name.lower()} for name in ("Auth", "Search", "Billing")],
}
TOOLS = ("run_shell_command", "write_file", "replace")


def tool_use(tool: str, lab: Lab, name: str) -> Reply:
    """What makes the file, or fills it."""
    match tool:
        case "run_shell_command":
            return use(tool, command=f"touch {name}", description="Make a file")
        case "write_file":
            return use(tool, file_path=str(lab.made(name)), content="made\n")
        case _:
            lab.made(name).write_text("old\n")
            return use(tool, file_path=str(lab.made(name)), instruction="new", old_string="old", new_string="made")


def is_made(lab: Lab, name: str) -> bool:
    return lab.made(name).exists() and lab.made(name).read_text() != "old\n"


def outcome(lab: Lab) -> tuple[str, str]:
    told = lab.event("answered")
    return told["by"], told["outcome"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_permitted_tool_runs(ready: Lab, tool: str) -> None:
    ready.tell("make the file", tool_use(tool, ready, f"permitted-{tool}"), say("It is there."))
    prompt = ready.asked("permission_prompt", drawn=True)
    assert (prompt["tool"], prompt["options"][0]) == (tool, "Allow once")
    assert f"permitted-{tool}" in prompt["input_preview"]
    assert not is_made(ready, f"permitted-{tool}")
    reply = ready.respond(accept=True, prompt_id=prompt["id"])
    assert (reply["via"], reply["effect"]) == ("keys", "accepted")
    ready.until(IDLE)
    assert is_made(ready, f"permitted-{tool}")
    assert outcome(ready) == ("api", "accepted")


@BARE
@pytest.mark.parametrize("tool", TOOLS)
def test_a_denied_tool_does_not_run_and_the_turn_ends(ready: Lab, tool: str) -> None:
    ready.tell("make the file", tool_use(tool, ready, f"denied-{tool}"), say("never said"))
    ready.asked("permission_prompt", drawn=True)
    assert ready.respond(accept=False)["effect"] == "denied"
    ready.until(IDLE)
    assert not is_made(ready, f"denied-{tool}")
    assert "never said" not in ready.wire.text()
    assert outcome(ready) == ("api", "denied")


@BARE
def test_a_denial_takes_no_words_and_the_editor_is_never_opened(ready: Lab) -> None:
    ready.tell("write it", tool_use("write_file", ready, "wordless"), say("never said"))
    options = ready.asked("permission_prompt", drawn=True)["options"]
    editor = options.index("Modify with external editor") + 1
    for body in ({"accept": False, "text": "another name"}, {"option": editor}):
        refused = ready.wire.request("POST", "/api/v1/agent/respond", json=body)
        assert refused.status_code == 400, refused.text
    assert ready.state()["state"] == "permission_prompt"
    ready.respond(option=options.index("No, suggest changes (esc)") + 1)
    ready.until(IDLE)
    assert not is_made(ready, "wordless")


@BARE
def test_a_denial_at_the_keyboard_is_told(ready: Lab) -> None:
    ready.tell("make the file", tool_use("run_shell_command", ready, "by-hand"), say("never said"))
    ready.asked("permission_prompt", drawn=True)
    ready.press_until("Escape", lambda: ready.state()["state"] == IDLE)
    assert outcome(ready) == ("keyboard", "denied")
    assert not is_made(ready, "by-hand")


def test_what_is_accepted_at_the_keyboard_is_told(ready: Lab) -> None:
    ready.tell("make the file", tool_use("run_shell_command", ready, "allowed-by-hand"), say("It is there."))
    ready.asked("permission_prompt", drawn=True)
    ready.press_until("Enter", lambda: ready.state()["state"] != "permission_prompt")
    ready.until(IDLE)
    assert outcome(ready) == ("keyboard", "accepted")
    assert is_made(ready, "allowed-by-hand")


def test_once_is_asked_again(ready: Lab) -> None:
    first, second = (tool_use("write_file", ready, name) for name in ("asked-first", "asked-again"))
    ready.tell("make two files", first, second, say("never said"))
    before = ready.asked("permission_prompt", drawn=True)["id"]
    ready.respond(accept=True)
    eventually(lambda: (prompt := ready.state()["prompt"]) and prompt["id"] != before, what="the second prompt", within=10)
    ready.asked("permission_prompt", drawn=True)
    ready.respond(accept=False)
    ready.until(IDLE)
    assert (is_made(ready, "asked-first"), is_made(ready, "asked-again")) == (True, False)


def test_a_tall_command_is_one_prompt_and_is_answered_as_soon_as_it_is_told(ready: Lab) -> None:
    """It is drawn several times until it is as it stays, and its title has no room."""
    answers_a_tall_command(ready)


@pytest.mark.parametrize("hooked", [False, True], ids=["bare", "hooked"])
def test_a_tall_command_is_one_prompt_in_a_small_window(start_lab: StartLab, *, hooked: bool) -> None:
    answers_a_tall_command(start_lab(options=("--cols", "80", "--rows", "24"), hooked=hooked).ready())


def answers_a_tall_command(lab: Lab) -> None:
    lines = (*(f"echo line{n}" for n in range(39)), "touch tall")
    lab.tell("do all of it", use("run_shell_command", command="\n".join(lines), description="x"), say("Done."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert prompt["tool"] == "run_shell_command"
    assert "\necho line38" in prompt["input"]["command"]
    assert ("echo line0\n" in prompt["input"]["command"]) == lab.is_hooked
    assert lab.respond(accept=True, prompt_id=prompt["id"])["effect"] == "accepted"
    lab.until(IDLE)
    assert lab.made("tall").exists()
    assert in_short(lab.states())[-2:] == ["permission_prompt", IDLE]
    assert [event["prompt"]["id"] for event in lab.events if event["type"] == "answered"] == [prompt["id"]]
    assert outcome(lab) == ("api", "accepted")


def two_at_once(*names: str) -> Reply:
    return Reply(tuple(Use("run_shell_command", {"command": f"touch {name}", "description": "x"}) for name in names))


def both_asked(lab: Lab) -> dict[str, Any]:
    """The one on the screen, once it stays there: hooks tell of the other too, and one may be drawn over the other."""
    lab.asked("permission_prompt", drawn=True)
    lab.wire.shows("1 of 2")
    if lab.is_hooked:
        lab.once(lambda: len(lab.state()["prompts"] or ()) == 2, what="both of them")
    seen = deque[str](maxlen=20)

    def staying() -> dict[str, Any] | None:
        prompt: dict[str, Any] = lab.state()["prompt"]
        seen.append(prompt["id"])
        return prompt if seen.count(prompt["id"]) == seen.maxlen else None

    return lab.once(staying, what="one of them to stay") or {}


def test_two_at_once_are_told_and_answered_one_by_one(ready: Lab) -> None:
    ready.tell("make both", two_at_once("first", "second"), say("Both are there."))
    first = both_asked(ready)
    assert first["input_preview"] in str(ready.wire.text())
    ready.respond(accept=True, prompt_id=first["id"])
    second = ready.once(lambda: (now := ready.state()["prompt"]) and now["id"] != first["id"] and now, what="the second")
    assert {first["input_preview"], second["input_preview"]} == {"touch first", "touch second"}
    assert not is_made(ready, "first")
    assert not is_made(ready, "second")
    ready.respond(accept=True)
    ready.until(IDLE)
    assert is_made(ready, "first")
    assert is_made(ready, "second")


def test_a_stale_answer_is_not_typed(ready: Lab) -> None:
    ready.tell("make both", two_at_once("stale-1", "stale-2"), say("One of them."))
    first = both_asked(ready)
    ready.respond(accept=True, prompt_id=first["id"])
    ready.once(lambda: (now := ready.state()["prompt"]) and now["id"] != first["id"], what="the second")
    again = ready.wire.request("POST", "/api/v1/agent/respond", json={"accept": True, "prompt_id": first["id"]})
    assert again.json()["error"]["code"] == "PROMPT_CHANGED"
    ready.respond(accept=False)
    ready.until(IDLE)
    # What was permitted before runs all the same, and only that.
    assert [is_made(ready, name) for name in ("stale-1", "stale-2")].count(True) == 1


@pytest.mark.parametrize(
    ("answer", "chosen"), [({"option": 2}, "SQLite"), ({"text": "Use Redis, please"}, "Use Redis, please")]
)
def test_a_question_is_answered(ready: Lab, answer: dict[str, Any], chosen: str) -> None:
    ready.tell("ask me", use("ask_user", questions=[DATABASES]), say("Thank you."))
    prompt = ready.asked("ask_user", drawn=True)
    assert prompt["options"][:2] == ["PostgreSQL", "SQLite"]
    assert prompt["question"] == DATABASES["question"]
    assert ready.respond(**answer)["effect"] == "answered"
    ready.until(IDLE)
    assert chosen in ready.result_text()


@BARE
def test_questions_of_words_and_of_yes_or_no_are_answered(ready: Lab) -> None:
    words = {"question": "What is its name?", "header": "Name", "type": "text", "placeholder": "e.g. heron"}
    ready.tell("ask me", use("ask_user", questions=[words]), say("Thank you."))
    ready.asked("ask_user", drawn=True)
    ready.respond(text="crane")
    ready.until(IDLE)
    assert "crane" in ready.result_text()
    yes_or_no = {"question": "Shall we begin?", "header": "Begin", "type": "yesno"}
    ready.tell("ask me", use("ask_user", questions=[yes_or_no]), say("Thank you."))
    assert ready.asked("ask_user", drawn=True)["options"][:2] == ["Yes", "No"]
    ready.respond(option=2)
    ready.until(IDLE)
    assert re.search(r"0\W+No\b", ready.result_text())


@BARE
def test_a_declined_question_ends_the_turn(ready: Lab) -> None:
    ready.tell("ask me", use("ask_user", questions=[DATABASES]), say("never said"))
    ready.asked("ask_user", drawn=True)
    assert ready.respond(accept=False)["effect"] == "denied"
    ready.until(IDLE)
    assert "never said" not in ready.wire.text()


def test_several_questions_are_answered_together_or_page_by_page(ready: Lab) -> None:
    ready.tell("ask me", use("ask_user", questions=[DATABASES, LANGUAGES]), say("Thank you."))
    prompt = ready.asked("ask_user", drawn=True)
    if ready.is_hooked:
        assert [each["header"] for each in prompt["questions"]] == ["Database", "Language"]
        ready.respond(answers=[{"option": 2}, {"option": "Python"}])
    else:  # no more is known than the screen shows
        for answer, question in (({"option": 2}, DATABASES), ({"option": 1}, LANGUAGES)):
            ready.once(lambda: (now := ready.state()["prompt"]) and now["question"] == question["question"], what="the page")  # noqa: B023
            ready.respond(**answer)
        ready.once(lambda: (now := ready.state()["prompt"]) and now["subtype"] == "review", what="the review")
        ready.respond(accept=True)
    ready.until(IDLE)
    assert "SQLite" in ready.result_text()
    assert "Python" in ready.result_text()


def test_several_options_are_ticked(ready: Lab) -> None:
    ready.tell("ask me", use("ask_user", questions=[FEATURES]), say("Thank you."))
    ready.asked("ask_user", drawn=True)
    ready.respond(answers=[{"options": ["Auth", "Billing"]}])
    ready.until(IDLE)
    assert "Auth" in ready.result_text()
    assert "Billing" in ready.result_text()
    assert "Search" not in ready.result_text()


def test_a_box_that_was_ticked_at_the_keyboard_is_unticked(ready: Lab) -> None:
    ready.tell("ask me", use("ask_user", questions=[FEATURES]), say("Thank you."))
    ready.asked("ask_user", drawn=True)
    ready.press_until("2", lambda: re.search(r"2\. \[x\] Search", ready.wire.text()) is not None)
    ready.respond(answers=[{"options": ["Auth"]}])
    ready.until(IDLE)
    assert "Auth" in ready.result_text()
    assert "Search" not in ready.result_text()


def test_a_plan_is_sent_back_with_words_and_then_approved(ready: Lab) -> None:
    """The mode is planned in turns: entered with a permission, left with an approval."""
    ready.tell("plan it", use("enter_plan_mode", reason="a plan is needed"), say("I plan."))
    assert "Plan Mode" in ready.asked("permission_prompt", drawn=True)["tool"]
    ready.respond(accept=True)
    ready.until(IDLE)
    eventually(lambda: ready.state()["permission_mode"] == "plan")
    folder = re.findall(r"/[^\s\"`\\]*/plans(?=[/`\"\s])", str(ready.api.main_requests[-1].body))[-1]
    plan = use("write_file", file_path=f"{folder}/auth.md", content="# Auth plan\n\n- Step one\n- Step two\n")
    leave = use("exit_plan_mode", plan_filename="auth.md", plan_path=f"{folder}/auth.md")
    again = replace(leave, delay=2.0)  # the same dialog at once could not be told from the one that was answered
    ready.tell("write the plan", plan, leave, again, say("Now I begin."))
    prompt = ready.asked("plan_prompt", drawn=True)
    assert "Step one" in prompt["plan"]
    assert ready.respond(accept=False, text="make it shorter")["effect"] == "feedback"
    ready.once(lambda: "make it shorter" in str(ready.results()), what="the words")
    ready.asked("plan_prompt", drawn=True)
    assert ready.respond(accept=True)["effect"] == "accepted"
    ready.until(IDLE)
    eventually(lambda: ready.state()["permission_mode"] == "default")
    assert "approved" in ready.result_text().lower()


@BARE
def test_always_is_not_asked_again(ready: Lab) -> None:
    """The last of the module: what is allowed for the session stays so."""
    for tool in ("run_shell_command", "write_file"):
        ready.tell("make the first", tool_use(tool, ready, f"one-{tool}"), say("Made."))
        ready.asked("permission_prompt", drawn=True)
        assert ready.respond(accept=True, always=True)["effect"] == "accepted"
        ready.until(IDLE)
        ready.tell("make the second", tool_use(tool, ready, f"two-{tool}"), say("Made, too."))
        assert ready.until_any("permission_prompt", IDLE) == IDLE
        assert is_made(ready, f"one-{tool}")
        assert is_made(ready, f"two-{tool}")
