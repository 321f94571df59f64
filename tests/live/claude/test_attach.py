"""Claude Code that somebody has started by hand in tmux (against the simulator, in GNU screen too): found, followed, told things, and left as it was."""

import json
import os
import shlex
import signal
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.anthropic import FakeAnthropic, say, use
from coop.testing.claude import ClaudeHome, seeded_home
from tests.live.claude.conftest import IDLE, Lab
from tests.live.conftest import RunCoop
from tests.support.lab import in_short
from tests.support.multiplexers import Multiplexer, is_undisturbed

WITHIN = 30.0


@pytest.fixture
def place(tmp_path: Path) -> ClaudeHome:
    return seeded_home(tmp_path)


def status_of(place: ClaudeHome) -> dict[str, object]:
    """What the only Claude of that home says of itself."""
    for path in (place.home / ".claude" / "sessions").glob("*.json"):
        text = path.read_text()
        return json.loads(text) if text else {}
    return {}


def start_by_hand(terminal: Multiplexer, claude: str, place: ClaudeHome, api: FakeAnthropic) -> int:
    """In a shell, as people do; the pid of the agent."""
    terminal.start("bash", "--norc", env=place.environment(api.url), cwd=place.workspace, size="120x40")
    terminal.type(shlex.join((claude, "--permission-mode", "default")))
    eventually(lambda: status_of(place).get("status") == "idle", within=WITHIN, what="Claude's own word that it is idle")
    return int(str(status_of(place)["pid"]))


def test_it_is_told_and_answered_and_outlives_coop(
    version: str, claude: str, run_coop: RunCoop, terminal: Multiplexer, place: ClaudeHome
) -> None:
    with FakeAnthropic().serving() as api:
        pid = start_by_hand(terminal, claude, place, api)
        attached = ("--agent", "claude", "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(version, coop, place.workspace, api=api, place=place).following().ready()
            assert coop.child_pid == pid
            knows_whom_it_serves(lab)
            lab.tell("say hello", say("Hello there."), wait=10)
            assert "say hello" in api.main_requests[-1].last_user_text()
            lab.until(IDLE)
            lab.tell(
                "make the file", use("Bash", command="touch made", description="Make a file"), say("It is there."), wait=10
            )
            assert lab.asked("permission_prompt")["options"]
            assert lab.respond(accept=True)["via"] == "keys"
            eventually((place.workspace / "made").exists, within=WITHIN)
            lab.until(IDLE)
            assert in_short(lab.states()) == [IDLE, "permission_prompt", IDLE]
            coop.process.send_signal(signal.SIGKILL)
            coop.wait()
        is_undisturbed(terminal, pid, size="120x40")
        api.script(say("Still here."))
        terminal.type("are you there")
        eventually(lambda: "are you there" in api.main_requests[-1].last_user_text(), within=WITHIN)
        eventually(lambda: "Still here." in terminal.shown(), within=WITHIN)
        eventually(lambda: status_of(place).get("status") == "idle", within=WITHIN)


def knows_whom_it_serves(lab: Lab) -> None:
    """By the agent's own files, and it says what it cannot hear."""
    said = status_of(lab.place)
    assert lab.state()["session_id"] == said["sessionId"]
    explained = lab.explain()
    words = {each["tier"]: each for each in explained["tiers"]}
    assert words["status_file"]["said"] == IDLE
    assert "running already" in words["hooks"]["unavailable"]
    assert explained["attached"]["output"].startswith(("as it is written", "looked at"))


def test_it_follows_a_session_that_is_cleared(
    version: str, claude: str, run_coop: RunCoop, terminal: Multiplexer, place: ClaudeHome
) -> None:
    with FakeAnthropic().serving() as api:
        start_by_hand(terminal, claude, place, api)
        attached = ("--agent", "claude", "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(version, coop, place.workspace, api=api, place=place).following()
            before = lab.ready().state()["session_id"]
            terminal.type("/clear")
            eventually(lambda: lab.state()["session_id"] not in (None, before), within=WITHIN, what="another session")
            lab.until(IDLE)
            reply = lab.tell("hello again", say("Hello again."), wait=10)
            assert reply["receipt"]["received_as"] == "hello again"


def test_it_is_exited_when_claude_ends_though_its_shell_goes_on(
    version: str, claude: str, run_coop: RunCoop, terminal: Multiplexer, place: ClaudeHome
) -> None:
    with FakeAnthropic().serving() as api:
        pid = start_by_hand(terminal, claude, place, api)
        attached = ("--agent", "claude", "--keep-alive", "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(version, coop, place.workspace, api=api, place=place)
            lab.once(lambda: lab.state()["state"] == IDLE, what="idle")
            os.kill(pid, signal.SIGTERM)
            lab.once(lambda: lab.state()["state"] == "exited", what="exited")
            assert "the program has ended" in lab.state()["detail"]
        os.kill(terminal.pid(), 0)  # the shell
