import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest

from coop.agents.claude import claude
from coop.agents.claude.screen import words
from coop.errors import ConfigError
from coop.model.prompt import Permission, Plan, Question, Setup
from coop.model.readings import Claim, Composer, Learned, Says
from coop.model.screen import Cursor
from coop.model.state import Idle, Prompted, Working
from tests.unit.agents.claude.screens import VERSIONS, composer, dialog_screens, drawn, read, readings

BASH = ("Permission", "Bash")
EDIT = ("Permission", "Edit")
SEQUENCES: dict[str, tuple[object, ...]] = {
    "text-turn": (Idle, Working, Idle),
    "shell-permission": (Idle, Working, BASH, Working, Idle),
    "edit-permission-resize": (Idle, Working, EDIT, Working, Idle),
    "question": (Idle, Working, ("Question", None), ("Question", None), ("Question", "review"), Working, Idle),
    "plan": (Idle, Working, ("Plan", None), Working, Idle),
    "interrupt": (Idle, Working, Idle),
    "trust-then-text": (("Setup", "trust"), Idle, Working, Idle),
}


def told(version: str, name: str) -> Iterator[Claim]:
    """What the screens of a recording say, one after the other. A screen that says nothing changes nothing."""
    for _, reading in readings(version, name):
        if reading.says is not None:
            assert reading.says.final
            yield reading.says.claim


def essence(claim: Claim) -> object:
    match claim:
        case Prompted(Permission(tool=tool)):
            return "Permission", tool
        case Prompted(Question(subtype=subtype) | Setup(subtype=subtype) | Plan(subtype=subtype) as prompt):
            return type(prompt).__name__, subtype
        case _:
            return type(claim)


def identity(claim: Claim) -> object:
    return essence(claim), claim.prompt.text if isinstance(claim, Prompted) and isinstance(claim.prompt, Question) else None


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", SEQUENCES)
def test_a_recorded_session_is_read_as_what_happened(version: str, name: str) -> None:
    claims = [next(same) for _, same in groupby(told(version, name), key=identity)]
    assert tuple(essence(claim) for claim in claims) == SEQUENCES[name]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_options_of_a_shell_permission_are_those_on_the_screen(version: str) -> None:
    (screen,) = dialog_screens(version, "shell-permission")
    says = read(screen).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    prompt = says.claim.prompt
    assert isinstance(prompt, Permission)
    forever = "Yes, and don't ask again for mkdir -p build and printf 'line %s\\n' 1 2 3 commands in /tmp/demo"
    auto = "Yes, and switch to auto mode · auto mode handles these prompts for you"
    assert prompt.options == (("Yes", forever, "No") if version == "2.1.197" else ("Yes", forever, auto, "No"))
    assert any("mkdir -p build" in line for line in prompt.screen_lines)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_edit_is_recognized_whatever_the_size_of_the_screen(version: str) -> None:
    screens = dialog_screens(version, "edit-permission-resize")
    assert {screen.size.cols for screen in screens} == {120, 90}


@pytest.mark.parametrize("version", VERSIONS)
def test_trust_carries_what_it_is_about(version: str) -> None:
    says = read(dialog_screens(version, "trust-then-text")[0]).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    prompt = says.claim.prompt
    assert isinstance(prompt, Setup)
    assert "/tmp/demo" in prompt.text
    assert set(prompt.options) == {"Yes, I trust this folder", "No, exit"}


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_person_types_is_the_draft(version: str) -> None:
    drafts = {reading.composer.draft for _, reading in readings(version, "shell-permission") if reading.composer}
    assert drafts == {"", "Make a build folder with some notes", "/", "/e", "/ex", "/exi", "/exit"}


# The composer


@pytest.mark.parametrize(
    ("footer", "mode"),
    [
        ("  ? for shortcuts · ← for agents                     ● high · /effort", "default"),
        ("  ⏸ manual mode on · ? for shortcuts …", "default"),
        ("  ⏸ manual mode on", "default"),
        ("  ⏵⏵ accept edits on (shift+tab to  ·", "acceptEdits"),
        ("  ⏵⏵ accept edits o ·", "acceptEdits"),
        ("  ⏸ plan mode on (shift+tab to cycle) · ← for agents", "plan"),
        ("  ⏵⏵ auto mode on   ·", "auto"),
        ("  ⏵⏵ bypass permissions on (shift+tab to cycle)", "bypassPermissions"),
        ("  ⏵⏵ don't ask on (shift+tab to cycle)", "dontAsk"),
    ],
)
def test_the_permission_mode_is_learned_from_the_footer(footer: str, mode: str) -> None:
    assert read(composer("", below=footer)).learned == Learned(permission_mode=mode)


@pytest.mark.parametrize(
    "footer", ["  ! for shell mode", "  esc to interrupt", "/plan    Enable plan mode", "  Press Ctrl-C again"]
)
def test_a_footer_without_a_mode_tells_of_none(footer: str) -> None:
    assert read(composer("⏸ plan mode on", "  ⏸ plan mode on", below=footer)).learned is None


def test_an_empty_composer_is_idle() -> None:
    reading = read(composer())
    assert (reading.says, reading.composer, reading.queued) == (Says(Idle()), Composer(""), False)


def test_a_draft_of_several_lines_is_read_whole() -> None:
    assert read(composer("one\ntwo\nthree")).composer == Composer("one\ntwo\nthree", rows=3)


@pytest.mark.parametrize(("col", "is_faint_ahead", "draft"), [(2, True, ""), (2, False, "deploy it"), (11, False, "deploy it")])
def test_what_is_faint_behind_the_cursor_is_no_draft(col: int, is_faint_ahead: bool, draft: str) -> None:
    screen = replace(composer("deploy it"), cursor=Cursor(1, col), is_faint_ahead=is_faint_ahead)
    assert read(screen).composer == Composer(draft)


@pytest.mark.parametrize(
    ("above", "below"),
    [(("✻ Pondering… (3s · ↓ 10 tokens)",), ""), ((), "  esc to interrupt"), (("* Orbiting… (1s)", ""), "  ? for shortcuts")],
)
def test_a_spinner_or_the_way_to_interrupt_is_work(above: tuple[str, ...], below: str) -> None:
    assert read(composer("", *above, below=below)).says == Says(Working())


def test_work_far_above_the_composer_is_history() -> None:
    assert read(composer("", "✻ Pondering… (3s)", *["● said"] * 9)).says == Says(Idle())


def test_what_ended_is_no_work() -> None:
    assert read(composer("", "✻ Worked for 3s")).says == Says(Idle())


def test_a_draft_that_looks_like_work_is_none() -> None:
    assert read(composer("press esc to interrupt")).says == Says(Idle())


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("  ctrl+g to interrupt", Composer(stop_key="ctrl+g")),
        ("  -- INSERT -- ⏸ manual mode on", Composer(inserts=True)),
        ("  say -- INSERT --", Composer()),
    ],
    ids=["a key of ones own", "vim", "no mode"],
)
def test_what_the_keys_do_is_seen_below_the_composer(below: str, expected: Composer) -> None:
    assert read(composer("", below=below)).composer == expected


@pytest.mark.parametrize(("col", "draft"), [(11, "/compact"), (2, "/compact  <what to keep>")])
def test_what_a_command_takes_is_no_draft(col: int, draft: str) -> None:
    screen = replace(composer("/compact  <what to keep>"), cursor=Cursor(1, col))
    assert read(screen).composer == Composer(draft)


def test_a_retry_is_work_with_its_number() -> None:
    above = "✻ 529 Overloaded · Retrying in 1s · attempt 2/10"
    assert read(composer("", above, below="  esc to interrupt")).says == Says(Working("retrying 2/10"))


def test_messages_that_wait_are_seen_above_the_composer() -> None:
    reading = read(composer("", "  ❯ queued while busy", "  Press up to edit queued messages", below="  esc to interrupt"))
    assert (reading.says, reading.queued) == (Says(Working()), True)


def test_messages_that_wait_are_seen_where_the_agent_says_so() -> None:
    above = ("* Orbiting… (1s · ↓ 10 tokens)", "  ❯ queued while busy", "")
    reading = read(composer("Press up to edit queued messages", *above, below="  esc to interrupt"))
    assert reading.queued
    assert reading.composer == Composer("", stop_key="esc")


def test_a_screen_with_neither_composer_nor_dialog_says_nothing() -> None:
    reading = read(drawn("Security notes:", " 1. Claude can make mistakes.", " Press Enter to continue…"))
    assert (reading.says, reading.composer) == (None, None)


def test_a_dialog_nobody_knows_is_a_question_that_is_not_final() -> None:
    reading = read(drawn("─" * 120, " Shall the moon be moved?", " ❯ 1. Aye", "   2. Nay"))
    assert reading.says is not None
    assert not reading.says.final
    assert isinstance(reading.says.claim, Prompted)
    prompt = reading.says.claim.prompt
    assert isinstance(prompt, Question)
    assert (prompt.subtype, prompt.text, prompt.options) == ("unrecognized", "Shall the moon be moved?", ("Aye", "Nay"))


EDIT_OF_A_LONG_NAME = """
 Edit file
 20240101120000_create_user_notification_preferences_table.rb
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 1 -old
 1 +made
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to make this edit to
 20240101120000_create_user_notification_preferences_table.rb?
 ❯ 1. Yes
   2. Yes, allow all edits during this session (shift+tab)
   3. No

 Esc to cancel · Tab to amend
"""
NOTEBOOK = """
 Edit notebook
╭──────────────────────────────────────╮
│ /tmp/workspace/n.ipynb               │
╰──────────────────────────────────────╯
 Do you want to {} n.ipynb?
 ❯ 1. Yes
   2. Yes, allow all edits during this session (shift+tab)
   3. No

 Esc to cancel · Tab to amend
"""
NARROW_PLAN = """
   Claude has written up a plan and
   is ready to execute. Would you
   like to proceed?

   ❯ 1. Yes, and use auto mode
     2. Yes, manually approve edits
     3. Tell Claude what to change
        shift+tab to approve with
        this feedback

   ctrl+g to edit in Vim · ~/.claude/
   plans/do-it-curious-panda.md
"""


@pytest.mark.parametrize(("text", "expected"), [(EDIT_OF_A_LONG_NAME, EDIT), (NARROW_PLAN, ("Plan", None))])
def test_a_question_that_goes_on_in_the_next_line_is_known(text: str, expected: object) -> None:
    says = read(drawn("─" * 120, *text.splitlines())).says
    assert says is not None
    assert (essence(says.claim), says.final) == (expected, True)


@pytest.mark.parametrize("verb", ["make this edit to", "insert this cell into", "delete this cell from"])
def test_what_is_done_to_a_notebook_is_told_from_an_edit(verb: str) -> None:
    says = read(drawn("─" * 120, *NOTEBOOK.format(verb).splitlines())).says
    assert says is not None
    assert (essence(says.claim), says.final) == (("Permission", "NotebookEdit"), True)


THEME = """
 Choose the text style that looks best with your terminal
 To change this later, run /theme

   1. Auto (match terminal)
 ❯ 2. Dark mode ✔
"""
API_KEY = """
  Detected a custom API key in your environment

  ANTHROPIC_API_KEY: sk-ant-...ghij

  Do you want to use this API key?

    1. Yes
  ❯ 2. No (recommended)

  Enter to confirm · Esc to cancel
"""
SETTINGS_ERROR = """
  Settings Error
  /home/dev/lab
  ❯ 1. Fix with Claude
    2. Exit and fix manually
    3. Continue without these settings
"""
BYPASS = """
 WARNING: Claude Code running in Bypass Permissions mode

 By proceeding, you accept all responsibility

 ❯ 1. No, exit
   2. Yes, I accept
"""
LOGIN = """
 Select login method:

 ❯ 1. Claude account with subscription
   2. Anthropic Console account
"""


@pytest.mark.parametrize(
    ("text", "subtype"),
    [(THEME, "theme"), (API_KEY, "api_key"), (SETTINGS_ERROR, "settings_error"), (BYPASS, "bypass"), (LOGIN, "login")],
)
def test_setup_dialogs_are_known_by_their_title(text: str, subtype: str) -> None:
    says = read(drawn("─" * 120, *text.splitlines())).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    prompt = says.claim.prompt
    assert isinstance(prompt, Setup)
    assert prompt.subtype == subtype


# The file of dialogs


OTHER = r"""
[screen]
composer = '^>'
footer = 'busy'

[[dialog]]
kind = "permission"
tool = "Bash"
question = 'May I'
"""


def test_dialogs_of_a_file_replace_our_own() -> None:
    agent = claude(tomllib.loads(OTHER), source="mine.toml")
    assert agent.read_screen is not None
    reading = agent.read_screen(drawn("─" * 120, " May I?", " ❯ 1. Yes", "   2. No"))
    assert reading.says is not None
    assert isinstance(reading.says.claim, Prompted)
    assert isinstance(reading.says.claim.prompt, Permission)
    assert agent.read_screen(drawn("─" * 120, "> ", "─" * 120, "busy")).says == Says(Working())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("dialog = 1", r"expected \[\[dialog\]\] tables"),
        ("[[dialog]]\nkind = 'what'", "dialog 1: kind: expected one of"),
        ("[[dialog]]\nkind = 'plan'\ntitel = 'x'", "dialog 1: no key 'titel'"),
        ("[[dialog]]\nkind = 'plan'\ntitle = '('", "dialog 1: title: .* is not a regular expression"),
        ("[[dialog]]\nkind = 'plan'\naccept = [1]", "dialog 1: accept: expected a label"),
        ("dialog = ['x']", "dialog 1: expected a table"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=f"mine.toml: {says}"):
        words(tomllib.loads(text), source="mine.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[screen]\ncomposer = '('",
        "[screen]\nworking = ['(']",
        "screen = 'x'",
        "[screen]\nworking = [1]",
        "[screen]\nqueud = 'x'",
    ],
)
def test_a_wrong_table_for_the_screen_says_what_is_wrong(text: str) -> None:
    with pytest.raises(ConfigError, match=r"mine\.toml: \[?screen"):
        words(tomllib.loads(text), source="mine.toml")


@pytest.mark.parametrize(
    "options",
    [
        ("   1. Auto (match terminal)", " ❯ 2. Dark mode ✔", "   3. Light mode"),
        ("     Auto (match terminal)", " ❯ ✔ Dark mode", "     Light mode"),
    ],
    ids=["2.1.197", "2.1.325"],
)
def test_a_theme_is_asked_for_under_no_rule_and_above_an_example(options: tuple[str, ...]) -> None:
    above = ("Welcome to Claude Code v2.1.325", "", " Let's get started.", "", " To change this later, run /theme", "")
    below = ("", "  1  function greet() {", "  2 -  console.log();", "  3  }", "", "  Syntax theme: Monokai")
    says = read(drawn(*above, *options, *below)).says
    assert says is not None
    assert says.final
    assert isinstance(says.claim, Prompted)
    assert says.claim.prompt.options == ("Auto (match terminal)", "Dark mode", "Light mode")
