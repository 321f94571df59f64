"""How it begins and ends: dialogs before the first turn, every way out, and a coop that hangs or dies."""

import os
import signal
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.gemini import seeded_home
from coop.testing.google import say, use
from tests.live.gemini.conftest import IDLE, Lab, StartLab, hooked_home
from tests.live.gemini.test_nudges import text_of


def session_of(lab: Lab) -> set[int]:
    """Every process on the child's terminal session, the child too."""
    found = set[int]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _session(entry) == lab.coop.child_pid:
            found.add(int(entry.name))
    return found


def _session(entry: Path) -> int | None:
    try:
        return int((entry / "stat").read_bytes().rpartition(b")")[2].split()[3])
    except OSError:
        return None


def is_gone(processes: set[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in processes)


def test_a_folder_is_trusted_only_when_somebody_says_so(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=hooked_home(tmp_path, trusted=False))
    prompt = lab.asked("setup_prompt")
    assert (prompt["type"], prompt["subtype"]) == ("setup", "trust")
    assert prompt["options"][0].startswith("Trust folder")
    assert lab.refusal("hello") == "AGENT_BUSY"
    assert lab.respond(accept=True)["effect"] == "accepted"
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)


def test_a_folder_that_is_not_trusted_runs_no_hooks_and_works(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=hooked_home(tmp_path, trusted=False))
    lab.asked("setup_prompt")
    lab.respond(accept=False)
    lab.until(IDLE)
    assert lab.tell("hello", say("Hello."))["receipt"]["evidence"] == "session_log"
    lab.until(IDLE)


def test_startup_dialogs_are_skipped_for_whoever_asks_for_that(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, trusted=False), options=("--skip-startup-prompts",))
    assert lab.event("answered", within=30)["prompt"]["subtype"] == "trust"
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)


def test_how_to_sign_in_is_never_chosen_unasked(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, signed_in=False), options=("--skip-startup-prompts",))
    prompt = lab.asked("setup_prompt", drawn=True)
    assert prompt["subtype"] == "login"
    assert lab.respond(option=prompt["options"].index("Use Gemini API Key") + 1)["effect"] == "accepted"
    if lab.until_any(IDLE, "setup_prompt") == "setup_prompt":  # the key itself is asked for, though it is in the environment
        lab.press("Enter")
    lab.until(IDLE)
    assert lab.event("answered")["by"] == "api"


@pytest.mark.parametrize("way", ["signal", "command", "keys", "coop"])
def test_every_way_out_leaves_nothing(start_lab: StartLab, way: str) -> None:
    lab = start_lab(options=("--keep-alive",) if way != "coop" else ()).ready()
    processes = session_of(lab)
    assert len(processes) >= 2  # it starts itself once more
    match way:
        case "signal":
            lab.wire.post("/api/v1/signal", {"signal": "SIGTERM"})
        case "command":
            lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "/quit", "raw": True})
        case "keys":
            lab.press_until("Ctrl-C", lambda: lab.state()["state"] == "exited")  # the second within a moment
        case _:
            lab.coop.process.terminate()
            lab.coop.wait()
    if way != "coop":
        lab.until("exited")
    eventually(lambda: is_gone(processes), within=15)


def test_after_coop_is_killed_no_agent_is_left(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count", say(text_of(4000), pace=0.1))
    lab.until("working")
    processes = session_of(lab)
    lab.coop.process.kill()
    lab.coop.wait()
    eventually(lambda: is_gone(processes), within=20)


def test_a_coop_that_hung_for_a_while_tells_the_truth_again(start_lab: StartLab) -> None:
    lab = start_lab(hooked=True).ready()
    lab.tell("count", say(text_of(800), pace=0.1), say("Yes."))
    lab.until("working")
    os.kill(lab.coop.process.pid, signal.SIGSTOP)  # nobody reads its terminal, and its hooks get no reply
    try:
        eventually(lambda: _state(lab.coop.process.pid) == b"T")
    finally:
        os.kill(lab.coop.process.pid, signal.SIGCONT)
    lab.until(IDLE)
    lab.tell("and again", say("Yes."))
    lab.until(IDLE)
    assert lab.last_prompt() == "and again"


def _state(pid: int) -> bytes:
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]


def test_it_is_known_behind_what_starts_it_and_by_a_socket_alone(start_lab: StartLab, gemini: tuple[str, ...]) -> None:
    options = ("--auth-token", "s3cret")
    lab = start_lab(command=("env", "A=1", *gemini), options=options, transport="unix", token="s3cret").ready()
    assert lab.coop.announced.get("url") is None
    lab.tell("make it", use("run_shell_command", command="touch made", description="x"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True)
    lab.until(IDLE)
    assert lab.made("made").exists()
    child = Path(f"/proc/{lab.coop.child_pid}")
    assert b"s3cret" not in (child / "cmdline").read_bytes() + (child / "environ").read_bytes()
