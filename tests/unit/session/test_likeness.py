from dataclasses import replace

import pytest

from coop.model.ids import PromptId
from coop.model.prompt import Guise, Permission, Plan, Question
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


def sed(command: str, name: str) -> Permission:
    return replace(bash(command), guise=Guise("Edit", f"Do you want to make this edit to {name}?", name))


def edit(path: str) -> Permission:
    return Permission(NONE, "Edit", {"file_path": path})


def edit_of(name: str, *diff: str) -> Permission:
    return drawn(" Edit file", f" {name}", *diff, " Do you want to make this edit to", f" {name}?", " ❯ 1. Yes", tool="Edit")


def test_a_command_may_be_drawn_as_the_edit_that_comes_of_it() -> None:
    first, second = sed("sed -i s/a/b/ f.txt", "f.txt"), sed("sed -i s/a/b/ other.txt", "other.txt")
    assert fitting((first, second), edit_of("f.txt", " 1 +other.txt")) == first
    assert fitting((first, second), drawn(" Bash command", " sed -i s/a/b/ other.txt")) == second


def test_what_was_told_of_such_an_edit_is_still_drawn_as_one() -> None:
    told = sed("sed -i s/a/b/ f.txt", "f.txt")
    assert fitting((told,), replace(told, screen_lines=edit_of("f.txt").screen_lines)) == told


def test_the_edit_of_another_file_is_not_taken_for_a_command() -> None:
    told = sed("sed -i s/a/b/ f.txt", "f.txt")
    for shown in (edit_of("g.txt", " 1 -sed -i s/a/b/ f.txt"), edit_of("af.txt"), edit_of("f.txt.bak")):
        assert fitting((told,), shown) is None
    assert fitting((bash("cat f.txt"),), edit_of("f.txt")) is None
    assert fitting((told, edit("/a/g.txt")), edit_of("g.txt", " 1 -f.txt")) == edit("/a/g.txt")


def test_an_edit_of_a_file_that_a_command_changes_too_could_be_either() -> None:
    told = (sed("sed -i s/a/b/ f.txt", "f.txt"), edit("/work/f.txt"))
    assert fitting(told, edit_of("f.txt")) is None
    assert fitting(told[::-1], edit_of("f.txt")) is None


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
