"""The pretend Codex keeps the measured facts that no recording of a screen shows: hooks, logs, keys, flags and ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from coop.model.screen import Size
from coop.testing import eventually
from coop.testing.codex import CodexHome, seeded_home
from tests.support.captured import CAPTURED

from .codex_facts import MODES, reports
from .on_pty import OnPty, on_pty

SCENARIO = """
[[turn]]
match = "touch both"
tool = [
  { name = "exec_command", input = { cmd = "touch one", sandbox_permissions = "require_escalated", justification = "Why?" } },
  { name = "exec_command", input = { cmd = "touch two", sandbox_permissions = "require_escalated", justification = "Why?" } },
]
then = "Touched."

[[turn]]
match = "touch"
delay = 0.3
tool = { name = "exec_command", input = { cmd = "touch made", sandbox_permissions = "require_escalated", justification = "Why?" } }
then = "Touched."

[[turn]]
match = "plain"
tool = { name = "exec_command", input = { cmd = "echo from the shell" } }
then = "Ran it."

[[turn]]
match = "patch"
tool = { name = "apply_patch", input = { input = "*** Begin Patch\\n*** Add File: made\\n+text\\n*** End Patch\\n" } }
then = "Patched."

[[turn]]
match = "ask"
then = "Asked."

[[turn.tool]]
name = "request_user_input"

[[turn.tool.input.questions]]
id = "q"
question = "Which?"
header = "H"
options = [{ label = "A", description = "a" }, { label = "B", description = "b" }]

[[turn]]
match = "slow"
say = "one two three four five six seven eight nine ten"
pace = 0.3

[[turn]]
match = "fail"
error = { status = 401 }

[[turn]]
match = "hello"
say = "Hello there."
"""
READY = "GPT-5.5 default"
ASKS = "Would you like to"
TOLD = "hooks.jsonl"


@dataclass
class Lab:
    """A HOME, a scenario and a way to start the simulator there."""

    home: CodexHome
    flags: list[str] = field(default_factory=list[str])

    def command(self, *flags: str) -> list[str]:
        return [sys.executable, "-m", "coop_sim", "codex", "--scenario", str(self.home.home / "s.toml"), *self.flags, *flags]

    def environment(self) -> dict[str, str]:
        return {**self.home.environment(), "PATH": os.environ["PATH"]}

    def run(self, *flags: str) -> AbstractContextManager[OnPty]:
        return on_pty(self.command(*flags), cwd=self.home.workspace, env=self.environment(), size=Size(120, 40))

    def printed(self, *flags: str) -> "subprocess.CompletedProcess[str]":
        command = self.command("exec", "--json", *flags)
        env, cwd = self.environment(), self.home.workspace
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=30, check=False)

    def hook(self, *events: str, command: str = "cat >> {told}; echo >> {told}") -> None:
        told = self.home.home / TOLD
        for event in events:
            table = f"\n[[hooks.{event}]]\n[[hooks.{event}.hooks]]\ntype = 'command'\n"
            with self.home.config.open("a") as config:
                config.write(f"{table}command = {json.dumps(command.format(told=told))}\n")
        self.flags = ["--dangerously-bypass-hook-trust"]

    def told(self) -> list[dict[str, Any]]:
        path = self.home.home / TOLD
        return [json.loads(line) for line in path.read_text().splitlines() if line] if path.exists() else []

    def logs(self) -> list[list[dict[str, Any]]]:
        found = sorted(self.home.home.glob(".codex/sessions/*/*/*/rollout-*.jsonl"))
        return [[json.loads(line) for line in path.read_text().splitlines()] for path in found]

    def has(self, name: str) -> bool:
        return (self.home.workspace / name).exists()


@pytest.fixture
def make_lab(tmp_path: Path) -> Callable[..., Lab]:
    def make(**options: Any) -> Lab:
        home = seeded_home(tmp_path, "http://127.0.0.1:9", **options)
        (home.home / "s.toml").write_text(SCENARIO)
        return Lab(home)

    return make


@pytest.fixture
def lab(make_lab: Callable[..., Lab]) -> Lab:
    return make_lab()


def send(codex: OnPty, text: str) -> None:
    codex.press(f"\x1b[200~{text}\x1b[201~\r")


def states(codex: OnPty) -> list[str]:
    return [each.removeprefix("state=").partition(":")[0] for each in reports(codex.output)]


# Keys


@pytest.mark.parametrize(
    ("written", "is_sent"),
    [
        (("hello you\r",), False),
        (("hello " + "x" * 293 + "\r",), False),
        (("hello you", "\r"), True),
        (("\x1b[200~hello\nyou\x1b[201~\r",), True),
        (("\x1b[200~hello " + "x" * 19_993 + "\x1b[201~\r",), True),
    ],
)
def test_what_comes_in_one_piece_is_a_paste_with_its_enter(lab: Lab, written: tuple[str, ...], *, is_sent: bool) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        for piece in written:
            codex.press(piece)
            codex.until(lambda: "ello" in "".join(codex.lines()), what="what was typed, or the answer")
            codex.until(_after(0.3), what="a pause")
        assert is_sent == ("Hello there." in "\n".join(codex.lines()))


def _after(seconds: float) -> Callable[[], bool]:
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until


def test_bursts_are_typing_for_whoever_says_so(lab: Lab) -> None:
    with lab.run("-c", "disable_paste_burst=true") as codex:
        codex.shows(READY)
        codex.press("hello you\r")
        codex.shows("Hello there.")


def test_a_long_paste_is_folded_and_a_slash_that_nobody_knows_stays(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        codex.press(f"\x1b[200~{'z' * 1001}\x1b[201~")
        codex.shows("› [Pasted Content 1001 chars]")
        codex.press("\x15")
        codex.shows("Ask Codex to do anything")
        send(codex, "/nosuch thing")
        codex.shows("Unrecognized command")
        codex.shows("› /nosuch thing")
        assert codex.screen.snapshot().cursor.col == 2
        codex.press("\x03")
        send(codex, "/etc/hosts is a file, hello")
        codex.shows("Hello there.")


def test_keys_of_the_protocol_it_asks_for_are_understood(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        codex.press("\x1b[200~slow\x1b[201~\x1b[13u")
        codex.shows("one two")
        codex.press("\x1b[27;1:3u")  # let go
        codex.press("\x1b[27u")
        codex.shows("Conversation interrupted")
        codex.press("\x1b[100;5u")
        assert codex.exit_code() == 0


# Permissions


@pytest.mark.parametrize("key", ["y", "1", "\r", "p", "2", "\x1b[B\r"])
def test_each_of_these_keys_lets_a_command_run(lab: Lab, key: str) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        send(codex, "touch it")
        codex.shows(ASKS)
        codex.press("a")  # is nothing here
        codex.press(key)
        codex.shows("Touched.")
    assert lab.has("made")


@pytest.mark.parametrize("key", ["n", "3", "\x1b", "\x03"])
def test_each_of_these_keys_ends_the_turn(lab: Lab, key: str) -> None:
    lab.hook("Interrupt", "Stop")
    with lab.run() as codex:
        codex.shows(READY)
        send(codex, "touch it")
        codex.shows(ASKS)
        codex.press(key)
        codex.shows("Conversation interrupted")
        codex.until(lambda: states(codex)[-3:] == ["blocked", "working", "idle"], what="the reports")
    assert not lab.has("made")
    assert [told["hook_event_name"] for told in lab.told()] == ["Interrupt"]
    (log,) = lab.logs()
    outputs = [line["payload"]["output"] for line in log if line["payload"].get("type") == "function_call_output"]
    assert [output.split("\n")[1] for output in outputs] == ["aborted by user"]
    assert log[-1]["payload"]["type"] == "turn_aborted"


def test_a_permission_is_held_back_while_somebody_types(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        sent = time.monotonic()
        send(codex, "touch it")
        codex.until(lambda: states(codex)[-1] == "blocked", what="the report")
        assert ASKS not in "\n".join(codex.lines())
        codex.press("y")  # too early: it is typed
        typed = time.monotonic()
        codex.shows("› y")
        codex.shows(ASKS)
        assert time.monotonic() - typed > 0.9
        assert time.monotonic() - sent > 1.2
        codex.press("y")
        codex.shows("Touched.")
        codex.shows("› y")


def test_one_key_too_many_answers_the_next_dialog(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        send(codex, "touch both")
        codex.shows(ASKS)
        codex.press("y\r")
        codex.shows("Touched.")
    assert lab.has("one")
    assert lab.has("two")


def test_a_patch_asks_only_where_nothing_may_be_written(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        send(codex, "patch it")
        codex.shows("Patched.")
    (lab.home.workspace / "made").unlink()
    with lab.run("-s", "read-only") as codex:
        codex.shows(READY)
        send(codex, "patch it")
        codex.shows("Would you like to make the following edits?")
        codex.press("a")
        codex.shows("Patched.")
        send(codex, "patch it again")
        codex.until(lambda: states(codex)[-4:] == ["done", "idle", "working", "done"], what="a turn that asks nothing")


# Questions


def test_a_question_in_default_mode_is_refused_unless_that_is_wanted(lab: Lab) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        send(codex, "ask me")
        codex.shows("Asked.")
    assert _answer(lab) == "request_user_input is unavailable in Default mode"


@pytest.mark.parametrize(
    ("keys", "answers"),
    [
        (("2",), ["B"]),
        (("x", "\r"), ["A"]),
        (("\x1b[A", "\t", "\x1b[200~Redis\x1b[201~", "\r"), ["None of the above", "user_note: Redis"]),
    ],
)
def test_a_question_is_answered_by_its_keys(lab: Lab, keys: tuple[str, ...], answers: list[str]) -> None:
    with lab.run("--enable", "default_mode_request_user_input") as codex:
        codex.shows(READY)
        send(codex, "ask me")
        codex.shows("Question 1/1 (1 unanswered)")
        for key in keys:
            codex.press(key)
        codex.shows("Asked.")
    assert json.loads(_answer(lab))["answers"]["q"]["answers"] == answers


def _answer(lab: Lab) -> str:
    found: str = next(
        line["payload"]["output"] for line in lab.logs()[0] if line["payload"].get("type") == "function_call_output"
    )
    return found


# Start-up


@pytest.mark.parametrize(("key", "begins"), [("\r", True), ("1\r", True), ("2", False), ("\x1b", False), ("\x03", False)])
def test_a_folder_is_trusted_by_enter_alone(make_lab: Callable[..., Lab], key: str, *, begins: bool) -> None:
    lab = make_lab(trusted=False)
    with lab.run() as codex:
        codex.shows("Folder access")
        codex.press("y")  # does nothing
        codex.press(key)
        if begins:
            codex.shows(READY)
        else:
            assert codex.exit_code() == 0
    assert ('trust_level = "trusted"' in lab.home.config.read_text().replace('"trust_level"', "trust_level")) == begins


@pytest.mark.parametrize(("key", "runs"), [("2\r", True), ("3", False), ("\x1b", False)])
def test_hooks_run_once_somebody_trusts_them(lab: Lab, key: str, *, runs: bool) -> None:
    lab.hook("Stop")
    lab.flags = []
    with lab.run() as codex:
        codex.shows("1 hook is new or changed.")
        codex.press(key)
        codex.shows(READY)
        send(codex, "hello")
        codex.until(lambda: states(codex)[-1] == "done", what="the end of the turn")
    assert bool(lab.told()) == runs
    with lab.run() as codex:
        codex.shows(READY if runs else "1 hook is new or changed.")


@pytest.mark.parametrize(("key", "model"), [("2", "gpt-5.5"), ("\r", "gpt-6-sol"), ("\x1b", "gpt-6-sol")])
def test_a_newer_model_is_tried_by_whoever_just_presses_enter(make_lab: Callable[..., Lab], key: str, model: str) -> None:
    lab = make_lab(migrated=False)
    with lab.run() as codex:
        codex.shows("Meet GPT-6 Sol")
        codex.press(key)
        codex.shows("? for shortcuts")
        send(codex, "hello")
        codex.shows("Hello there.")
    (log,) = lab.logs()
    assert [line["payload"]["model"] for line in log if line["type"] == "turn_context"] == [model]


# Hooks and logs, as they were recorded


EVENTS = ("SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop", "Interrupt", "SessionEnd")


def test_hooks_are_told_what_the_real_ones_were_told(lab: Lab) -> None:
    lab.hook(*EVENTS)
    with lab.run("-s", "read-only") as codex:
        codex.shows(READY)
        for message in ("touch it", "patch it"):
            send(codex, message)
            codex.shows(ASKS)
            codex.press("y")
            codex.hides(ASKS)
            codex.until(lambda: states(codex)[-1] == "done", what="the end of the turn")
        send(codex, "slow")
        codex.shows("one two")
        codex.press("\x1b")
        codex.until(lambda: states(codex)[-1] == "idle", what="the end of the turn")
        codex.press("\x04")
        assert codex.exit_code() == 0
    for path in sorted((CAPTURED / "codex/hooks").glob("*.json")):
        event, _, tool = path.stem.partition(".")
        real = json.loads(path.read_text())
        ours = next(told for told in lab.told() if told["hook_event_name"] == event and tool in ("", told.get("tool_name")))
        assert list(ours) == list(real), event
        assert list(ours.get("tool_input", ())) == list(real.get("tool_input", ())), event
        assert {key: type(value) for key, value in ours.items()} == {key: type(value) for key, value in real.items()}, event


def test_the_log_has_the_lines_of_the_real_one(lab: Lab) -> None:
    """Of every kind that was recorded, with the same keys where a driver reads them."""
    with lab.run("-s", "read-only", "--enable", "default_mode_request_user_input") as codex:
        codex.shows(READY)
        send(codex, "hello")
        codex.until(lambda: states(codex)[-1] == "done", what="the first turn")
        for message, key in (("touch it", "y"), ("patch it", "y"), ("touch again", "n"), ("ask me", "2")):
            send(codex, message)
            codex.until(lambda: states(codex)[-1] == "blocked", what="a dialog's report")
            codex.until(lambda: not codex.screen.snapshot().cursor.visible, what="a dialog")
            codex.press(key)
            codex.until(lambda: states(codex)[-1] in ("done", "idle"), what="the end of the turn")
        send(codex, "fail")
        codex.until(lambda: states(codex)[-1] == "error", what="the error")
    (log,) = lab.logs()
    recorded = [json.loads(line) for line in (CAPTURED / "codex/logs/session.jsonl").read_text().splitlines()]
    ours, real = dict(_shapes(log)), dict(_shapes(recorded))
    missing = set(real) - set(ours) - {("event_msg", "item_completed", "Plan", "")}
    assert not missing
    for kind in set(real) & set(ours):
        assert _read(kind) & real[kind] <= ours[kind], kind
    assert [line["ordinal"] for line in log] == list(range(len(log)))
    assert log[0]["payload"]["thread_source"] == "user"


def _shapes(lines: list[dict[str, Any]]) -> Iterator[tuple[tuple[str, str, str, str], set[str]]]:
    for line in lines:
        payload = line["payload"]
        item = payload.get("item") or {}
        kind = (line["type"], payload.get("type", ""), item.get("type", ""), payload.get("role", ""))
        yield kind, {*payload, *(f"item.{key}" for key in item)}


def _read(kind: tuple[str, str, str, str]) -> set[str]:
    """What the real one has in each line of a kind, without what it keeps for itself."""
    own = {"internal_chat_message_metadata_passthrough", "time_to_first_token_ms", "acceptance_order", "status", "error"}
    unread = {"item.process_id", "item.duration", "id"}
    names = "type turn_id root_turn_id thread_id session_id response_id usage turn_token_usage thread_token_usage role content "
    names += "call_id name arguments input output item item.type item.id item.content item.command item.exit_code item.status "
    names += "item.changes last_agent_message started_at completed_at duration_ms reason questions turn_attribution"
    return set(names.split()) - own - unread


# The ends


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_it_dies_of_its_signals(lab: Lab, number: signal.Signals) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        os.kill(codex.pid, number)
        assert codex.exit_code() == -number


@pytest.mark.parametrize("way", ["\x04", "\x03", "\x1b[200~/quit\x1b[201~\r"])
def test_every_way_out_puts_the_terminal_back(lab: Lab, way: str) -> None:
    with lab.run() as codex:
        codex.shows(READY)
        codex.press("\x1b[200~a draft\x1b[201~")
        codex.shows("› a draft")
        codex.press("\x03")  # clears only
        codex.shows("Ask Codex to do anything")
        codex.press(way)
        assert codex.exit_code() == 0
    assert states(codex)[-1] == "clear"
    assert codex.screen.modes().isdisjoint(MODES)
    assert codex.screen.snapshot().cursor.visible


def test_a_program_is_told_of_each_turn_that_is_done(lab: Lab) -> None:
    script = lab.home.home / "notify.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> {lab.home.home / TOLD}\n')
    script.chmod(0o755)
    with lab.run("-c", f'notify=["{script}"]') as codex:
        codex.shows(READY)
        send(codex, "fail")
        codex.until(lambda: states(codex)[-1] == "error", what="the error")
        send(codex, "hello")
        codex.shows("Hello there.")
        eventually(lab.told)
    (told,) = lab.told()
    assert told["type"] == "agent-turn-complete"
    assert told["last-assistant-message"] == "Hello there."
    assert told["input-messages"] == ["fail", "hello"]


def test_a_printed_turn_is_lines_of_json(lab: Lab) -> None:
    done = lab.printed("plain please")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [line["type"] for line in lines] == [
        "thread.started",
        "turn.started",
        "item.completed",
        "item.completed",
        "turn.completed",
    ]
    assert lines[2]["item"]["aggregated_output"] == "from the shell\n"
    assert lines[3]["item"]["text"] == "Ran it."
    failed = lab.printed("fail")
    assert failed.returncode == 1
    assert json.loads(failed.stdout.splitlines()[-1])["type"] == "turn.failed"


def test_a_printed_session_is_gone_on_with(lab: Lab) -> None:
    first = json.loads(lab.printed("hello").stdout.splitlines()[0])["thread_id"]
    again = json.loads(lab.printed("resume", first, "hello again").stdout.splitlines()[0])["thread_id"]
    assert again == first
    (log,) = lab.logs()
    assert [line["ordinal"] for line in log] == list(range(len(log)))


def test_wrong_flags_and_scenarios_are_refused_with_what_is_wrong(lab: Lab) -> None:
    done = subprocess.run(lab.command("--nonsense"), env=lab.environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--nonsense" in done.stderr
    (lab.home.home / "s.toml").write_text("[[turn]]\nsays = 'x'\n")
    done = subprocess.run(lab.command(), env=lab.environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "turn[0].says: not a key here" in done.stderr
