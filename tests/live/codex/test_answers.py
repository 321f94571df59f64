"""Every kind of prompt, answered in every way: checked by what happened, not by our own word."""

import json
from typing import Any

import pytest

from coop.testing import eventually
from coop.testing.openai import Reply, say, use
from tests.live.codex.conftest import IDLE, Lab, StartLab, patch, shell

TOOLS = ("Bash", "apply_patch")


ASKS_FIRST = ("-s", "read-only")
"""What makes a patch ask."""


def tool_use(tool: str) -> Reply:
    """What makes the file."""
    return shell("touch made-by-codex") if tool == "Bash" else patch("made-by-codex")


def is_made(lab: Lab) -> bool:
    return (lab.workspace / "made-by-codex").exists()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_permitted_tool_runs(start_lab: StartLab, tool: str) -> None:
    lab = start_lab(*ASKS_FIRST).ready()
    lab.tell("make the file", tool_use(tool), say("It is there."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert (prompt["tool"], prompt["options"][0]) == (tool, "Yes, proceed (y)")
    assert "made-by-codex" in prompt["input_preview"]
    assert not is_made(lab)
    reply = lab.respond(accept=True, prompt_id=prompt["id"])
    assert (reply["via"], reply["effect"]) == ("keys", "accepted")
    lab.until(IDLE)
    assert is_made(lab)
    assert lab.answers_told() == [("api", "accepted")]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_denied_tool_does_not_run_and_the_turn_ends(start_lab: StartLab, tool: str) -> None:
    lab = start_lab(*ASKS_FIRST).ready()
    lab.tell("make the file", tool_use(tool), say("never said"))
    lab.asked("permission_prompt", drawn=True)
    assert lab.respond(accept=False)["effect"] == "denied"
    lab.until(IDLE)
    assert not is_made(lab)
    assert len(lab.api.main_requests) == 1


@pytest.mark.parametrize("tool", TOOLS)
def test_a_denial_with_words_goes_on_with_them(start_lab: StartLab, tool: str) -> None:
    lab = start_lab(*ASKS_FIRST).ready()
    lab.tell("make the file", tool_use(tool), say("Then I will not."))
    lab.asked("permission_prompt", drawn=True)
    assert lab.respond(accept=False, text="use another name please")["effect"] == "feedback"
    lab.until(IDLE)
    assert not is_made(lab)
    assert lab.prompts_received()[-1] == "use another name please"


@pytest.mark.parametrize("tool", TOOLS)
def test_always_is_not_asked_again(start_lab: StartLab, tool: str) -> None:
    lab = start_lab(*ASKS_FIRST).ready()
    lab.tell("make it", tool_use(tool), say("It is there."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True, always=True)
    lab.until(IDLE)
    (lab.workspace / "made-by-codex").unlink()
    lab.tell("make it again", tool_use(tool), say("It is there again."))
    assert lab.until_any("permission_prompt", IDLE) == IDLE
    assert is_made(lab)


def test_once_is_asked_again(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("make two files", shell("touch one"), shell("touch two"), say("never said"))
    before = lab.asked("permission_prompt", drawn=True)["id"]
    lab.respond(accept=True)
    eventually(lambda: (prompt := lab.state()["prompt"]) and prompt["id"] != before, what="the second prompt", within=10)
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=False)
    lab.until(IDLE)
    assert ((lab.workspace / "one").exists(), (lab.workspace / "two").exists()) == (True, False)


def test_two_at_once_are_answered_each_for_itself(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    both = Reply((*shell("touch one").blocks, *shell("touch two").blocks))
    lab.tell("make both", both, say("never said"))
    prompts = eventually(lambda: len(found := lab.state()["prompts"]) == 2 and found) or []
    named = {prompt["input"]["command"]: prompt["id"] for prompt in prompts}
    shown = lab.state()["prompt"]
    other = next(command for command in named if command != shown["input"]["command"])
    assert refusal(lab, accept=True, prompt_id=named[other]) == "PROMPT_CHANGED"
    lab.respond(accept=True, prompt_id=shown["id"])
    eventually(lambda: (now := lab.state()["prompt"]) and now["id"] == named[other], what="the second dialog")
    lab.respond(accept=False, prompt_id=named[other])
    lab.until(IDLE)
    assert (lab.workspace / shown["input"]["command"].split()[1]).exists()
    assert not (lab.workspace / other.split()[1]).exists()
    eventually(lambda: lab.answers_told() == [("api", "accepted"), ("api", "denied")])


def test_one_denial_denies_all(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    both = Reply((*shell("touch one").blocks, *shell("touch two").blocks))
    lab.tell("make both", both, say("never said"))
    eventually(lambda: len(lab.state()["prompts"]) == 2)
    lab.respond(accept=False)
    lab.until(IDLE)
    assert not (lab.workspace / "one").exists()
    assert not (lab.workspace / "two").exists()
    eventually(lambda: lab.answers_told() == [("api", "denied"), ("api", "denied")])
    assert len(lab.api.main_requests) == 1


def refusal(lab: Lab, **body: object) -> str:
    reply = lab.wire.request("POST", "/api/v1/agent/respond", json=body)
    assert reply.status_code == 409
    code: str = reply.json()["error"]["code"]
    return code


DATABASES = {
    "id": "db",
    "question": "Which database should we use?",
    "header": "Database",
    "options": [{"label": "PostgreSQL", "description": "Robust"}, {"label": "SQLite", "description": "Simple"}],
}
LANGUAGES = {
    "id": "lang",
    "question": "Which language do you prefer?",
    "header": "Language",
    "options": [{"label": "Python", "description": "py"}, {"label": "Go", "description": "go"}],
}
ASKS_ANYTIME = ("--enable", "default_mode_request_user_input")


def ask(*questions: dict[str, Any]) -> Reply:
    return use("request_user_input", questions=list(questions))


def test_questions_are_answered_by_options_and_in_words(start_lab: StartLab) -> None:
    lab = start_lab(*ASKS_ANYTIME).ready()
    lab.tell("ask me", ask(DATABASES), say("Noted."))
    prompt = lab.asked("ask_user", drawn=True)
    eventually(lambda: (now := lab.state()["prompt"]) and now["questions"], what="what the log says of it")
    prompt = lab.state()["prompt"]
    assert (prompt["question"], prompt["options"]) == (DATABASES["question"], ["PostgreSQL", "SQLite"])
    assert prompt["questions"][0]["options"][1] == {"label": "SQLite", "description": "Simple"}
    assert lab.respond(option=2)["effect"] == "answered"
    lab.until(IDLE)
    assert answers_of(lab) == {"db": ["SQLite"]}

    lab.tell("ask me in words", ask(DATABASES), say("Noted."))
    lab.asked("ask_user", drawn=True)
    eventually(lambda: (now := lab.state()["prompt"]) and now["questions"])
    lab.respond(text="an old text file, 真的")
    lab.until(IDLE)
    assert answers_of(lab) == {"db": ["None of the above", "user_note: an old text file, 真的"]}

    lab.tell("ask me twice", ask(DATABASES, LANGUAGES), say("Noted."))
    lab.asked("ask_user", drawn=True)
    eventually(lambda: len((lab.state()["prompt"] or {}).get("questions", ())) == 2)
    lab.respond(answers=[{"option": "SQLite"}, {"text": "a little Lisp"}])
    lab.until(IDLE)
    assert answers_of(lab) == {"db": ["SQLite"], "lang": ["None of the above", "user_note: a little Lisp"]}

    lab.tell("ask me for nothing", ask(DATABASES), say("never said"))
    lab.asked("ask_user", drawn=True)
    requests = len(lab.api.main_requests)
    assert lab.respond(accept=False)["effect"] == "denied"
    lab.until(IDLE)
    assert len(lab.api.main_requests) == requests
    eventually(lambda: [outcome for _, outcome in lab.answers_told()] == ["answered"] * 3 + ["denied"])


def answers_of(lab: Lab) -> dict[str, list[str]]:
    told = json.loads(lab.api.main_requests[-1].tool_results()[-1]["output"])["answers"]
    return {name: answer["answers"] for name, answer in told.items()}


PLAN = say("I have thought.\n<proposed_plan>\n# The plan\n\n- Do it\n</proposed_plan>\n")


def test_a_plan_is_rejected_and_then_accepted(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.press_until("Shift-Tab", lambda: "Plan mode" in lab.wire.text())
    lab.tell("plan it", PLAN)
    prompt = lab.asked("plan_prompt", drawn=True)
    eventually(lambda: "# The plan" in ((lab.state()["prompt"] or {}).get("plan") or ""))
    assert prompt["options"][0] == "Yes, implement this plan"
    assert lab.respond(accept=False)["effect"] == "denied"
    lab.until(IDLE)
    lab.tell("plan it again", PLAN)
    lab.asked("plan_prompt", drawn=True)
    assert lab.respond(accept=False, text="add a test first")["effect"] == "feedback"
    lab.until(IDLE)
    assert lab.prompts_received()[-1] == "add a test first"
    lab.tell("and once more", PLAN)
    lab.asked("plan_prompt", drawn=True)
    lab.api.script(say("Starting."))
    assert lab.respond(accept=True)["effect"] == "accepted"
    lab.wire.shows("Starting.")
    lab.until(IDLE)
    assert lab.prompts_received()[-1] == "Implement the plan."


def test_an_answer_to_what_is_no_longer_asked_is_refused(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", tool_use("Bash"), say("Done."))
    prompt = lab.asked("permission_prompt")
    assert refusal(lab, accept=True, prompt_id="p99") == "PROMPT_CHANGED"
    lab.respond(option=1, prompt_id=prompt["id"])
    lab.until(IDLE)
    assert is_made(lab)
    assert refusal(lab, accept=True, prompt_id=prompt["id"]) == "PROMPT_CHANGED"
    assert refusal(lab, accept=True) == "NO_PROMPT"


@pytest.mark.parametrize(("key", "outcome"), [("y", "accepted"), ("Escape", "denied")])
def test_an_answer_at_the_keyboard_is_told(start_lab: StartLab, key: str, outcome: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", tool_use("Bash"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    lab.press_until(key, lambda: lab.state()["state"] != "permission_prompt")
    lab.until(IDLE)
    assert is_made(lab) == (outcome == "accepted")
    eventually(lambda: lab.answers_told() == [("keyboard", outcome)])


@pytest.mark.parametrize(("accept", "effect"), [(True, "accepted"), (False, "feedback")])
def test_held_by_its_hook_a_permission_is_answered_without_a_key(start_lab: StartLab, effect: str, *, accept: bool) -> None:
    lab = start_lab(options=("--answer-by", "hook")).ready()
    lab.tell("make the file", tool_use("Bash"), say("Done."))
    lab.asked("permission_prompt")
    assert "Would you like to run" not in lab.wire.text()
    reply = lab.respond(accept=accept, text=None if accept else "not this one")
    assert (reply["via"], reply["effect"]) == ("hook", effect)
    lab.until(IDLE)
    assert is_made(lab) == accept
    assert accept or "not this one" in lab.result_text()
