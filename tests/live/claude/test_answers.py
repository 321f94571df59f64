"""Every kind of prompt, answered in every way, by the hook and by keys: checked by what happened, not by our own word."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from coop.testing import eventually
from coop.testing.anthropic import Reply, Use, say, use
from tests.live.claude.conftest import IDLE, Lab, StartLab

VIAS = ("hook", "keys")
DATABASES = {
    "question": "Which database should we use?",
    "header": "Database",
    "multiSelect": False,
    "options": [{"label": "PostgreSQL", "description": "Robust"}, {"label": "SQLite", "description": "Simple"}],
}
LANGUAGES = {
    "question": "Which language do you prefer?",
    "header": "Language",
    "multiSelect": False,
    "options": [{"label": "Python", "description": "py"}, {"label": "Go", "description": "go"}],
}
FEATURES = {
    "question": "Which features are needed?",
    "header": "Features",
    "multiSelect": True,
    "options": [{"label": name, "description": name.lower()} for name in ("Auth", "Search", "Billing")],
}


def by(via: str) -> dict[str, Any]:
    return {"by_keys": via == "keys"}


@pytest.fixture(params=VIAS)
def via(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


TOOLS = ("Bash", "Edit", "Write")


def tool_use(tool: str, workspace: Path, name: str = "made-by-claude") -> tuple[Reply, ...]:
    """What makes the file, or fills it."""
    match tool:
        case "Bash":
            return (use("Bash", command=f"touch {name}", description="Make a file"),)
        case "Write":
            return (use("Write", file_path=str(workspace / name), content="made\n"),)
        case _:
            (workspace / name).write_text("old\n")
            change = use("Edit", file_path=str(workspace / name), old_string="old", new_string="made")
            return use("Read", file_path=str(workspace / name)), change


def is_made(workspace: Path, name: str = "made-by-claude") -> bool:
    return (workspace / name).exists() and (workspace / name).read_text() != "old\n"


@pytest.mark.parametrize("tool", TOOLS)
def test_a_permitted_tool_runs(start_lab: StartLab, via: str, tool: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use(tool, lab.workspace), say("It is there."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert (prompt["tool"], prompt["options"][0]) == (tool, "Yes")
    assert "made-by-claude" in prompt["input_preview"]
    assert not is_made(lab.workspace)
    reply = lab.respond(accept=True, prompt_id=prompt["id"], **by(via))
    assert (reply["via"], reply["effect"]) == (via, "accepted")
    lab.until(IDLE)
    assert is_made(lab.workspace)
    assert lab.event("answered") | {"prompt": None, "event_seq": 0, "epoch": ""} == {
        "type": "answered",
        "by": "api",
        "outcome": "accepted",
        "prompt": None,
        "event_seq": 0,
        "epoch": "",
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_a_denied_tool_does_not_run_and_the_turn_ends(start_lab: StartLab, via: str, tool: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use(tool, lab.workspace), say("never said"))
    lab.asked("permission_prompt", drawn=True)
    assert lab.respond(accept=False, **by(via))["effect"] == "denied"
    lab.until(IDLE)
    assert not is_made(lab.workspace)
    assert lab.wire.text().count("never said") == 0


@pytest.mark.parametrize("tool", TOOLS)
def test_a_denial_with_words_goes_on_with_them(start_lab: StartLab, via: str, tool: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use(tool, lab.workspace), say("Then I will not."))
    lab.asked("permission_prompt", drawn=True)
    assert lab.respond(accept=False, text="use another name please", **by(via))["effect"] == "feedback"
    lab.until(IDLE)
    assert not is_made(lab.workspace)
    assert "use another name please" in lab.result_text()


@pytest.mark.parametrize("tool", TOOLS)
def test_always_is_not_asked_again(start_lab: StartLab, via: str, tool: str) -> None:
    lab = start_lab().ready()
    first, second = (tool_use(tool, lab.workspace, name) for name in ("one", "two"))
    lab.tell("make two files", *first, *second, say("Both are there."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True, always=True, **by(via))
    if lab.until_any("permission_prompt", IDLE) == "permission_prompt":  # 2.1.325 allows the folder, and asks for the command
        assert (lab.version, tool, via) == ("2.1.325", "Bash", "keys")
        lab.respond(accept=True)
    lab.until(IDLE)
    assert is_made(lab.workspace, "one")
    assert is_made(lab.workspace, "two")


def test_once_is_asked_again(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    first, second = (use("Write", file_path=str(lab.workspace / name), content="x\n") for name in ("one", "two"))
    lab.tell("make two files", first, second, say("One is there."))
    before = lab.asked("permission_prompt", drawn=True)["id"]
    lab.respond(accept=True, **by(via))
    eventually(lambda: (prompt := lab.state()["prompt"]) and prompt["id"] != before, what="the second prompt", within=10)
    assert not (lab.workspace / "two").exists()
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=False, **by(via))
    lab.until(IDLE)
    assert not (lab.workspace / "two").exists()


def test_an_option_is_chosen_by_its_number(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use("Bash", lab.workspace), say("never said"))
    prompt = lab.asked("permission_prompt", drawn=True)
    lab.respond(option=prompt["options"].index("No") + 1, **by(via))
    lab.until(IDLE)
    assert not is_made(lab.workspace)


def ask(*questions: dict[str, Any]) -> Reply:
    return use("AskUserQuestion", questions=list(questions))


def test_a_question_is_answered_by_its_option(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(DATABASES), say("Noted."))
    prompt = lab.asked("ask_user", drawn=True)
    assert (prompt["question"], prompt["options"]) == (DATABASES["question"], ["PostgreSQL", "SQLite"])
    assert prompt["questions"][0]["options"][1] == {"label": "SQLite", "description": "Simple"}
    assert lab.respond(option=2, **by(via))["effect"] == "answered"
    lab.until(IDLE)
    assert "SQLite" in lab.result_text()
    assert "PostgreSQL" not in lab.result_text()


PREVIEWS = {
    **DATABASES,
    "options": [
        {"label": "PostgreSQL", "description": "Robust", "preview": "CREATE TABLE a (\n  id serial\n);"},
        {"label": "SQLite", "description": "Simple", "preview": "import sqlite3\nprint(1)"},
    ],
}


def test_what_an_option_would_look_like_is_told_and_goes_with_the_answer(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(PREVIEWS), say("Noted."))
    prompt = lab.asked("ask_user", drawn=True)
    assert prompt["questions"][0]["options"] == PREVIEWS["options"]
    assert lab.respond(option=2, **by(via))["effect"] == "answered"
    lab.until(IDLE)
    assert "import sqlite3" in lab.result_text()
    assert "CREATE TABLE" not in lab.result_text()


def test_a_question_with_previews_is_one_of_several(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(LANGUAGES, PREVIEWS), say("Noted."))
    lab.asked("ask_user", drawn=True)
    lab.respond(answers=[{"option": "Go"}, {"option": "SQLite"}], **by(via))
    lab.until(IDLE)
    assert "Go" in lab.result_text()
    assert "import sqlite3" in lab.result_text()


def test_a_question_is_answered_in_words(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(DATABASES), say("Noted."))
    lab.asked("ask_user", drawn=True)
    lab.respond(text="an old text file, 真的", **by(via))
    lab.until(IDLE)
    assert "an old text file, 真的" in lab.result_text()


def test_several_questions_are_answered_together(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(DATABASES, LANGUAGES), say("Noted."))
    assert len(lab.asked("ask_user", drawn=True)["questions"]) == 2
    lab.respond(answers=[{"option": 2}, {"text": "a little Lisp"}], **by(via))
    lab.until(IDLE)
    assert "SQLite" in lab.result_text()
    assert "a little Lisp" in lab.result_text()


def test_several_options_are_ticked(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(FEATURES), say("Noted."))
    lab.asked("ask_user", drawn=True)
    lab.respond(answers=[{"options": [1, "Billing"]}], **by(via))
    lab.until(IDLE)
    assert "Auth, Billing" in lab.result_text()
    assert "Search" not in lab.result_text()


def test_a_box_that_was_ticked_at_the_keyboard_is_unticked(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(FEATURES), say("Noted."))
    lab.asked("ask_user", drawn=True)
    lab.press_until("2", lambda: re.search(r"2\. \[[^ ]\] Search", lab.wire.text()) is not None)
    lab.respond(answers=[{"options": ["Auth"]}], by_keys=True)
    lab.until(IDLE)
    assert "Auth" in lab.result_text()
    assert "Search" not in lab.result_text()


def test_a_question_can_be_declined(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    lab.tell("ask me", ask(DATABASES), say("never said"))
    lab.asked("ask_user", drawn=True)
    lab.respond(accept=False, **by(via))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == 1


PLAN = (use("Write", file_path="$PLANFILE", content="# The plan\n1. Do it\n"), use("ExitPlanMode"))


@pytest.mark.parametrize("always", [False, True])
def test_a_plan_is_accepted(start_lab: StartLab, via: str, *, always: bool) -> None:
    lab = start_lab("--permission-mode", "plan", plain=True).ready()
    (write,) = tool_use("Write", lab.workspace)
    lab.tell("plan it", *PLAN, write, say("Done."))
    prompt = lab.asked("plan_prompt", drawn=True)
    assert "# The plan" in prompt["plan"]
    assert prompt["plan_file"].endswith(".md")
    assert not is_made(lab.workspace)
    lab.respond(accept=True, always=always, **by(via))
    if not always:
        assert lab.asked("permission_prompt", drawn=True)["tool"] == "Write"
        assert not is_made(lab.workspace)
        lab.respond(accept=False)
    lab.until(IDLE)
    assert is_made(lab.workspace) is always
    assert ("permission_prompt" in lab.states()) is not always


def test_a_plan_is_rejected_with_words(start_lab: StartLab, via: str) -> None:
    lab = start_lab("--permission-mode", "plan", plain=True).ready()
    lab.tell("plan it", *PLAN, say("I will think again."))
    lab.asked("plan_prompt", drawn=True)
    assert lab.respond(accept=False, text="add a test first", **by(via))["effect"] == "feedback"
    lab.until(IDLE)
    assert "add a test first" in lab.result_text()


CELL: dict[str, object] = {"cell_type": "code", "id": "c1", "metadata": {}, "source": ["old"], "outputs": []}
BOOK = {"cells": [{**CELL, "execution_count": None}], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}


def change(tool: str, workspace: Path) -> tuple[Path, tuple[Reply, ...]]:
    """A file, and what changes it without being an edit."""
    if tool == "Bash":
        path = workspace / "f.txt"
        path.write_text("old\n")
        return path, (use("Bash", command="sed -i 's/old/made/' f.txt", description="Change it"),)
    path = workspace / "n.ipynb"
    path.write_text(json.dumps({**BOOK, "nbformat_minor": 5}))
    edit = use("NotebookEdit", notebook_path=str(path), cell_id="c1", new_source="made")
    return path, (use("Read", file_path=str(path)), edit)


@pytest.mark.parametrize("accept", [True, False], ids=["accepted", "denied"])
@pytest.mark.parametrize("tool", ["Bash", "NotebookEdit"])
def test_what_may_be_drawn_as_an_edit_is_answered(start_lab: StartLab, via: str, tool: str, *, accept: bool) -> None:
    lab = start_lab().ready()
    path, turns = change(tool, lab.workspace)
    lab.tell("change it", *turns, say("Changed."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert (prompt["tool"], prompt["options"][0], prompt["options"][-1]) == (tool, "Yes", "No")
    reply = lab.respond(accept=accept, prompt_id=prompt["id"], **by(via))
    assert (reply["via"], reply["effect"]) == (via, "accepted" if accept else "denied")
    lab.until(IDLE)
    assert ("made" in path.read_text()) is accept


LONG_NAME = "20240101120000_create_user_notification_preferences_table.rb"


@pytest.mark.parametrize(("columns", "name"), [("80", LONG_NAME), ("40", "made-by-claude")], ids=["a long name", "narrow"])
def test_an_edit_whose_question_is_longer_than_a_line_takes_keys(start_lab: StartLab, columns: str, name: str) -> None:
    lab = start_lab(options=("--cols", columns, "--rows", "40")).ready()
    lab.tell("make the file", *tool_use("Edit", lab.workspace, name), say("It is there."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert (prompt["tool"], prompt["options"][0]) == ("Edit", "Yes")
    lab.respond(accept=True, prompt_id=prompt["id"], by_keys=True)
    lab.until(IDLE)
    assert is_made(lab.workspace, name)


# What is only partly in sight. A list that does not fit is scrolled, with an arrow at its edge; what is taller yet runs off the top.


def with_long_options(words: int) -> dict[str, Any]:
    names = ("PostgreSQL", "SQLite", "MariaDB", "DuckDB")
    return {**DATABASES, "options": [{"label": name, "description": f"{name} " + "is good " * words} for name in names]}


@pytest.mark.parametrize(("rows", "words"), [("12", 5), ("24", 45)], ids=["scrolled", "cut off"])
def test_an_option_of_a_question_that_is_only_partly_in_sight_is_chosen_by_keys(
    start_lab: StartLab, rows: str, words: int
) -> None:
    lab = start_lab(options=("--cols", "80", "--rows", rows)).ready()
    lab.tell("ask me", ask(with_long_options(words)), say("Noted."))
    prompt = lab.asked("ask_user")
    lab.wire.shows("Enter to select")
    assert prompt["options"] == ["PostgreSQL", "SQLite", "MariaDB", "DuckDB"]
    lab.respond(option=4, by_keys=True)
    lab.until(IDLE)
    assert "DuckDB" in lab.result_text()


@pytest.mark.parametrize(
    ("size", "answer"),
    [
        (("--cols", "24", "--rows", "24"), {"option": 1}),
        (("--cols", "80", "--rows", "10"), {"accept": False, "text": "not now"}),
    ],
    ids=["narrow", "scrolled"],
)
def test_a_permission_that_is_only_partly_in_sight_is_answered_by_keys(
    start_lab: StartLab, size: tuple[str, ...], answer: dict[str, object]
) -> None:
    lab = start_lab(options=size).ready()
    lab.tell("make the file", *tool_use("Bash", lab.workspace), say("So be it."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert prompt["options"][0] == "Yes"
    assert all(option.startswith(("Yes", "No")) for option in prompt["options"])
    lab.respond(**answer, prompt_id=prompt["id"], by_keys=True)
    lab.until(IDLE)
    assert is_made(lab.workspace) is ("option" in answer)
    assert ("not now" in lab.result_text()) is ("text" in answer)


# Where somebody stands, and what they wrote


@pytest.mark.parametrize("accept", [True, False], ids=["accepted", "sent back"])
def test_a_plan_is_answered_though_somebody_stands_where_words_are_typed(start_lab: StartLab, *, accept: bool) -> None:
    lab = start_lab("--permission-mode", "plan", plain=True).ready()
    lab.tell("plan it", *PLAN, say("So be it."))
    lab.asked("plan_prompt", drawn=True)
    lab.press_until("Up", lambda: any(line.lstrip().startswith("❯ 3.") for line in lab.wire.text().splitlines()))
    answer: dict[str, object] = {"accept": True} if accept else {"accept": False, "text": "add a test first"}
    lab.once(lambda: accepting(lab, **answer, by_keys=True) != "WRITER_BUSY", what="the keyboard at rest")
    lab.until(IDLE)
    assert ("add a test first" in lab.result_text()) is not accept
    assert lab.state()["permission_mode"] == ("default" if accept else "plan")


def test_a_plan_whose_question_is_longer_than_a_line_takes_keys(start_lab: StartLab) -> None:
    lab = start_lab("--permission-mode", "plan", plain=True, options=("--cols", "40", "--rows", "40")).ready()
    lab.tell("plan it", *PLAN, say("I will think again."))
    prompt = lab.asked("plan_prompt", drawn=True)
    assert prompt["options"][-1] == "Tell Claude what to change"
    lab.respond(accept=False, text="add a test first", by_keys=True)
    lab.until(IDLE)
    assert "add a test first" in lab.result_text()


def test_what_a_person_wrote_into_a_plan_is_told_and_approved(start_lab: StartLab, via: str, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf '2. Never touch production\\n' >> \"$1\"\n")
    editor.chmod(0o755)
    lab = start_lab("--permission-mode", "plan", plain=True, env={"EDITOR": str(editor), "VISUAL": str(editor)}).ready()
    lab.tell("plan it", *PLAN, say("Done."))
    prompt = lab.asked("plan_prompt", drawn=True)
    plan = Path(prompt["plan_file"])
    lab.press_until("Ctrl-G", lambda: "production" in plan.read_text())
    lab.wire.shows("Plan saved")
    lab.once(lambda: (now := lab.state()["prompt"]) and "production" in now["plan"], what="the new text")
    lab.once(lambda: accepting(lab, prompt_id=prompt["id"], **by(via)) != "WRITER_BUSY", what="the keyboard at rest")
    lab.until(IDLE)
    assert "production" in plan.read_text()
    assert "production" in json.dumps(lab.api.main_requests[-1].body["messages"][-1])


def accepting(lab: Lab, **body: object) -> str:
    """The code of the error; empty when it was delivered."""
    reply = lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": True} | body).json()
    code: str = reply.get("error", {}).get("code", "")
    return code


def test_two_at_once_are_answered_each_for_itself(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    outside = lab.place.home / "outside"
    outside.mkdir()
    for name in ("one", "two"):
        (outside / name).write_text(f"this is {name}\n")
    reads = tuple(Use("Read", {"file_path": str(outside / name)}) for name in ("one", "two"))
    lab.tell("read both", Reply(reads), say("Read."))
    both = eventually(lambda: len(prompts := lab.state()["prompts"]) == 2 and prompts) or []
    files = {prompt["input"]["file_path"].rsplit("/", 1)[1]: prompt["id"] for prompt in both}
    lab.respond(accept=False, text="not the second", prompt_id=files["two"])
    assert [prompt["id"] for prompt in lab.state()["prompts"]] == [files["one"]]
    lab.respond(accept=True, prompt_id=files["one"])
    lab.until(IDLE)
    words = " ".join(str(result["content"]) for result in lab.results())
    assert "this is one" in words
    assert "not the second" in words
    assert "this is two" not in words


def test_answers_to_all_at_once_are_told_as_that_and_no_more(start_lab: StartLab) -> None:
    """The dialogs that Claude still draws one after the other are not asked any more, and nobody was at the keyboard."""
    lab = start_lab().ready()
    outside = lab.place.home / "outside"
    outside.mkdir()
    paths = [outside / name for name in ("one", "two", "three")]
    for path in paths:
        path.write_text(f"this is {path.name}\n")
    lab.tell("read all", Reply(tuple(Use("Read", {"file_path": str(path)}) for path in paths)), say("Read."))
    lab.once(lambda: len(lab.state()["prompts"]) == 3, what="all three")
    lab.asked("permission_prompt", drawn=True)
    ids = [each["id"] for each in lab.state()["prompts"]]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda identity: lab.respond(accept=True, prompt_id=identity), reversed(ids)))
    lab.until(IDLE)
    time.sleep(1.5)  # what is not to come has come by then
    lab.catch_up(lab.state())
    told = [(each["by"], each["prompt"]["id"]) for each in lab.events if each["type"] == "answered"]
    assert sorted(told) == [("api", each) for each in sorted(ids)]


def test_an_answer_to_what_is_no_longer_asked_is_refused(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use("Bash", lab.workspace), say("Done."))
    prompt = lab.asked("permission_prompt")
    assert refusal(lab, accept=True, prompt_id="p99") == "PROMPT_CHANGED"
    lab.respond(accept=True, prompt_id=prompt["id"])
    lab.until(IDLE)
    assert refusal(lab, accept=True, prompt_id=prompt["id"]) == "PROMPT_CHANGED"
    assert refusal(lab, accept=True) == "NO_PROMPT"


def refusal(lab: Lab, **body: object) -> str:
    reply = lab.wire.request("POST", "/api/v1/agent/respond", json=body)
    assert reply.status_code == 409
    code: str = reply.json()["error"]["code"]
    return code


@pytest.mark.parametrize(("key", "outcome"), [("Yes", "accepted"), ("No", "denied"), ("Escape", "denied")])
def test_an_answer_at_the_keyboard_is_told(start_lab: StartLab, key: str, outcome: str) -> None:
    lab = start_lab().ready()
    lab.tell("make the file", *tool_use("Bash", lab.workspace), say("Done."))
    options = lab.asked("permission_prompt", drawn=True)["options"]
    made = lab.workspace / "made-by-claude"
    digit = str(options.index(key) + 1) if key in options else key
    lab.press_until(digit, lambda: lab.state()["state"] != "permission_prompt")
    lab.until(IDLE)
    assert made.exists() == (outcome == "accepted")
    answered = lab.event("answered")
    assert (answered["by"], answered["outcome"]) == ("keyboard", outcome)


def test_with_its_hooks_let_go_a_permission_is_answered_by_keys(start_lab: StartLab) -> None:
    lab = start_lab(options=("--answer-by", "keys")).ready()
    lab.tell("make the file", *tool_use("Bash", lab.workspace), say("Done."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert prompt["input"]["command"] == "touch made-by-claude"
    assert lab.explain()["held_hooks"] == 0
    assert lab.respond(accept=True)["via"] == "keys"
    lab.until(IDLE)
    assert is_made(lab.workspace)


# What subagents ask. Claude draws it only when its hook has answered: 2.1.325 always, 2.1.197 for those in the background.


def delegate(lab: Lab, *names: str, **given: object) -> None:
    """To one subagent for each of the files."""
    for name in names:
        lab.api.script_apart(f"make {name}", use("Bash", command=f"touch {name}", description="x"), say("It went on."))
    tasks = [{"description": "a task", "prompt": f"make {name}", "subagent_type": "general-purpose", **given} for name in names]
    lab.tell("delegate it", Reply(tuple(Use("Agent", task) for task in tasks)), *[say("All done.")] * (len(names) + 1))


BACKGROUND = pytest.mark.parametrize("given", [{}, {"run_in_background": True}], ids=["as it comes", "in the background"])


@BACKGROUND
def test_what_a_subagent_asks_can_be_answered_at_the_keyboard(start_lab: StartLab, given: dict[str, object]) -> None:
    lab = start_lab().ready()
    delegate(lab, "one", **given)
    before = lab.until("permission_prompt")["prompt"]["id"]
    assert lab.asked("permission_prompt", drawn=True)["id"] == before
    lab.press_until("1", lambda: is_made(lab.workspace, "one"))
    lab.until(IDLE)
    answered = lab.event("answered")
    assert (answered["by"], answered["prompt"]["id"], answered["prompt"]["subagent"]) == ("keyboard", before, "general-purpose")


@BACKGROUND
def test_what_a_subagent_asks_can_be_answered_by_an_option_of_its_dialog(start_lab: StartLab, given: dict[str, object]) -> None:
    lab = start_lab().ready()
    delegate(lab, "one", **given)
    prompt = lab.asked("permission_prompt", drawn=True)
    lab.respond(option=prompt["options"].index("Yes") + 1, prompt_id=prompt["id"])
    lab.until(IDLE)
    assert is_made(lab.workspace, "one")


def test_a_no_to_a_subagent_is_told_as_one_that_does_not_end_the_turn(start_lab: StartLab, via: str) -> None:
    lab = start_lab().ready()
    delegate(lab, "one")
    lab.asked("permission_prompt", drawn=via == "keys")
    assert lab.respond(accept=False, **by(via))["effect"] == "denied_subagent"
    lab.until(IDLE)
    assert not is_made(lab.workspace, "one")
    assert "All done." in lab.wire.text()
    assert lab.event("answered")["outcome"] == "denied"


def test_what_a_subagent_asks_is_answered_by_its_hook_at_once(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    delegate(lab, "one", run_in_background=True)
    prompt = lab.asked("permission_prompt")
    assert lab.respond(accept=True, prompt_id=prompt["id"])["via"] == "hook"
    lab.until(IDLE)
    assert is_made(lab.workspace, "one")


def test_what_two_subagents_ask_is_drawn_one_after_the_other(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    delegate(lab, "one", "two", run_in_background=True)
    lab.once(lambda: len(lab.state().get("prompts") or ()) == 2, what="both")
    first = lab.asked("permission_prompt", drawn=True)
    other = next(each for each in lab.state()["prompts"] if each["id"] != first["id"])
    names = [prompt["input"]["command"].removeprefix("touch ") for prompt in (first, other)]
    lab.press_until("1", lambda: is_made(lab.workspace, names[0]))
    lab.once(lambda: (now := lab.state()["prompt"]) and now["id"] == other["id"] and now.get("screen_lines"), what="the other")
    lab.press_until("1", lambda: is_made(lab.workspace, names[1]))
    lab.until(IDLE)
