"""How it begins and ends: dialogs before the first turn, plain starts, every way out."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.codex import seeded_home
from coop.testing.openai import FakeOpenAI, say
from tests.live.codex.conftest import IDLE, Lab, StartLab, shell


def test_a_folder_is_trusted_only_when_somebody_says_so(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, api.url, trusted=False))
    prompt = lab.asked("setup_prompt")
    assert (prompt["type"], prompt["subtype"]) == ("setup", "trust")
    assert prompt["options"] == ["Trust and continue", "Quit"]
    assert lab.respond(accept=True)["effect"] == "accepted"
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)


def test_a_folder_that_is_not_trusted_ends_it(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, api.url, trusted=False), options=("--keep-alive",))
    lab.asked("setup_prompt")
    lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": False})
    lab.until("exited")
    assert lab.wire.get("/api/v1/status")["exit_code"] in (0, 1)


def test_a_model_is_kept_unless_somebody_says_otherwise(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, api.url, migrated=False))
    prompt = lab.asked("setup_prompt")
    assert (prompt["subtype"], prompt["options"]) == ("model", ["Try new model", "Use existing model"])
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)
    assert lab.api.main_requests[0].body["model"] == "gpt-5.5"


def test_startup_dialogs_are_skipped_for_whoever_asks_for_that(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    hook = "\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'touch made-by-hook'\n"
    place = seeded_home(tmp_path, api.url, trusted=False, migrated=False, more=hook)
    lab = start_lab(place=place, options=("--skip-startup-prompts",))
    lab.until(IDLE)
    answered = [event["prompt"]["subtype"] for event in lab.events if event["type"] == "answered"]
    assert answered == ["trust", "model", "hooks"] or answered == ["trust", "hooks", "model"]
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)
    assert not (lab.workspace / "made-by-hook").exists(), "nobody has trusted that hook"


def test_a_login_is_told_and_never_skipped(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    place = seeded_home(tmp_path, api.url)
    place.config.write_text(place.config.read_text().replace('model_provider = "pretend"\n', ""))
    lab = start_lab(place=place, options=("--skip-startup-prompts",))
    assert lab.asked("setup_prompt")["subtype"] == "login"


STARTER = """\
const child = require("child_process").spawn(process.env.CODEX_ITSELF, process.argv.slice(2), {stdio: "inherit"});
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
"""


def test_behind_others_it_is_started_the_same_way(start_lab: StartLab, codex: str, tmp_path: Path) -> None:
    """As npm does: by another program that starts Codex and waits for it."""
    (tmp_path / "codex.js").write_text(STARTER)
    command = ("env", f"CODEX_ITSELF={codex}", "node", str(tmp_path / "codex.js"))
    lab = start_lab(command=command).ready()
    lab.tell("make it", shell("touch made-by-codex"), say("Done."))
    lab.asked("permission_prompt")
    lab.respond(accept=True)
    lab.until(IDLE)
    assert (lab.workspace / "made-by-codex").exists()
    assert lab.explain()["hook_records"] >= 4
    assert not (lab.place.home / ".codex/app-server-daemon").exists()


@pytest.mark.parametrize("way", ["signal", "keys", "command", "coop"])
def test_every_way_out_is_told(start_lab: StartLab, way: str) -> None:
    lab = start_lab(options=("--keep-alive",)).ready()
    child = lab.coop.child_pid
    match way:
        case "signal":
            lab.wire.post("/api/v1/signal", {"signal": "SIGTERM"})
        case "keys":
            lab.press("Ctrl-D")
        case "command":
            lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "/quit", "raw": True})
        case _:
            lab.coop.process.terminate()
            lab.coop.wait()
    if way != "coop":
        lab.until("exited")
        status = lab.wire.get("/api/v1/status")
        assert (status["exit_code"], status["exit_signal"]) == ((None, signal.SIGTERM) if way == "signal" else (0, None))
    eventually(lambda: not Path(f"/proc/{child}").exists())
    assert not others_in(lab)


def others_in(lab: Lab) -> list[str]:
    """What runs in its folder besides coop."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_there = os.readlink(entry / "cwd") == str(lab.workspace)
            if is_there and int(entry.name) != lab.coop.process.pid:
                found.append((entry / "cmdline").read_text())
    return found


def test_hooks_that_nobody_answers_do_not_stop_the_work(start_lab: StartLab) -> None:
    """Coop hangs; the agent goes on after the hooks' short time, and what it did is seen when coop is back."""
    lab = start_lab().ready()
    lab.tell("first", say("One."))
    log = Path(lab.until(IDLE)["transcript_path"])
    lab.tell("count", say("word " * 60, pace=0.05))
    os.kill(lab.coop.process.pid, signal.SIGSTOP)
    try:
        eventually(lambda: log.read_text().count('"type":"task_complete"') == 2, within=20, what="the end without coop")
    finally:
        os.kill(lab.coop.process.pid, signal.SIGCONT)
    lab.until(IDLE)
    lab.tell("and again", say("Yes."))
    lab.until(IDLE)


def test_a_unix_socket_alone_is_enough_and_a_token_is_asked_for(start_lab: StartLab) -> None:
    lab = start_lab(options=("--auth-token", "s3cret"), transport="unix", token="s3cret").ready()
    assert lab.wire.coop.announced.get("url") is None
    lab.tell("make it", shell("touch made-by-codex"), say("Done."))
    lab.asked("permission_prompt")
    assert lab.respond(accept=True)["via"] == "keys"
    lab.until(IDLE)
    assert (lab.workspace / "made-by-codex").exists()
    child = Path(f"/proc/{lab.coop.child_pid}")
    assert b"s3cret" not in (child / "cmdline").read_bytes() + (child / "environ").read_bytes()
    hook_token = next(each for each in (child / "environ").read_bytes().split(b"\0") if each.startswith(b"COOP_HOOK_TOKEN="))
    assert hook_token.partition(b"=")[2] not in (child / "cmdline").read_bytes()
    assert hook_token.partition(b"=")[2].decode() not in "".join(lab.coop.stderr)


def test_after_coop_is_killed_no_agent_is_left_and_the_work_can_go_on(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    session = lab.until(IDLE)["session_id"]
    lab.tell("count", say("word " * 2000, pace=0.1))
    lab.wire.shows("word word")
    child = lab.coop.child_pid
    lab.coop.process.kill()
    lab.coop.wait()
    eventually(lambda: not Path(f"/proc/{child}").exists())
    assert not others_in(lab)
    again = start_lab(options=("--resume", session)).ready()
    again.tell("which word?", say("Heron."))
    again.until(IDLE)
    assert any("heron" in text for text in again.api.main_requests[-1].user_texts())


def test_a_small_screen_is_read_too(start_lab: StartLab) -> None:
    lab = start_lab(options=("--cols", "80", "--rows", "24")).ready()
    lab.tell("make it", shell(f"touch made-by-codex; : {'a long word ' * 12}"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True)
    lab.until(IDLE)
    assert (lab.workspace / "made-by-codex").exists()
