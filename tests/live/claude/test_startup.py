"""How it begins and ends: dialogs before the first turn, plain starts, every way out."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.anthropic import say, use
from coop.testing.claude import ClaudeHome, seeded_home
from tests.live.claude.conftest import IDLE, Lab, StartLab
from tests.support.families import Process, family


def test_a_folder_is_trusted_only_when_somebody_says_so(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, trusted=False))
    prompt = lab.asked("setup_prompt")
    assert (prompt["type"], prompt["subtype"]) == ("setup", "trust")
    assert "Yes, I trust this folder" in prompt["options"]
    assert lab.respond(accept=True)["effect"] == "accepted"
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)


def test_a_folder_that_is_not_trusted_ends_it(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, trusted=False), options=("--keep-alive",))
    lab.asked("setup_prompt")
    lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": False})
    lab.until("exited")
    assert lab.wire.get("/api/v1/status")["exit_code"] in (0, 1)


def test_a_key_is_used_only_when_somebody_says_so(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, key_approved=False))
    assert lab.asked("setup_prompt")["subtype"] == "api_key"
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == 1


def test_bypassing_permissions_is_accepted_only_when_somebody_says_so(start_lab: StartLab) -> None:
    lab = start_lab("--dangerously-skip-permissions", plain=True, env={"IS_SANDBOX": "1"})
    prompt = lab.asked("setup_prompt")
    assert prompt["subtype"] == "bypass"
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.until(IDLE)
    assert (lab.workspace / "made-by-claude").exists()


def test_startup_dialogs_are_skipped_for_whoever_asks_for_that(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, trusted=False, key_approved=False), options=("--skip-startup-prompts",))
    lab.until(IDLE)
    answered = [event["prompt"]["subtype"] for event in lab.events if event["type"] == "answered"]
    assert answered == ["trust", "api_key"]
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)


def project(tmp_path: Path, dialog: str) -> ClaudeHome:
    """A workspace that brings the dialog of that subtype up."""
    place = seeded_home(tmp_path, onboarded=dialog != "theme")
    match dialog:
        case "mcp":
            server = {"command": "sh", "args": ["-c", "touch served; cat"]}
            (place.workspace / ".mcp.json").write_text(json.dumps({"mcpServers": {"one": server}}))
        case "imports":
            (place.home / "outside.md").write_text("Always speak of herons.")
            (place.workspace / "CLAUDE.md").write_text(f"# Notes\n\n@{place.home}/outside.md\n")
        case "settings_error":
            (place.home / ".claude").mkdir()
            (place.home / ".claude/settings.json").write_text('{"permissions": {"allow": "everything"}}')
        case _:
            pass
    return place


def is_granted(lab: Lab, dialog: str) -> bool:
    """What came of it, seen after a turn: the server was started, the file outside was read."""
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)
    read = "herons" in json.dumps(lab.api.main_requests[-1].body)
    return (lab.workspace / "served").exists() if dialog == "mcp" else read


USE, USE_ALL, USE_NOT = (
    "Use this MCP server",
    "Use this and all future MCP servers in this project",
    "Continue without using this MCP server",
)
IMPORT, IMPORT_NOT = "Yes, allow external imports", "No, disable external imports"
DIALOGS = {"mcp": {USE, USE_ALL, USE_NOT}, "imports": {IMPORT, IMPORT_NOT}}


@pytest.mark.parametrize(
    ("dialog", "answer", "granted"),
    [
        ("mcp", USE, True),
        ("mcp", USE_NOT, False),
        ("mcp", True, True),
        ("mcp", False, False),
        ("imports", IMPORT, True),
        ("imports", IMPORT_NOT, False),
        ("imports", True, True),
        ("imports", False, False),
    ],
)
def test_what_a_project_wants_is_granted_only_when_somebody_says_so(
    start_lab: StartLab, tmp_path: Path, dialog: str, answer: str | bool, *, granted: bool
) -> None:
    lab = start_lab(place=project(tmp_path, dialog))
    prompt = lab.asked("setup_prompt")
    assert (prompt["subtype"], set(prompt["options"])) == (dialog, DIALOGS[dialog])
    assert not (lab.workspace / "served").exists()
    if isinstance(answer, str):
        lab.respond(option=prompt["options"].index(answer) + 1)
    else:
        lab.respond(accept=answer)
    assert is_granted(lab, dialog) is granted
    if dialog == "mcp":
        kept = [path.read_text() for path in lab.workspace.glob(".claude/settings*.json")]
        assert not any("enableAllProjectMcpServers" in text for text in kept), "no more than this one"


@pytest.mark.parametrize("dialog", ["mcp", "imports", "settings_error"])
def test_what_a_project_wants_is_granted_unasked_to_whoever_skips_startup_dialogs(
    start_lab: StartLab, tmp_path: Path, dialog: str
) -> None:
    lab = start_lab(place=project(tmp_path, dialog), options=("--skip-startup-prompts",))
    assert is_granted(lab, dialog) is (dialog != "settings_error")
    assert [event["prompt"]["subtype"] for event in lab.events if event["type"] == "answered"] == [dialog]


@pytest.mark.parametrize("accept", [True, False])
def test_settings_that_cannot_be_used_are_left_out_or_end_it(start_lab: StartLab, tmp_path: Path, *, accept: bool) -> None:
    lab = start_lab(place=project(tmp_path, "settings_error"), options=("--keep-alive",))
    prompt = lab.asked("setup_prompt")
    assert prompt["subtype"] == "settings_error"
    assert prompt["options"] == ["Fix with Claude", "Exit and fix manually", "Continue without these settings"]
    lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": accept})
    if not accept:
        lab.until("exited")
        return
    assert not is_granted(lab, "settings_error")
    assert len(lab.api.main_requests) == 1, "nobody was asked to mend them"


def test_the_choice_of_a_theme_is_told(start_lab: StartLab, tmp_path: Path) -> None:
    """What follows it cannot be passed offline."""
    prompt = start_lab(place=project(tmp_path, "theme")).asked("setup_prompt")
    assert prompt["subtype"] == "theme"
    assert {"Auto (match terminal)", "Dark mode", "Light mode"} < set(prompt["options"])


def test_whoever_must_sign_in_is_told_where(start_lab: StartLab) -> None:
    """By `/login`, which asks the same as a first start does, and needs nobody on the other side until it has a code."""
    lab = start_lab().ready()
    lab.tell("/login", raw=True)
    prompt = lab.asked("setup_prompt", drawn=True)
    assert (prompt["subtype"], len(prompt["options"])) == ("login", 3)
    lab.press("Enter")
    address = r"Use the url below to sign in.*: https://\S+/oauth/authorize\?\S+&state=[\w-]+$"
    lab.once(lambda: re.search(address, (lab.state()["prompt"] or {}).get("summary", "")), what="where to sign in", within=20)
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    assert lab.tell("go on", say("On it goes."))["delivered"]


def test_started_plainly_it_is_understood(start_lab: StartLab) -> None:
    """2.1.325 starts in auto mode, on the alternate screen, and asks with dialogs that have no digits and no hook."""
    lab = start_lab(plain=True).ready()
    if lab.version == "2.1.197":
        lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
        assert lab.asked("permission_prompt")["tool"] == "Bash"
        return
    assert lab.wire.get("/api/v1/screen")["alt_screen"]
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.until(IDLE)
    assert (lab.workspace / "made-by-claude").exists()
    assert lab.state()["permission_mode"] == "auto"


@pytest.mark.parametrize("way", ["SIGTERM", "SIGINT", "SIGHUP", "Ctrl-C", "Ctrl-D", "command", "coop"])
def test_every_way_out_is_told(start_lab: StartLab, way: str) -> None:
    lab = start_lab(options=("--keep-alive",)).ready()
    child = lab.coop.child_pid
    match way:
        case "SIGTERM" | "SIGINT" | "SIGHUP":
            lab.wire.post("/api/v1/signal", {"signal": way})
        case "Ctrl-C" | "Ctrl-D":
            lab.press_until(way, lambda: "again to exit" in lab.wire.text())
            lab.press(way)  # in the same moment as the first it would count for nothing
        case "command":
            lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "/exit", "raw": True})
        case _:
            lab.coop.process.terminate()
            lab.coop.wait()
    if way != "coop":
        lab.until("exited")
        assert lab.wire.get("/api/v1/status")["exit_code"] == {"SIGTERM": 143, "SIGHUP": 129}.get(way, 0)
    eventually(lambda: not Path(f"/proc/{child}").exists())


def test_hooks_that_nobody_answers_do_not_stop_the_work(start_lab: StartLab) -> None:
    """Coop hangs; the agent goes on after the hooks' short time, and what it did is seen when coop is back."""
    lab = start_lab().ready()
    lab.tell("count", say("word " * 60, pace=0.05))
    status = lab.place.home / f".claude/sessions/{lab.coop.child_pid}.json"
    os.kill(lab.coop.process.pid, signal.SIGSTOP)
    try:
        eventually(lambda: '"idle"' in status.read_text(), within=20, what="the end of the turn without coop")
    finally:
        os.kill(lab.coop.process.pid, signal.SIGCONT)
    lab.until(IDLE)
    lab.tell("and again", say("Yes."))
    lab.until(IDLE)


def test_a_list_of_the_callers_of_what_hooks_may_do_lets_ours_in(start_lab: StartLab) -> None:
    lists = {"allowedHttpHookUrls": ["https://theirs/*"], "httpHookAllowedEnvVars": ["THEIRS"]}
    lab = start_lab("--settings", json.dumps(lists)).ready()
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.asked("permission_prompt")
    assert lab.respond(accept=True)["via"] == "hook"
    lab.until(IDLE)


@pytest.mark.parametrize(("setting", "value"), [("httpHookAllowedEnvVars", ["THEIRS"]), ("disableAllHooks", True)])
def test_a_policy_that_shuts_our_hooks_out_is_kept_and_told(
    start_lab: StartLab, tmp_path: Path, setting: str, value: object
) -> None:
    place = seeded_home(tmp_path)
    (place.home / ".claude").mkdir(exist_ok=True)
    (place.home / ".claude/settings.json").write_text(json.dumps({setting: value}))
    lab = start_lab(place=place).ready()
    assert lab.wire.error("PUT", "/api/v1/config/stop", json={"mode": "gate"}) == (404, "NO_DRIVER")
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.asked("permission_prompt")
    assert lab.respond(accept=True)["via"] == "keys"
    lab.until(IDLE)
    lab.tell("/clear", raw=True)
    lab.tell("and again", say("Yes."))
    lab.until(IDLE)
    (hooks,) = [each for each in lab.wire.get("/api/v1/agent/explain")["tiers"] if each["tier"] == "hooks"]
    assert hooks["unavailable"].count("settings.json") == 1


def test_a_unix_socket_alone_is_enough_and_a_token_is_asked_for(start_lab: StartLab) -> None:
    lab = start_lab(options=("--auth-token", "s3cret"), transport="unix", token="s3cret").ready()
    assert lab.wire.coop.announced.get("url") is None
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.asked("permission_prompt")
    assert lab.respond(accept=True)["via"] == "hook"
    lab.until(IDLE)
    assert (lab.workspace / "made-by-claude").exists()
    child = Path(f"/proc/{lab.coop.child_pid}")
    assert b"s3cret" not in (child / "cmdline").read_bytes() + (child / "environ").read_bytes()
    hook_token = next(each for each in (child / "environ").read_bytes().split(b"\0") if each.startswith(b"COOP_HOOK_TOKEN="))
    assert hook_token.partition(b"=")[2] not in (child / "cmdline").read_bytes()
    assert hook_token.partition(b"=")[2].decode() not in "".join(lab.coop.stderr)


def test_after_coop_is_killed_no_agent_is_left_and_the_work_can_go_on(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    session = lab.until(IDLE)["session_id"]
    lab.tell("wait", use("Bash", command="touch begun; sleep 60 & sleep 61", description="wait"), say("never said"))
    lab.asked("permission_prompt")
    lab.respond(accept=True)
    eventually((lab.workspace / "begun").exists)
    asleep = {"sleep 60", "sleep 61"}
    eventually(lambda: asleep <= {each.command for each in family(lab.coop.child_pid)}, what="the tool at work")
    everyone = family(lab.coop.child_pid)
    left = {each for each in everyone if "sleep 6" in each.command} if lab.version == "2.1.197" else set[Process]()
    lab.coop.process.kill()
    lab.coop.wait()
    eventually(lambda: not any(each.is_running for each in everyone - left), what="the end of all of them")
    for each in left:  # 2.1.197 does not take a command with it when its terminal goes, whoever closes that
        each.end()
    again = start_lab(options=("--resume", session)).ready()
    again.tell("which word?", say("Heron."))
    again.until(IDLE)
    assert any("heron" in str(message) for message in again.api.main_requests[-1].body["messages"])


def test_dialogs_without_digits_and_hooks_are_read_and_answered(start_lab: StartLab) -> None:
    """In auto mode, when its safety check cannot be reached, 2.1.325 asks in two dialogs that no hook tells of."""
    lab = start_lab(plain=True).ready()
    (lab.workspace / "package.json").write_text('{"scripts":{"test":"touch made-by-npm"}}')
    lab.tell("run the tests", use("Bash", command="npm test", description="Run the tests"), say("They pass."))
    if lab.version == "2.1.325":
        notice = lab.asked("ask_user", drawn=True)
        assert notice["subtype"] == "auto_mode_unavailable"
        assert notice["options"][0] == "stay in auto mode"
        lab.respond(accept=True)
        eventually(lambda: lab.state()["state"] == "permission_prompt")
        assert lab.state()["prompt"]["options"] == ["No", "Yes"]
        assert not (lab.workspace / "made-by-npm").exists()
        assert lab.respond(accept=True)["via"] == "keys"
    else:
        lab.asked("permission_prompt")
        lab.respond(accept=True)
    lab.until(IDLE)
    assert (lab.workspace / "made-by-npm").exists()


def test_a_question_that_nobody_has_told_us_of_is_told_while_it_starts(start_lab: StartLab) -> None:
    """Which session shall go on: before any hook, and before there is a status file."""
    for message in ("one heron", "two herons"):
        before = start_lab().ready()
        before.tell(message, say("Noted."))
        before.until(IDLE)
        before.coop.process.terminate()
        before.coop.wait()
    lab = start_lab("--resume", options=("--skip-startup-prompts",))
    prompt = lab.asked("ask_user")
    assert prompt["subtype"] == "unrecognized"
    assert any("heron" in line for line in prompt["screen_lines"])
    refused = lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": True}).json()
    assert refused["error"]["code"] == "DIALOG_UNRECOGNIZED"
    lab.press_until("Enter", lambda: lab.state()["state"] == IDLE)
    lab.tell("go on", say("Yes."))
    lab.until(IDLE)
    assert "heron" in json.dumps(lab.api.main_requests[-1].body)


def test_a_panel_that_cannot_be_read_is_told_as_such(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("/status", raw=True)
    prompt = lab.asked("ask_user")
    assert prompt["subtype"] == "unrecognized"
    assert any("ersion" in line for line in prompt["screen_lines"])
    refused = lab.wire.request("POST", "/api/v1/agent/respond", json={"accept": True}).json()
    assert refused["error"]["code"] == "DIALOG_UNRECOGNIZED"
    lab.press("Escape")
    lab.until(IDLE)
    lab.tell("go on", say("Yes."))
    lab.until(IDLE)
