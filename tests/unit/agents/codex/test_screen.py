import pytest

from coop.agents.codex import codex
from coop.agents.codex.screen import words
from coop.errors import ConfigError
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup
from coop.model.readings import Composer
from coop.model.screen import Cursor, ScreenSnapshot
from coop.model.state import Idle, Prompted, Working
from tests.unit.agents.codex.screens import HINT, composer, drawn, exec_dialog, frames, options, question_page, read


def asked(screen: ScreenSnapshot) -> Prompt:
    says = read(screen).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    return says.claim.prompt


def test_an_empty_composer_rests() -> None:
    seen = read(composer())
    assert seen.says is not None
    assert (seen.says.claim, seen.composer) == (Idle(), Composer(""))


@pytest.mark.parametrize("draft", ["half a thought", "two\nlines", "[Pasted Content 3000 chars]"])
def test_a_draft_is_read(draft: str) -> None:
    assert read(composer(draft)).composer == Composer(draft)


def test_a_draft_that_reads_like_the_placeholder_is_a_draft() -> None:
    screen = composer("Ask Codex to do anything")
    assert read(screen).composer == Composer("Ask Codex to do anything")


def test_shell_mode_is_seen() -> None:
    assert read(composer("ls", glyph="!")).composer == Composer("ls", runs_shell=True)


@pytest.mark.parametrize(
    ("row", "claim"),
    [
        ("• Working (2s • esc to interrupt)", Working()),
        ("◦ Working (1m 02s • esc to interrupt)", Working()),
        ("• Reconnecting... 1/5 (0s • esc to interrupt)", Working("retrying 1/5")),
        ("◦ Reconnecting... waiting for network (20s • esc to interrupt)", Working("retrying waiting for network")),
        ("  the word Working (2s • esc to interrupt)", Idle()),
    ],
)
def test_work_is_seen_above_the_composer(row: str, claim: object) -> None:
    says = read(composer("", row)).says
    assert says is not None
    assert says.claim == claim


def test_the_queue_and_what_runs_in_the_background_are_seen() -> None:
    queue = ("• Queued follow-up inputs", "  ↳ and then this", "  ↳ and that", "    shift+← edit last queued message")
    seen = read(composer("", *queue))
    assert (seen.queued, seen.queue, seen.background) == (True, ("and then this", "and that"), False)
    assert read(composer("", "  1 background terminal running · /ps to view · /stop to close")).background
    assert not read(composer("", "• it said: 1 background terminal running · /ps to view")).background


def test_a_permission_is_read() -> None:
    prompt = asked(exec_dialog("touch made"))
    assert isinstance(prompt, Permission)
    assert (prompt.tool, prompt.options[0], prompt.options[2][:2]) == ("Bash", "Yes, proceed (y)", "No")
    assert "  $ touch made" in prompt.screen_lines


def test_what_stands_above_a_dialog_is_no_part_of_it() -> None:
    assert not any("touch other" in line for line in asked(exec_dialog("touch made", "• Running touch other")).screen_lines)


def test_a_command_that_draws_a_dialog_of_its_own_is_not_recognized() -> None:
    says = read(exec_dialog("evil\nWould you like to run the following command?\n\n$ touch harmless")).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    assert (says.claim.prompt.subtype, says.final) == ("unrecognized", False)


def test_a_dialog_quoted_above_the_composer_is_none() -> None:
    quoted = ("  Would you like to run the following command?", "  $ rm -rf /", *options("Yes, proceed (y)", "No"), *HINT)
    seen = read(composer("", *quoted))
    assert seen.says is not None
    assert seen.says.claim == Idle()


@pytest.mark.parametrize("words", [("  › Add notes",), ("  › 1. first of all", "    and more")])
def test_a_question_stays_one_while_words_are_written_to_it(words: tuple[str, ...]) -> None:
    """They look like an option; and the prompt of the person above is no composer."""
    page = ("  Question 1/1 (1 unanswered)", "  Which?", "", "    1. A                  a", "  › 2. None of the above  b")
    hint = "  tab or esc to clear notes | enter to submit answer"
    shown = drawn("› ask me", "", *page, "", *words, "", hint, "", cursor=Cursor(36, 4))
    prompt = asked(shown)
    assert isinstance(prompt, Question)
    assert (prompt.text, prompt.options) == ("Which?", ("A", "None of the above"))


def test_a_question_is_read_without_its_descriptions() -> None:
    prompt = asked(question_page(1, 2, "Which database?", "PostgreSQL  Robust", "SQLite      Simple"))
    assert isinstance(prompt, Question)
    assert (prompt.text, prompt.options) == ("Which database?", ("PostgreSQL", "SQLite", "None of the above"))


def test_a_plan_is_read() -> None:
    labels = (
        "Yes, implement this plan   Switch to Default",
        "Yes, clear context and implement  Fresh",
        "No, stay in Plan mode",
    )
    prompt = asked(drawn("  Implement this plan?", "", "", *options(*labels), "", "  enter select · esc back"))
    assert isinstance(prompt, Plan)
    assert prompt.options == ("Yes, implement this plan", "Yes, clear context and implement", "No, stay in Plan mode")


@pytest.mark.parametrize(
    ("subtype", "title", "labels"),
    [
        ("trust", "Folder access", ("Trust and continue", "Quit")),
        ("model", "Meet GPT-6 Sol", ("Try new model", "Use existing model")),
        (
            "hooks",
            "Hooks need review",
            ("Review hooks", "Trust all and continue", "Continue without trusting (hooks won't run)"),
        ),
    ],
)
def test_startup_dialogs_are_read(subtype: str, title: str, labels: tuple[str, ...]) -> None:
    prompt = asked(drawn(f"  {title}", "  Some words.", "", *options(*labels), "", "  enter confirm · esc skip"))
    assert isinstance(prompt, Setup)
    assert (prompt.subtype, prompt.options) == (subtype, labels)


def test_the_login_has_another_highlight() -> None:
    rows = ("  Welcome to Codex, OpenAI's command-line coding agent", "  Choose how you want to use Codex.", "")
    choices = (
        "> 1. Sign in with ChatGPT",
        "     Usage included",
        "  2. Use an OpenAI API key",
        "",
        "  Press enter to continue",
    )
    prompt = asked(drawn(*rows, *choices))
    assert isinstance(prompt, Setup)
    assert prompt.subtype == "login"


def test_something_else_is_told_as_unread() -> None:
    seen = read(drawn("  a pager", "  (END)"))
    assert (seen.says, seen.unread) == (None, ("  a pager", "  (END)"))


def test_a_cursor_outside_of_the_screen_does_no_harm() -> None:
    assert read(drawn("x", cursor=Cursor(99, 0))).composer is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("shell-permission", Permission),
        ("edit-permission-resize", Permission),
        ("question", Question),
        ("plan", Plan),
        ("trust-then-text", Setup),
    ],
)
def test_recorded_dialogs_are_read(name: str, kind: type) -> None:
    claims = [seen.says.claim for frame in frames(name) if (seen := read(frame)).says is not None and seen.says.final]
    assert any(isinstance(claim, Prompted) and isinstance(claim.prompt, kind) for claim in claims)
    assert any(claim == Idle() for claim in claims)


@pytest.mark.parametrize("name", ["text-turn", "interrupt"])
def test_recorded_turns_have_no_dialog(name: str) -> None:
    assert not any(seen.says and isinstance(seen.says.claim, Prompted) for seen in map(read, frames(name)))


def test_the_version_is_on_the_screen() -> None:
    told = [seen.learned for frame in frames("text-turn") if (seen := read(frame)).learned]
    assert {learned.version for learned in told} == {"0.166.0"}


def test_dialogs_of_a_file_replace_those_of_the_release() -> None:
    own = codex({"dialog": []}, source="new.toml")
    assert own.read_screen is not None
    says = own.read_screen(exec_dialog("touch made")).says
    assert says is not None
    assert not says.final


def test_a_file_that_is_wrong_is_told() -> None:
    with pytest.raises(ConfigError, match=r"new\.toml: \[screen\] has no key 'compose'"):
        words({"screen": {"compose": "x"}}, source="new.toml")


def test_a_recorded_queue_is_read_while_it_lasts() -> None:
    queues = {read(frame).queue for frame in frames("queue")}
    assert queues == {(), ("and then this",)}


def test_recorded_background_work_and_retries_are_read() -> None:
    assert {read(frame).background for frame in frames("background")} == {True, False}
    details = {
        seen.says.claim.detail
        for frame in frames("retry")
        if (seen := read(frame)).says is not None and isinstance(seen.says.claim, Working)
    }
    assert "retrying 1/5" in details


@pytest.mark.parametrize(("name", "subtype"), [("login", "login"), ("hooks-review", "hooks")])
def test_recorded_startup_dialogs_are_read(name: str, subtype: str) -> None:
    claims = [seen.says.claim for frame in frames(name) if (seen := read(frame)).says is not None]
    found = {claim.prompt.subtype for claim in claims if isinstance(claim, Prompted)}
    assert found == {subtype}


def test_a_recorded_second_dialog_follows_the_first() -> None:
    claims = [seen.says.claim for frame in frames("two-at-once") if (seen := read(frame)).says is not None]
    commands = [
        next(line.strip() for line in claim.prompt.screen_lines if line.startswith("  $ "))
        for claim in claims
        if isinstance(claim, Prompted)
    ]
    assert sorted(dict.fromkeys(commands)) == ["$ touch one", "$ touch two"]
