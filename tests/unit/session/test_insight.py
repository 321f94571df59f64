from dataclasses import replace

import pytest

from coop.agents import UNKNOWN
from coop.agents.claude import claude
from coop.detect.belief import ANSWERED_GONE_AFTER, DIALOG_GONE_AFTER
from coop.model.ids import HookId, PromptId
from coop.model.prompt import Guise, Permission, Plan, Prompt, Query, Question
from coop.model.readings import Learned, Says, Used, Waits
from coop.model.screen import ScreenSnapshot
from coop.model.state import Prompted, Starting, Tier, Unknown, Working
from coop.session.endings import JUST_COME
from coop.session.insight import Insight
from tests.unit.agents.claude.screens import RULE, composer, dialog_screens, drawn

H1, H2 = HookId(11), HookId(12)
P1, P2, P3 = PromptId("p1"), PromptId("p2"), PromptId("p3")
NONE = PromptId("")
MKDIR = Permission(NONE, "Bash", {"command": "mkdir -p build"})
RM = Permission(NONE, "Bash", {"command": "rm -rf tmp"})
EDIT = Permission(NONE, "Edit", {"file_path": "app.py"})


def bash(command: str, *, at: int = 1) -> ScreenSnapshot:
    options = [
        f" {'❯' if n == at else ' '} {n}. {label}" for n, label in enumerate(("Yes", "Yes, and always allow it", "No"), 1)
    ]
    return drawn(RULE, " Bash command", f"   {command}", " Do you want to proceed?", *options, " Esc to cancel")


def edit(file: str) -> ScreenSnapshot:
    return drawn(RULE, " Edit file", f" {file}", f" Do you want to make this edit to {file}?", " ❯ 1. Yes", "   2. No")


def insight(now: float = 0.0) -> Insight:
    return Insight(claude(), grace=60.0, now=now)


def shows(known: Insight, screen: ScreenSnapshot, now: float) -> None:
    known.read_screen(screen, now, now)


def on_screen(known: Insight) -> Prompt:
    assert isinstance(known.state, Prompted)
    return known.state.prompt


# What is known


def test_an_agent_with_a_screen_starts_and_one_without_is_unknown() -> None:
    assert insight().state == Starting()
    assert Insight(UNKNOWN, grace=60.0, now=0.0).state == Unknown()


def test_what_is_learned_stays_until_something_else_is() -> None:
    known = insight()
    known.learn(Learned(session_id="s1", model="opus"))
    known.learn(Learned(session_id="s2", cwd="/w"))
    assert (known.known.session_id, known.known.model, known.known.cwd) == ("s2", "opus", "/w")


def test_a_message_counts_once_however_often_it_is_told_of() -> None:
    known = insight()
    for tokens in ({"output_tokens": 1}, {"output_tokens": 20}):
        known.learn(Used("m1", tokens))
    known.learn(Used("m2", {"output_tokens": 5, "input_tokens": 3}))
    assert known.known.tokens() == {"output_tokens": 25, "input_tokens": 3}


@pytest.mark.parametrize(("version", "tested"), [(None, None), ("2.1.325", True), ("9.9.9", False)])
def test_a_version_is_tested_or_not(version: str | None, tested: bool | None) -> None:
    known = insight()
    known.learn(Learned(version=version))
    assert known.is_tested is tested


def in_mode(name: str) -> ScreenSnapshot:
    return composer("", below=f"  ⏵⏵ {name} on (shift+tab to cycle)")


AUTO, ACCEPTS = Learned(permission_mode="auto"), Learned(permission_mode="acceptEdits")


def test_the_mode_is_what_the_screen_shows_of_it() -> None:
    known = insight()
    for name, mode in (("accept edits", "acceptEdits"), ("plan mode", "plan")):
        shows(known, in_mode(name), 1.0)
        assert known.known.permission_mode == mode


def test_a_screen_that_is_older_than_a_hook_tells_nothing_of_the_mode() -> None:
    known = insight()
    known.hear(AUTO, Tier.HOOKS, 1.0)
    known.read_screen(in_mode("accept edits"), 0.9, 1.1)
    assert known.known.permission_mode == "auto"
    known.read_screen(in_mode("accept edits"), 1.2, 1.3)
    assert known.known.permission_mode == "acceptEdits"


def test_a_log_that_is_written_late_does_not_take_the_mode_back() -> None:
    known = insight()
    known.hear(AUTO, Tier.SESSION_LOG, 1.0)
    assert known.known.permission_mode == "auto"
    shows(known, in_mode("plan mode"), 2.0)
    known.hear(AUTO, Tier.SESSION_LOG, 3.0)
    assert known.known.permission_mode == "plan"
    shows(known, bash("ls"), 4.0)
    known.hear(ACCEPTS, Tier.SESSION_LOG, 5.0)
    assert known.known.permission_mode == "acceptEdits"


def test_a_record_that_comes_late_counts_from_when_it_was_written() -> None:
    known = insight()
    known.says(Says(Working(), stamp=995.0), Tier.SESSION_LOG, now=50.0, wall=1000.0)
    known.says(Says(Working(), stamp=2000.0), Tier.STATUS_FILE, now=50.0, wall=1000.0)
    assert known.belief.said[Tier.SESSION_LOG].at == 45.0
    assert known.belief.said[Tier.STATUS_FILE].at == 50.0


# One hook


def test_a_prompt_a_hook_told_of_gets_an_id_and_stays_open() -> None:
    known = insight()
    assert known.open(MKDIR, H1, 1.0) == P1
    assert on_screen(known) == replace(MKDIR, id=P1)
    assert known.prompt(P1) == known.prompt(None) == replace(MKDIR, id=P1)
    assert known.hooks == {P1: H1}


def test_a_closed_prompt_is_asked_no_more() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    known.close(P1, 2.0)
    assert (known.hooks, known.opened, known.prompt(P1)) == ({}, {}, None)


def test_the_dialog_that_is_drawn_gives_its_options_to_the_prompt() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    shows(known, bash("mkdir -p build"), 1.1)
    prompt = on_screen(known)
    assert isinstance(prompt, Permission)
    assert (prompt.id, prompt.input, prompt.options) == (P1, MKDIR.input, ("Yes", "Yes, and always allow it", "No"))
    assert "   mkdir -p build" in prompt.screen_lines


def test_a_dialog_may_be_drawn_before_its_hook_tells_of_it() -> None:
    known = insight()
    shows(known, bash("mkdir -p build"), 1.0)
    assert on_screen(known).id == P1
    identity = known.open(MKDIR, H1, 1.1)
    prompt = on_screen(known)
    assert (prompt.id, prompt.options) == (identity, ("Yes", "Yes, and always allow it", "No"))
    assert isinstance(known.state, Prompted)
    assert known.state.prompts == (prompt,)


def test_the_options_of_a_question_are_those_it_was_asked_with() -> None:
    query = Query("Which database should we use?")
    known = insight()
    known.open(Question(NONE, query.text, ("PostgreSQL", "SQLite", "MySQL"), queries=(query,)), H1, 1.0)
    shows(known, dialog_screens("2.1.325", "question")[0], 1.1)
    assert on_screen(known).options == ("PostgreSQL", "SQLite", "MySQL")


def test_the_pages_of_one_question_are_one_prompt() -> None:
    known = insight()
    known.open(Question(NONE, "Which database should we use?", queries=(Query("Which database should we use?"),)), H1, 1.0)
    for n, screen in enumerate(dialog_screens("2.1.325", "question")):
        shows(known, screen, 1.1 + n)
        assert on_screen(known).id == P1
    assert known.over(9.0) == ()


def test_a_plan_is_bound_to_its_dialog() -> None:
    known = insight()
    known.open(Plan(NONE, "Greeting plan"), H1, 1.0)
    shows(known, dialog_screens("2.1.325", "plan")[0], 1.1)
    assert "Yes, manually approve edits" in on_screen(known).options


# Dialogs of their own


def test_a_dialog_keeps_its_id_while_the_highlight_moves() -> None:
    known = insight()
    for at in (1, 2, 3, 1):
        shows(known, bash("ls", at=at), float(at))
        assert on_screen(known).id == P1


def test_another_dialog_is_another_prompt() -> None:
    known = insight()
    shows(known, bash("ls"), 1.0)
    shows(known, bash("rm -rf tmp"), 2.0)
    assert on_screen(known).id == P2


def test_the_same_dialog_later_is_another_prompt() -> None:
    known = insight()
    shows(known, bash("ls"), 1.0)
    shows(known, composer("", "● ran"), 2.0)
    shows(known, bash("ls"), 5.0)
    assert on_screen(known).id == P2


# Two hooks


def two(first: Permission, second: Permission) -> Insight:
    known = insight()
    known.open(first, H1, 1.0)
    known.open(second, H2, 1.05)
    return known


@pytest.mark.parametrize(
    ("screen", "shown"),
    [(bash("mkdir -p build"), P1), (bash("rm -rf tmp"), P2)],
)
def test_a_dialog_is_bound_to_the_hook_whose_words_it_shows(screen: ScreenSnapshot, shown: PromptId) -> None:
    known = two(MKDIR, RM)
    shows(known, screen, 1.1)
    assert on_screen(known).id == shown
    assert isinstance(known.state, Prompted)
    assert [prompt.id for prompt in known.state.prompts] == [P1, P2]
    assert known.prompt(P1) != known.prompt(P2)
    undrawn = next(each for each in known.state.prompts if each.id != shown)
    assert undrawn.options == ()


def test_a_dialog_of_another_tool_is_bound_by_what_it_shows() -> None:
    known = two(MKDIR, EDIT)
    shows(known, edit("app.py"), 1.1)
    assert on_screen(known).id == P2


def test_a_dialog_that_shows_something_else_is_bound_to_nothing() -> None:
    """It may be the next one, whose hook has not come yet."""
    known = insight()
    known.open(EDIT, H1, 1.0)
    shows(known, edit("somewhere-else.py"), 1.1)
    assert on_screen(known).options == ()


def test_answering_one_leaves_the_other_open() -> None:
    known = two(MKDIR, EDIT)
    shows(known, edit("app.py"), 1.1)
    known.close(P2, 2.0)
    shows(known, bash("mkdir -p build"), 2.1)
    assert (on_screen(known).id, known.hooks) == (P1, {P1: H1})
    assert known.over(2.2) == ()


# Over


def test_nothing_is_over_before_its_dialog_was_drawn() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    shows(known, composer("", "✻ Pondering… (3s)"), 1.1)
    assert known.over(100.0) == ()
    assert known.deadline() is None


def test_a_dialog_that_is_gone_for_half_a_second_is_over() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    shows(known, bash("mkdir -p build"), 1.1)
    assert (known.over(50.0), known.deadline()) == ((), None)
    shows(known, composer("", "✻ Pondering… (3s)"), 60.0)
    assert known.deadline() == 60.0 + DIALOG_GONE_AFTER
    assert known.over(60.0 + DIALOG_GONE_AFTER - 0.01) == ()
    assert known.over(60.0 + DIALOG_GONE_AFTER) == (P1,)


def test_a_dialog_that_flickers_is_not_over() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    for now, screen in ((1.1, bash("mkdir -p build")), (2.0, composer()), (2.3, bash("mkdir -p build"))):
        shows(known, screen, now)
    assert known.over(100.0) == ()
    assert on_screen(known).id == P1


@pytest.mark.parametrize("tier", [Tier.STATUS_FILE, Tier.HOOKS])
def test_an_agent_that_works_again_asks_no_more(tier: Tier) -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    if tier is Tier.STATUS_FILE:
        known.says(Says(Waits("permission prompt")), Tier.STATUS_FILE, 1.1)
    known.says(Says(Working()), tier, 2.0)
    assert known.over(2.0) == (P1,)


def test_an_agent_that_waits_still_asks() -> None:
    known = insight()
    known.says(Says(Working()), Tier.STATUS_FILE, 0.5)
    known.open(MKDIR, H1, 1.0)
    known.says(Says(Waits("permission prompt")), Tier.STATUS_FILE, 2.0)
    known.says(Says(Working()), Tier.SESSION_LOG, 3.0)
    assert known.over(100.0) == ()


def test_a_dialog_that_makes_way_for_one_that_waited_is_over() -> None:
    """Approved at the keyboard: the next of two that were held is drawn."""
    known = two(MKDIR, EDIT)
    shows(known, bash("mkdir -p build"), 1.1)
    shows(known, edit("app.py"), 1.05 + JUST_COME + 1.0)
    assert known.over(3.0) == (P1,)


def test_a_dialog_that_is_drawn_over_by_one_that_has_just_come_is_not() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    shows(known, bash("mkdir -p build"), 1.1)
    known.open(EDIT, H2, 5.0)
    shows(known, edit("app.py"), 5.1)
    assert known.over(5.2) == ()


def test_what_is_still_drawn_of_an_answered_prompt_does_not_lend_its_id_to_the_next() -> None:
    known = insight()
    known.open(MKDIR, H1, 1.0)
    shows(known, bash("mkdir -p build"), 1.1)
    known.close(P1, 2.0)
    assert known.open(MKDIR, H2, 2.1) != P1


def test_what_is_still_drawn_of_several_answered_prompts_is_none_of_it_asked_again() -> None:
    known = two(MKDIR, EDIT)
    known.says(Says(Working()), Tier.HOOKS, 1.06)
    shows(known, bash("mkdir -p build"), 1.1)
    for identity in (P2, P1):
        known.close(identity, 2.0, answered=True)
    shows(known, edit("app.py"), 2.05)
    known.see(None, 2.0 + ANSWERED_GONE_AFTER - 0.1)
    assert known.state == Working()


def test_what_is_asked_long_after_an_answer_is_asked_anew() -> None:
    known = two(MKDIR, EDIT)
    known.says(Says(Working()), Tier.HOOKS, 1.06)
    for identity in (P2, P1):
        known.close(identity, 2.0, answered=True)
    shows(known, edit("app.py"), 2.0 + ANSWERED_GONE_AFTER + 1.0)
    assert on_screen(known).id == P3


def sed(name: str) -> Permission:
    guise = Guise("Edit", f"Do you want to make this edit to {name}?", name)
    return Permission(NONE, "Bash", {"command": f"sed -i s/a/b/ {name}"}, guise=guise)


@pytest.mark.parametrize("is_drawn_first", [True, False])
def test_a_command_that_is_drawn_as_an_edit_has_its_options(*, is_drawn_first: bool) -> None:
    known = insight()
    if is_drawn_first:
        shows(known, edit("f.txt"), 1.0)
    identity = known.open(sed("f.txt"), H1, 1.1)
    shows(known, edit("f.txt"), 1.2)
    prompt = on_screen(known)
    assert isinstance(prompt, Permission)
    assert (prompt.id, prompt.tool, prompt.options) == (identity, "Bash", ("Yes", "No"))


@pytest.mark.parametrize("is_drawn_first", [True, False])
def test_the_dialog_of_another_file_is_not_that_of_the_command(*, is_drawn_first: bool) -> None:
    known = insight()
    if is_drawn_first:
        shows(known, edit("other.txt"), 1.0)
    identity = known.open(sed("f.txt"), H1, 1.1)
    shows(known, edit("other.txt"), 1.2)
    assert isinstance(known.state, Prompted)
    (told,) = (each for each in known.state.prompts if each.id == identity)
    assert told.screen_lines == ()
