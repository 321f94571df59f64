"""The commands that talk with a person, on a real terminal."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from coop.testing import eventually
from tests.oracles.on_pty import OnPty
from tests.support.commands import Desk

SCENARIO = Path(__file__).parents[1] / "docs/client_scenario.toml"
SEVERAL = """
[[turn]]
match = "several"
then = "Thanks."
[turn.tool]
name = "AskUserQuestion"
[[turn.tool.input.questions]]
question = "Which database?"
header = "Database"
multiSelect = false
options = [{ label = "PostgreSQL", description = "a server" }, { label = "SQLite", description = "a file" }]
[[turn.tool.input.questions]]
question = "Which parts?"
header = "Parts"
multiSelect = true
options = [{ label = "Login" , description = "" }, { label = "Billing", description = "" }, { label = "Search", description = "" }]
"""
LONG = 60.0


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def asking(desk: Desk) -> Generator[Desk]:
    """The small agent, `a`, asks which database."""
    with desk.session("a"):
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        desk.coop("nudge", ".", "ask")
        desk.coop("wait", "--for", "prompt", "--timeout", "30")
        yield desk


def asked(terminal: OnPty) -> None:
    """A person is, and may type."""
    terminal.until(lambda: terminal.output.endswith(b"> "), what="the place to type", within=LONG)


def interrupt(terminal: OnPty) -> None:
    """Ctrl-C; again, when it came between two reads of the keyboard, as a person would."""
    for _ in range(5):
        terminal.press("\x03")
        with suppress(AssertionError):
            terminal.until(lambda: has_ended(terminal.pid), what="its end", within=5.0)
            return


def has_ended(pid: int) -> bool:
    """Its exit code is not taken yet."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def test_respond_shows_the_question_and_takes_a_number(asking: Desk) -> None:
    with asking.on_terminal("respond") as terminal:
        terminal.shows("2. SQLite", within=LONG)
        terminal.shows("a number, or words of your own")
        terminal.press("9\r")
        terminal.shows("expected 1 (PostgreSQL) or 2 (SQLite)", within=LONG)
        terminal.press("2\r")
        terminal.shows("answered, by keys", within=LONG)
        assert terminal.exit_code() == 0
    eventually(lambda: "SQLite it is." in asking.coop("peek").stdout)


def test_respond_leaves_it_when_nothing_is_typed(asking: Desk) -> None:
    with asking.on_terminal("respond") as terminal:
        terminal.shows("2. SQLite", within=LONG)
        terminal.press("\r")
        terminal.shows("left as it is", within=LONG)
        assert terminal.exit_code() == 1
    assert asking.coop("state", "--json").json["state"] == "ask_user"


def test_respond_can_be_interrupted(asking: Desk) -> None:
    with asking.on_terminal("respond") as terminal:
        asked(terminal)
        interrupt(terminal)
        assert terminal.exit_code() == 130
    assert asking.coop("state", "--json").json["state"] == "ask_user"


def test_respond_does_not_answer_another_prompt_than_the_one_it_showed(asking: Desk) -> None:
    with asking.on_terminal("respond") as terminal:
        asked(terminal)
        asking.coop("respond", "--option", "1")
        asking.coop("wait", "--for", "idle", "--timeout", "30")
        asking.coop("nudge", "a", "ask")
        asking.coop("wait", "--for", "prompt", "--timeout", "30")
        terminal.press("2\r")
        assert terminal.exit_code() == 1
        assert any("coop respond:" in line for line in terminal.lines())
    assert asking.coop("state", "--json").json["state"] == "ask_user"


def test_a_permission_of_claude_is_denied_with_words(desk: Desk) -> None:
    with desk.claude("claude", SCENARIO):
        desk.coop("wait", "--for", "idle", "--timeout", "60")
        desk.coop("nudge", "claude", "Fix the login bug", "--wait", "30")
        desk.coop("wait", "--for", "permission", "--timeout", "60")
        with desk.on_terminal("respond", "claude") as terminal:
            terminal.shows("May Bash run?", within=LONG)
            terminal.shows("command: touch login-fixed")
            terminal.shows("y yes, n no, a always")
            terminal.press("n\r")
            terminal.shows("denied, by hook", within=LONG)
            assert terminal.exit_code() == 0
        desk.coop("wait", "--for", "idle", "--timeout", "60")
        assert not (desk.root / "workspace/login-fixed").exists()


def test_several_questions_are_asked_one_after_the_other(desk: Desk) -> None:
    scenario = desk.root / "several.toml"
    scenario.write_text(SEVERAL)
    with desk.claude("claude", scenario):
        desk.coop("wait", "--for", "idle", "--timeout", "60")
        desk.coop("nudge", "claude", "several", "--wait", "30")
        desk.coop("wait", "--for", "question", "--timeout", "60")
        with desk.on_terminal("respond") as terminal:
            terminal.shows("Which database?", within=LONG)
            terminal.shows("a number or words")
            terminal.press("2\r")
            terminal.shows("Which parts?", within=LONG)
            terminal.shows("numbers, with commas")
            terminal.press("1,3\r")
            terminal.shows("answered, by", within=LONG)
            assert terminal.exit_code() == 0
        assert desk.coop("wait", "--for", "idle", "--timeout", "60").code == 0
        shown = desk.coop("peek").stdout
        assert "SQLite" in shown
        assert re.search(r"Login,\s*Search", shown)


def test_ls_watch_draws_what_changes_and_leaves_nothing_behind(desk: Desk) -> None:
    with desk.session("a"), desk.on_terminal("ls", "--watch") as terminal:
        terminal.shows("waiting_for_input", within=LONG)
        assert b"\x1b[?1049h" in terminal.output
        desk.coop("nudge", "a", "ask")
        terminal.shows("ask_user", within=LONG)
        terminal.shows("Which database should we use?")
        with desk.session("b", command=("cat",)):
            terminal.until(lambda: any(line.startswith("b  ") for line in terminal.lines()), what="b", within=LONG)
        terminal.until(lambda: not any(line.startswith("b  ") for line in terminal.lines()), what="the end of b", within=LONG)
        terminal.press("\x03")
        assert terminal.exit_code() == 130
        assert terminal.output.endswith(b"\x1b[?25h\x1b[?1049l") or b"\x1b[?1049l" in terminal.output[-60:]


def test_ls_watch_begins_before_there_is_a_session(desk: Desk) -> None:
    with desk.on_terminal("ls", "-w") as terminal:
        terminal.shows("no session runs here", within=LONG)
        with desk.session("a", command=("cat",)):
            terminal.shows("a     unknown", within=LONG)


def test_ls_watch_in_a_pipe_prints_a_list_for_every_change(desk: Desk) -> None:
    command = [sys.executable, "-m", "coop.cli.main", "ls", "--watch", "--json"]
    with desk.session("a"), subprocess.Popen(command, env=desk.env, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        first = json.loads(watching.stdout.readline())
        assert [each["name"] for each in first] == ["a"]
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        desk.coop("nudge", "a", "ask")
        states = iter(lambda: json.loads(watching.stdout.readline())[0]["state"], None)  # type: ignore[union-attr]
        assert "ask_user" in states
        watching.send_signal(signal.SIGINT)
        assert watching.wait(LONG) == 130


def test_events_follow_the_session_to_its_end(desk: Desk) -> None:
    with desk.session("a"), desk.on_terminal("events", "--follow") as terminal:
        terminal.shows("waiting_for_input", within=LONG)
        desk.coop("nudge", "a", "ask")
        terminal.shows("working → ask_user: Which database should we use?", within=LONG)
        desk.coop("respond", "--option", "2")
        terminal.shows("answered by api: answered", within=LONG)
        desk.coop("stop")
        terminal.shows("ended: exited by signal 1", within=LONG)
        assert terminal.exit_code() == 0
        assert any(re.match(r"\d\d:\d\d:\d\d  #\d+", line) for line in terminal.lines())


def test_colours_are_for_terminals_that_want_them(desk: Desk) -> None:
    with desk.session("a"):
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        desk.coop("type", ".", "ask", "--enter")
        desk.coop("wait", "--for", "prompt", "--timeout", "30")
        for command in (("ls",), ("state",), ("explain",), ("peek",)):
            with desk.on_terminal(*command) as terminal:
                assert terminal.exit_code() == 0
                assert b"\x1b[" in terminal.output, command
            with desk.on_terminal(*command, NO_COLOR="1") as terminal:
                assert terminal.exit_code() == 0
                assert b"\x1b[" not in terminal.output, command


def test_json_on_a_terminal_is_for_people_to_read(desk: Desk) -> None:
    with desk.session("a", command=("cat",)), desk.on_terminal("state", "--json") as terminal:
        terminal.shows('  "agent": "unknown",', within=LONG)
        assert terminal.exit_code() == 0
