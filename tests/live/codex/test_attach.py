"""Codex that somebody has started by hand in tmux (against the simulator, in GNU screen too): found, followed, told things, and left as it was."""

import os
import shlex
import signal
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from coop.testing import CoopProcess, eventually
from coop.testing.codex import CodexHome, seeded_home
from coop.testing.openai import FakeOpenAI, say
from tests.live.codex.conftest import IDLE, VERSION, Lab, shell
from tests.live.conftest import RunCoop
from tests.support.lab import in_short
from tests.support.multiplexers import Multiplexer, is_undisturbed

WITHIN = 30.0


@pytest.fixture
def place(tmp_path: Path, api: FakeOpenAI) -> CodexHome:
    return seeded_home(tmp_path, api.url)


def start_by_hand(terminal: Multiplexer, codex: str, place: CodexHome, *prompt: str) -> None:
    """In a shell, as people do."""
    terminal.start("bash", "--norc", env=place.environment(), cwd=place.workspace, size="120x40")
    terminal.type(shlex.join((codex, "--no-daemon", *prompt)))
    eventually(lambda: "gpt-5.5 default" in terminal.shown().lower(), within=WITHIN, what="its footer")


def attach(run_coop: RunCoop, terminal: Multiplexer, place: CodexHome, *options: str) -> AbstractContextManager[CoopProcess]:
    given = ("--agent", "codex", *options, "--attach", terminal.spec)
    return run_coop(*given, command=(), env=terminal.env(), cwd=place.workspace)


def ended_turns(place: CodexHome) -> int:
    logs = (place.home / ".codex" / "sessions").glob("*/*/*/rollout-*.jsonl")
    return sum(log.read_text().count('"task_complete"') for log in logs)


def lab_of(coop: CoopProcess, api: FakeOpenAI, place: CodexHome) -> Lab:
    return Lab(VERSION, coop, place.workspace, api=api, place=place).following()


def test_it_is_known_to_rest_and_told_and_answered_and_outlives_coop(
    codex: str, run_coop: RunCoop, api: FakeOpenAI, terminal: Multiplexer, place: CodexHome
) -> None:
    api.script(say("Good morning."))
    start_by_hand(terminal, codex, place, "say good morning")
    eventually(lambda: ended_turns(place) == 1, within=WITHIN, what="the end of its first turn")
    with attach(run_coop, terminal, place) as coop:
        lab = lab_of(coop, api, place).ready()  # long before the grace
        knows_whom_it_serves(lab)
        assert lab.states() == [IDLE]  # what was before is no news
        pid = coop.child_pid
        reply = lab.tell("say hello", say("Hello there."), wait=10)
        assert reply["receipt"]["evidence"] == "session_log"
        lab.until(IDLE)
        lab.tell("make the file", shell("touch made"), say("It is there."), wait=10)
        lab.asked("permission_prompt", drawn=True)
        assert lab.respond(accept=True)["via"] == "keys"
        eventually((place.workspace / "made").exists, within=WITHIN)
        lab.until(IDLE)
        assert in_short(lab.states()) == [IDLE, "permission_prompt", IDLE]
        coop.process.send_signal(signal.SIGKILL)
        coop.wait()
    is_undisturbed(terminal, pid, size="120x40")


def knows_whom_it_serves(lab: Lab) -> None:
    """By the agent's own log, and it says what it cannot hear."""
    seen, words = lab.state(), {each["tier"]: each for each in lab.explain()["tiers"]}
    assert seen["transcript_path"].endswith(f"-{seen['session_id']}.jsonl")
    assert seen["last_message"] == "Good morning."
    assert (words["session_log"]["said"], words["session_log"]["unavailable"]) == (IDLE, None)
    assert "running already" in words["hooks"]["unavailable"]


def test_one_that_nobody_has_told_anything_has_only_its_screen_until_it_is_told(
    codex: str, run_coop: RunCoop, api: FakeOpenAI, terminal: Multiplexer, place: CodexHome
) -> None:
    start_by_hand(terminal, codex, place)
    with attach(run_coop, terminal, place, "--idle-grace", "3") as coop:
        lab = lab_of(coop, api, place).ready()
        words = {each["tier"]: each for each in lab.explain()["tiers"]}
        assert words["screen"]["decides"]
        assert "not found" in words["session_log"]["unavailable"]
        reply = lab.tell("say hello", say("Hello there."), wait=10)
        assert reply["receipt"]["evidence"] == "session_log"
        lab.until(IDLE)
        assert lab.state()["session_id"]
        words = {each["tier"]: each for each in lab.explain()["tiers"]}
        assert (words["session_log"]["said"], words["session_log"]["unavailable"]) == (IDLE, None)


def test_it_is_exited_when_codex_ends_though_its_shell_goes_on(
    codex: str, run_coop: RunCoop, api: FakeOpenAI, terminal: Multiplexer, place: CodexHome
) -> None:
    api.script(say("Good morning."))
    start_by_hand(terminal, codex, place, "say good morning")
    eventually(lambda: ended_turns(place) == 1, within=WITHIN, what="the end of its first turn")
    with attach(run_coop, terminal, place, "--keep-alive") as coop:
        lab = lab_of(coop, api, place).ready()
        assert coop.child_pid is not None
        assert coop.child_pid != terminal.pid()
        os.kill(coop.child_pid, signal.SIGTERM)
        lab.until("exited")
        assert "the program has ended" in lab.state()["detail"]
    os.kill(terminal.pid(), 0)  # the shell
