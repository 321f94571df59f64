"""Gemini CLI that somebody has started by hand in tmux (against the simulator, in GNU screen too): found, followed, told things, and left as it was."""

import os
import shlex
import signal
from pathlib import Path
from uuid import uuid4

import pytest

from coop.testing import eventually
from coop.testing.gemini import GeminiHome, seeded_home
from coop.testing.google import FakeGoogle, say, use
from tests.live.conftest import RunCoop
from tests.live.gemini.conftest import IDLE, VERSION, Lab
from tests.support.lab import in_short
from tests.support.multiplexers import Multiplexer, is_undisturbed

WITHIN = 40.0
FIRST = ("-i", "say good morning")


@pytest.fixture
def place(tmp_path: Path) -> GeminiHome:
    return seeded_home(tmp_path)


def start_by_hand(terminal: Multiplexer, gemini: tuple[str, ...], place: GeminiHome, api: FakeGoogle, *arguments: str) -> None:
    """In a shell, as people do."""
    terminal.start("bash", "--norc", env=place.environment(api.url), cwd=place.workspace, size="120x40")
    terminal.type(shlex.join((*gemini, *arguments)))
    eventually(lambda: "Type your message" in terminal.shown(), within=WITHIN, what="its input")


def logs(place: GeminiHome) -> list[Path]:
    return list((place.home / ".gemini" / "tmp").glob("*/chats/session-*.jsonl"))


def has_said(place: GeminiHome, words: str) -> bool:
    return any(words in line for log in logs(place) for line in log.read_text().splitlines() if '"type":"gemini"' in line)


def test_it_is_known_to_rest_and_told_and_answered_and_outlives_coop(
    gemini: tuple[str, ...], run_coop: RunCoop, terminal: Multiplexer, place: GeminiHome
) -> None:
    with FakeGoogle().serving() as api:
        api.script(say("Good morning."))
        start_by_hand(terminal, gemini, place, api, *FIRST)
        eventually(lambda: has_said(place, "Good morning."), within=WITHIN, what="the end of its first turn")
        attached = ("--agent", "gemini", "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(VERSION, coop, place.workspace, api=api, place=place).following().ready()  # long before the grace
            knows_whom_it_serves(lab)
            assert lab.states() == [IDLE]  # what was before is no news
            pid = coop.child_pid
            reply = lab.tell("say hello", say("Hello there."), wait=10)
            assert reply["receipt"]["evidence"] == "session_log"
            lab.until(IDLE)
            lab.tell("make the file", use("run_shell_command", command="touch made"), say("It is there."), wait=10)
            lab.asked("permission_prompt", drawn=True)
            assert lab.respond(accept=True)["via"] == "keys"
            eventually(lab.made("made").exists, within=WITHIN)
            lab.until(IDLE)
            assert in_short(lab.states()) == [IDLE, "permission_prompt", IDLE]
            coop.process.send_signal(signal.SIGKILL)
            coop.wait()
        is_undisturbed(terminal, pid, size="120x40")


def knows_whom_it_serves(lab: Lab) -> None:
    """By the agent's own log, and it says what it cannot hear."""
    (log,) = logs(lab.place)
    seen, words = lab.state(), {each["tier"]: each for each in lab.explain()["tiers"]}
    assert seen["transcript_path"] == str(log)
    assert log.name.endswith(f"-{seen['session_id'][:8]}.jsonl")
    assert seen["last_message"] == "Good morning."
    assert (words["session_log"]["said"], words["session_log"]["unavailable"]) == (IDLE, None)
    assert "running already" in words["hooks"]["unavailable"]


def test_one_that_nobody_has_told_anything_is_found_by_the_id_it_was_given(
    gemini: tuple[str, ...], run_coop: RunCoop, terminal: Multiplexer, place: GeminiHome
) -> None:
    """tmux remembers the title, which says that it is ready; of GNU screen only the grace can."""
    session = str(uuid4())
    with FakeGoogle().serving() as api:
        start_by_hand(terminal, gemini, place, api, "--session-id", session)
        grace = ("--idle-grace", "60" if terminal.kind == "tmux" else "3")
        attached = ("--agent", "gemini", *grace, "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(VERSION, coop, place.workspace, api=api, place=place).following().ready()
            assert lab.state()["session_id"] == session
            reply = lab.tell("say hello", say("Hello there."), wait=10)
            assert reply["receipt"]["evidence"] == "session_log"
            lab.until(IDLE)


def test_one_whose_log_was_deleted_when_another_started_is_not_taken_for_the_other(
    gemini: tuple[str, ...], run_coop: RunCoop, terminal: Multiplexer, place: GeminiHome
) -> None:
    """Nobody had told it anything: its log went when the second one began in the same workspace."""
    with FakeGoogle().serving() as api:
        start_by_hand(terminal, gemini, place, api)
        eventually(lambda: logs(place), what="its log")
        before = logs(place)[0]
        env = place.environment(api.url)
        with run_coop("--agent", "gemini", command=gemini, env=env, cwd=place.workspace) as second:
            other = Lab(VERSION, second, place.workspace, api=api, place=place).following().ready()
            eventually(lambda: logs(place) and before not in logs(place), what="the other's log alone")
            attached = (
                "--agent",
                "gemini",
                "--idle-grace",
                "60" if terminal.kind == "tmux" else "3",
                "--attach",
                terminal.spec,
            )
            with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
                lab = Lab(VERSION, coop, place.workspace, api=api, place=place).following().ready()
                other.tell("say hello", say("Hello from the other."))
                other.until(IDLE)
                eventually(lambda: has_said(place, "Hello from the other."), within=WITHIN, what="the other's turn in its log")
                assert (lab.state()["session_id"], lab.state()["last_message"], lab.states()) == (None, None, [IDLE])
                words = {each["tier"]: each for each in lab.explain()["tiers"]}
                assert "nothing tells which it is" in words["session_log"]["unavailable"]


def test_it_is_exited_when_gemini_ends_though_its_shell_goes_on(
    gemini: tuple[str, ...], run_coop: RunCoop, terminal: Multiplexer, place: GeminiHome
) -> None:
    with FakeGoogle().serving() as api:
        api.script(say("Good morning."))
        start_by_hand(terminal, gemini, place, api, *FIRST)
        eventually(lambda: has_said(place, "Good morning."), within=WITHIN, what="the end of its first turn")
        attached = ("--agent", "gemini", "--keep-alive", "--attach", terminal.spec)
        with run_coop(*attached, command=(), env=terminal.env(), cwd=place.workspace) as coop:
            lab = Lab(VERSION, coop, place.workspace, api=api, place=place).following().ready()
            assert coop.child_pid is not None
            assert coop.child_pid != terminal.pid()
            os.killpg(os.getpgid(coop.child_pid), signal.SIGTERM)  # it starts itself once more, and the first ignores signals
            lab.until("exited")
            assert "the program has ended" in lab.state()["detail"]
        os.kill(terminal.pid(), 0)  # the shell
