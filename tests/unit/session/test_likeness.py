from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Question
from coop.session.likeness import completed, fitting, likeness

NONE = PromptId("")


def bash(command: str) -> Permission:
    return Permission(NONE, "Bash", {"command": command})


def drawn(*lines: str, tool: str = "Bash") -> Permission:
    return Permission(NONE, tool, options=("Yes", "No"), screen_lines=lines)


def test_a_dialog_is_the_prompt_of_which_it_quotes_most() -> None:
    told = (bash("rm a"), bash("rm a-b"))
    assert fitting(told, drawn("  rm a-b", "❯ 1. Yes", "  2. No")) == told[1]
    assert fitting(told, drawn("  rm a", "❯ 1. Yes", "  2. No")) == told[0]


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
