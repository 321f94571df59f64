"""The pretend Gemini CLI keeps the measured facts that no recording of a terminal shows: hooks, logs, keys and signals."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coop.model.screen import Size
from coop.testing import eventually
from coop.testing.gemini import KEY, GeminiHome, seeded_home

from .on_pty import OnPty, on_pty

SIZE = Size(120, 40)
CAPTURED = Path(__file__).parents[1] / "captured/gemini"
SCENARIO = """
[[turn]]
match = "touch"
tool = { name = "run_shell_command", input = { command = "touch made", description = "Make a file" } }
then = "Touched."

[[turn]]
match = "write"
tool = { name = "write_file", input = { file_path = "made", content = "made" } }
then = "Written."

[[turn]]
match = "plan"
tool = { name = "enter_plan_mode", input = { reason = "one is needed" } }
then = "Planned."

[[turn]]
match = "ask"
then = "Asked."

[[turn.tool]]
name = "ask_user"

[[turn.tool.input.questions]]
question = "Which?"
header = "H"
type = "choice"
options = [{ label = "A", description = "a" }, { label = "B", description = "b" }]

[[turn]]
match = "fail"
error = { status = 401 }

[[turn]]
match = "slow"
say = "one two three four five six seven eight nine ten"
pace = 0.3

[[turn]]
say = "Heard."
"""
DENIED = '{"decision": "deny", "reason": "not now"}'


@dataclass
class Lab:
    """A HOME, a scenario and a way to start the simulator there."""

    place: GeminiHome

    def command(self, *flags: str) -> list[str]:
        return [sys.executable, "-m", "coop_sim", "gemini", "--scenario", str(self.place.home / "scenario.toml"), *flags]

    def environment(self, **more: str) -> dict[str, str]:
        own = {"HOME": str(self.place.home), "GEMINI_API_KEY": KEY, "PATH": os.environ["PATH"], "TERM": "xterm-256color"}
        return own | more

    def run(self, *flags: str, **env: str) -> AbstractContextManager[OnPty]:
        return on_pty(self.command(*flags), cwd=self.place.workspace, env=self.environment(**env), size=SIZE)

    def print(self, *flags: str) -> "subprocess.CompletedProcess[str]":
        env = self.environment()
        return subprocess.run(
            self.command(*flags), cwd=self.place.workspace, env=env, capture_output=True, text=True, check=False
        )

    def hook(self, event: str, command: str, matcher: str = "") -> None:
        settings = json.loads(self.place.settings.read_text())
        entry = {"matcher": matcher, "hooks": [{"type": "command", "name": "ours", "command": command, "timeout": 5000}]}
        settings.setdefault("hooks", {}).setdefault(event, []).append(entry)
        self.place.settings.write_text(json.dumps(settings))

    def listen(self, *events: str) -> None:
        for event in events:
            self.hook(event, f"cat >> {self.heard}; echo >> {self.heard}")

    @property
    def heard(self) -> Path:
        return self.place.home / "heard"

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.heard.read_text().splitlines() if line] if self.heard.exists() else []

    def events(self) -> list[str]:
        return [told["hook_event_name"] for told in self.told()]

    def logs(self) -> list[Path]:
        return sorted((self.place.home / ".gemini/tmp/workspace/chats").glob("*.jsonl"))

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.logs()[0].read_text().splitlines()]

    def made(self) -> bool:
        return (self.place.workspace / "made").exists()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    place = seeded_home(tmp_path)
    (place.home / "scenario.toml").write_text(SCENARIO)
    return Lab(place)


def say(sim: OnPty, text: str) -> None:
    """As a driver must: pasted, a pause, Enter."""
    sim.shows("Type your message")
    sim.shows("Gemini CLI v")
    sim.press(f"\x1b[200~{text}\x1b[201~")
    sim.shows(f" > {text}")
    pause(sim, 0.2)
    sim.press("\r")


def pause(sim: OnPty, seconds: float) -> None:
    end = time.monotonic() + seconds
    sim.until(lambda: time.monotonic() >= end, what="a pause")


def answer(sim: OnPty, keys: str, *, dialog: str) -> None:
    sim.shows(dialog)
    pause(sim, 0.1)
    sim.press(keys)


def shape(value: Any) -> Any:
    """Names and kinds, without what is said."""
    match value:
        case dict():
            return {name: shape(each) for name, each in value.items()}
        case list():
            return [shape(value[0])] if value else []
        case _:
            return type(value).__name__


# Hooks


@pytest.mark.parametrize(
    ("prompt", "dialog", "keys", "recorded"),
    [
        ("touch it", "Allow execution", "1", "exec"),
        ("write it", "Apply this change?", "1", "edit"),
        ("plan it", "Do you want to proceed?", "1", "info"),
        ("ask it", "Enter to select", "2", "ask_user"),
    ],
)
def test_hooks_are_told_of_a_turn_as_they_were_recorded(lab: Lab, prompt: str, dialog: str, keys: str, recorded: str) -> None:
    lab.listen("SessionStart", "BeforeAgent", "BeforeTool", "Notification", "AfterTool", "AfterAgent")
    with lab.run() as sim:
        say(sim, prompt)
        answer(sim, keys, dialog=dialog)
        eventually(lambda: lab.events()[-1:] == ["AfterAgent"])
    turn = ["BeforeAgent", "BeforeTool", "Notification", "AfterTool", "AfterAgent"]
    assert lab.events() == ["SessionStart", *turn]
    by_event = {told["hook_event_name"]: told for told in lab.told()}
    files = {"SessionStart": "SessionStart.startup", "Notification": f"Notification.{recorded}"}
    for event in ("SessionStart", "BeforeAgent", "Notification", "AfterAgent"):
        captured = json.loads((CAPTURED / f"hooks/{files.get(event, event)}.json").read_text())
        assert shape(by_event[event]) == shape(captured), event


def test_a_dialog_waits_for_the_hook_that_tells_of_it(lab: Lab) -> None:
    lab.hook("Notification", f"touch {lab.heard}; while [ -e {lab.heard} ]; do sleep 0.05; done")
    with lab.run() as sim:
        say(sim, "touch it")
        eventually(lab.heard.exists)
        pause(sim, 0.5)
        assert not any("Allow execution" in line for line in sim.lines())
        lab.heard.unlink()
        answer(sim, "1", dialog="Allow execution")
        eventually(lab.made)


def test_a_hook_denies_a_tool_without_a_dialog_and_the_turn_goes_on(lab: Lab) -> None:
    lab.hook("BeforeTool", f"echo '{DENIED}'", "^run_shell_command$")
    lab.listen("Notification", "AfterAgent")
    with lab.run() as sim:
        say(sim, "touch it")
        sim.shows("Touched.")
        eventually(lab.events)
    assert lab.events() == ["AfterAgent"]
    assert not lab.made()


def test_an_end_that_is_denied_is_a_prompt_with_the_reason(lab: Lab) -> None:
    once = f"cat >> {lab.heard}; echo >> {lab.heard}; [ -e {lab.heard}.once ] || echo '{DENIED}'; touch {lab.heard}.once"
    lab.hook("AfterAgent", once)
    with lab.run() as sim:
        say(sim, "hello")
        eventually(lambda: len(lab.told()) == 2)
    assert [told["stop_hook_active"] for told in lab.told()] == [False, True]
    assert [told["prompt"] for told in lab.told()] == ["hello", "hello"]
    assert "not now" in str(lab.lines())


def test_a_denial_ends_the_turn_and_no_hook_is_told(lab: Lab) -> None:
    lab.listen("BeforeAgent", "AfterAgent")
    with lab.run() as sim:
        say(sim, "touch it")
        answer(sim, "yn", dialog="Allow execution")  # which mean nothing here
        pause(sim, 0.3)
        sim.press("\x1b")
        sim.shows("Request cancelled.")
        say(sim, "and on")
        eventually(lambda: "AfterAgent" in lab.events())
    assert lab.events() == ["BeforeAgent", "BeforeAgent", "AfterAgent"]
    assert not lab.made()


def test_a_layer_that_others_can_change_is_not_read(lab: Lab, tmp_path: Path) -> None:
    layer = tmp_path / "defaults.json"
    layer.write_text(json.dumps({"ui": {"hideTips": False}}))
    (tmp_path / "open").mkdir(mode=0o777)
    with lab.run(GEMINI_CLI_SYSTEM_DEFAULTS_PATH=str(layer)) as sim:  # the folders of tests are in one that all can write to
        sim.shows("Security Warning: Skipping system defaults file")


# The log


def kinds(lines: list[dict[str, Any]]) -> list[str]:
    return [_kind(line) for line in lines]


def _kind(line: dict[str, Any]) -> str:
    match line:
        case {"$set": {**changed}}:
            return f"set {sorted(map(str, changed))}"
        case {"kind": "main"}:
            return "begin"
        case {"type": str(kind), "content": str(words)}:
            return f"{kind} {sorted(set(line) - {'id', 'timestamp'})}{' said' if words else ''}"
        case {"type": str(kind), "content": [{**part}, *_]}:
            return f"{kind} {sorted(set(line) - {'id', 'timestamp'})} {sorted(map(str, part))}"
        case _:
            return "?"


def recorded(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CAPTURED / f"logs/{name}.jsonl").read_text().splitlines()]


def around_denial(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    at = next(n for n, line in enumerate(lines) if line.get("content") == "Request cancelled.")
    return lines[at - 5 : at + 10]


def test_a_denial_is_logged_as_it_was_recorded(lab: Lab) -> None:
    """And all that was said before is written once more."""
    with lab.run() as sim:
        say(sim, "touch it")
        answer(sim, "1", dialog="Allow execution")
        sim.shows("Touched.")
        (lab.place.workspace / "made").unlink()
        say(sim, "touch it again")
        answer(sim, "3", dialog="Allow execution")
        sim.shows("Request cancelled.")
        eventually(lambda: "messages" in lab.lines()[-1].get("$set", {}))
    theirs, ours = recorded("denials"), lab.lines()
    assert kinds(ours[:10]) == kinds(theirs[:10])  # one that was permitted, its tool and its answer
    assert kinds(around_denial(ours)) == kinds(around_denial(theirs))
    assert "touch it again" not in str(ours[-1])  # what was denied is taken back


def test_an_error_is_logged_as_it_was_recorded(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "fail it")
        sim.shows("This request failed.")
        eventually(lambda: len(lab.lines()) >= 9)
    assert kinds(lab.lines()) == kinds(recorded("errors")[:9])


def test_a_session_goes_on_in_its_old_log_and_names_a_new_one(lab: Lab) -> None:
    lab.listen("SessionStart", "BeforeAgent")
    with lab.run("--session-id", "11111111-2222-4333-8444-555555555555") as sim:
        say(sim, "hello")
        sim.shows("Heard.")
    old = lab.logs()[0].rename(lab.logs()[0].with_name("session-2020-01-01T00-00-11111111.jsonl"))
    with lab.run("--resume", "11111111-2222-4333-8444-555555555555") as sim:
        say(sim, "hello again")
        sim.shows("Heard.")
        eventually(lambda: "hello again" in old.read_text())
    starts = [told for told in lab.told() if told["hook_event_name"] == "SessionStart"]
    assert [told["source"] for told in starts] == ["startup", "resume"]
    decoy = Path(starts[1]["transcript_path"])
    assert decoy != old
    assert len(decoy.read_text().splitlines()) == 2
    assert lab.told()[-1]["transcript_path"] == str(old)


# Keys and signals


@pytest.mark.parametrize("typed", ["hello\r", "\x1b[200~hello\x1b[201~\r"])
def test_an_enter_too_close_behind_is_a_new_line(lab: Lab, typed: str) -> None:
    with lab.run() as sim:
        sim.shows("Gemini CLI v")
        sim.press(typed)
        sim.shows(" > hello")
        pause(sim, 0.3)
        sim.press("more")
        sim.shows("   more")
        pause(sim, 0.2)
        sim.press("\r")
        sim.shows("Heard.")
    assert any(line.get("content") == [{"text": "hello\nmore"}] for line in lab.lines())


def test_one_write_with_a_digit_and_an_enter_answers_one_dialog(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "touch it")
        answer(sim, "1\r", dialog="Allow execution")
        sim.shows("Touched.")
        assert lab.made()


def test_who_waits_hears_no_signal_and_what_it_started_does(lab: Lab) -> None:
    with lab.run() as sim:
        sim.shows("Gemini CLI v")
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            os.kill(sim.pid, number)
        say(sim, "hello")
        sim.shows("Heard.")
        os.killpg(sim.pid, signal.SIGTERM)
        assert sim.exit_code() == 0


def test_what_it_started_ends_when_nobody_waits(lab: Lab) -> None:
    lab.listen("SessionEnd")
    with lab.run() as sim:
        sim.shows("Gemini CLI v")
        pause(sim, 0.2)
        os.kill(sim.pid, signal.SIGKILL)
        eventually(lambda: "SessionEnd" in lab.events())


def test_a_queued_message_comes_back_when_the_turn_is_cancelled(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "slow")
        sim.shows("one two")
        say(sim, "and then this")
        sim.shows("Queued (press ↑ to edit):")
        sim.press("\x1b")
        sim.shows("Request cancelled.")
        sim.shows(" > and then this")


# Without a terminal


def test_a_printed_stream_has_the_recorded_lines(lab: Lab) -> None:
    done = lab.print("-p", "touch it", "-o", "stream-json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["type"] for line in lines] == ["init", "message", "tool_use", "tool_result", "message", "result"]
    assert lines[3]["error"]["type"] == "tool_not_registered"  # nobody could be asked
    assert (done.returncode, lines[-1]["status"]) == (0, "success")


def test_the_exit_code_says_what_went_wrong(lab: Lab, tmp_path: Path) -> None:
    failed = lab.print("-p", "fail it", "-o", "stream-json")
    assert (failed.returncode, json.loads(failed.stdout.splitlines()[-1])["status"]) == (401 & 0xFF, "error")
    assert lab.print("-p", "hello", "--resume", "12345678-0000-4000-8000-000000000000").returncode == 42
    lab.print("-p", "hello", "--session-id", "11111111-2222-4333-8444-555555555555")
    assert lab.print("-p", "hello", "--session-id", "11111111-2222-4333-8444-555555555555").returncode == 42
    (lab.place.home / ".gemini/trustedFolders.json").unlink()
    assert lab.print("-p", "hello").returncode == 55
