import click

from coop.cli.prompts import choices_of, query_shown, shown, summary
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Query, Question, Setup

ID = PromptId("p1")
BASH = Permission(ID, "Bash", {"command": "touch a\nrm b", "timeout": 5}, ("Yes", "No"))
DATABASE = Query("Which database?", (Choice("PostgreSQL", "a server"), Choice("SQLite", "a file")), "Database")


def lines(prompt: Permission | Plan | Question | Setup) -> list[str]:
    return [click.unstyle(line) for line in shown(prompt)]


def test_a_permission_shows_the_tool_and_all_of_its_input() -> None:
    assert lines(BASH) == ["May Bash run?", "│ command: touch a", "│   rm b", "│ timeout: 5", "  1. Yes", "  2. No"]
    assert summary(BASH) == "Bash: touch a rm b"


def test_a_permission_cannot_hide_what_it_asks_for() -> None:
    sly = Permission(ID, "Bash", {"command": "echo ok \x1b[1A\x1b[2K; rm -rf ~"})
    assert "│ command: echo ok \\x1b[1A\\x1b[2K; rm -rf ~" in lines(sly)
    assert "\x1b" not in summary(sly)


def test_a_permission_of_which_only_the_screen_tells_shows_that() -> None:
    assert lines(Permission(ID, "", screen_lines=("Run it?", " 1. Yes"), options=("Yes",))) == [
        "May this run?",
        "│ Run it?",
        "│  1. Yes",
        "  1. Yes",
    ]
    assert (
        lines(Permission(ID, "Edit", {"file_path": "a.py"}, subagent="reviewer"))[0]
        == "May Edit run? (asked by subagent reviewer)"
    )


def test_a_plan_shows_its_text() -> None:
    plan = Plan(ID, "# The plan\n\n1. Do it\n", "/plans/x.md", ("Yes", "No"))
    assert lines(plan)[:4] == ["May this plan be carried out? (/plans/x.md)", "│ # The plan", "│", "│ 1. Do it"]
    assert summary(plan) == "The plan"
    assert summary(Plan(ID, "")) == "a plan"


def test_a_question_shows_its_options_with_what_they_mean() -> None:
    asked = Question(ID, "Which database?", ("PostgreSQL", "SQLite"), queries=(DATABASE,))
    assert lines(asked) == ["Which database?", "  1. PostgreSQL  a server", "  2. SQLite  a file"]
    assert [each.label for each in choices_of(asked)] == ["PostgreSQL", "SQLite"]


def test_of_several_questions_each_is_shown_by_itself() -> None:
    asked = Question(ID, "Which database?", ("PostgreSQL", "SQLite"), queries=(DATABASE, Query("Why?")))
    assert lines(asked) == ["2 questions"]
    assert choices_of(asked) == ()
    assert click.unstyle(query_shown(DATABASE)[0]) == "Database  Which database?"


def test_a_dialog_at_the_start_shows_its_lines() -> None:
    setup = Setup(ID, "trust", "Do you trust this folder?", ("Yes", "No"), ("─────", "Do you trust", "this folder?"))
    assert lines(setup) == ["Before it starts: trust", "│ Do you trust", "│ this folder?", "  1. Yes", "  2. No"]
    assert summary(setup) == "trust"
    assert lines(Setup(ID, "theme", "Which theme?"))[0] == "Which theme?"
    assert lines(Setup(ID, "login", ""))[0] == "Before it starts: login"
