from dataclasses import replace

import pytest

from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Question
from coop.session.likeness import completed, fitting, is_asked_anew, likeness

NONE = PromptId("")


def bash(command: str) -> Permission:
    return Permission(NONE, "Bash", {"command": command})


def drawn(*lines: str, tool: str = "Bash") -> Permission:
    return Permission(NONE, tool, options=("Yes", "No"), screen_lines=lines)


def test_a_dialog_is_the_prompt_of_which_it_quotes_most() -> None:
    told = (bash("rm a"), bash("rm a-b"))
    assert fitting(told, drawn("  rm a-b", "❯ 1. Yes", "  2. No")) == told[1]
    assert fitting(told, drawn("  rm a", "❯ 1. Yes", "  2. No")) == told[0]


def test_a_dialog_that_shows_only_the_end_is_the_prompt_that_ends_so() -> None:
    ones, others = ("\n".join(f"echo {name} {n}" for n in range(9)) for name in ("one", "another"))
    seen = Permission(
        NONE, "Bash", {"command": "\n".join(("…", *ones.split("\n")[4:8]))}, ("Yes",), ("…", *ones.split("\n")[4:8])
    )
    told = (bash(ones), bash(others))
    assert fitting(told, seen) == told[0]
    assert fitting((bash(ones), bash(f"{others}\n{ones}")), seen) is None, "it could be either"
    assert fitting(told, replace(seen, input={"command": "…\nech"})) is None, "too little to tell by"


def test_a_dialog_that_quotes_nothing_is_nobodys() -> None:
    assert fitting((bash("git push"),), drawn("  something else")) is None
    assert fitting((bash("git push"),), drawn("  git push", tool="Edit")) is None


def test_what_cannot_be_quoted_goes_by_its_kind_if_there_is_but_one() -> None:
    plan, shown = Plan(NONE, "", None), Plan(NONE, "do it", None, options=("Yes", "No"))
    assert fitting((plan,), shown) == plan
    assert fitting((plan, plan), shown) is None


def test_the_highlight_does_not_make_another_dialog() -> None:
    assert likeness(drawn("❯ 1. Yes", "  2. No")) == likeness(drawn("  1. Yes", "❯ 2. No"))
    assert likeness(drawn("ls")) != likeness(drawn("rm"))


def test_the_screen_completes_what_a_hook_left_out() -> None:
    assert completed(Permission(NONE, ""), drawn("ls")).tool == "Bash"  # type: ignore[union-attr]
    assert completed(Plan(NONE, "", None), Plan(NONE, "do it", None)) == Plan(NONE, "do it", None)
    known = Question(NONE, "which?")
    assert completed(known, Question(NONE, "another")) == known


def test_a_permission_without_options_is_known_by_its_input() -> None:
    assert likeness(bash("ls")) == likeness(bash("ls"))
    assert likeness(bash("ls")) != likeness(bash("rm"))


def asks(*lines: str, at: int = -1, subtype: str | None = None) -> Question:
    return Question(NONE, lines[at].strip(), (), lines, subtype=subtype)


GO_ON = "Continue? [y/n]"


@pytest.mark.parametrize(
    ("before", "drawn"),
    [
        (asks("Remove a?"), asks("Remove b?")),
        (asks("Remove a?"), asks("Remove a? n", "Remove b?")),
        (asks("Remove a?"), asks("Remove a? n", "Remove a? Really?")),
        (asks(GO_ON), asks(f"{GO_ON} y", GO_ON)),
        (asks(f"{GO_ON} n"), asks(f"{GO_ON} y", GO_ON)),
        (asks("first", GO_ON), asks("first", f"{GO_ON} y", "second", GO_ON)),
        (asks("gone", "first", GO_ON), asks("first", f"{GO_ON} y", GO_ON)),
        (Question(NONE, "Remove a?"), Question(NONE, "Remove b?")),
    ],
)
def test_another_text_or_a_line_below_the_one_that_asked_is_another_question(before: Question, drawn: Question) -> None:
    assert is_asked_anew(before, drawn)


@pytest.mark.parametrize(
    ("before", "drawn"),
    [
        (asks(GO_ON), asks(GO_ON)),
        (asks(GO_ON), asks(f"{GO_ON} y")),
        (asks(f"{GO_ON} y"), asks(GO_ON)),
        (asks(GO_ON), asks(f"{GO_ON} y", "at it", at=0)),
        (asks("12 %", GO_ON), asks("13 %", GO_ON)),
        (asks(f"{GO_ON} y", GO_ON), asks(f"{GO_ON} y", GO_ON)),
        (asks(f"{GO_ON} y", "12 %", GO_ON), asks(f"{GO_ON} y", "13 %", GO_ON)),
        (asks("first", "second", GO_ON), asks("second", GO_ON)),
        (asks("Remove a and", "also b?"), asks("Remove a", "and also b?")),
        (Question(NONE, "Remove a?"), Question(NONE, "Remove a? y")),
        (asks("one thing", subtype="unrecognized"), asks("another", subtype="unrecognized")),
    ],
)
def test_a_question_that_is_drawn_or_wrapped_otherwise_or_typed_behind_is_the_same(before: Question, drawn: Question) -> None:
    assert not is_asked_anew(before, drawn)
