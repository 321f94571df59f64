"""The pretend Claude Code keeps the measured facts that no recording shows: hooks, files, keys and flags."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from coop.model.screen import Size
from coop.testing import eventually
from coop.testing.claude import KEY, ClaudeHome, seeded_home

from .hook_server import HookServer, hook_server
from .on_pty import OnPty, on_pty

SIZE = Size(120, 40)
BOTH = ("2.1.197", "2.1.325")
SCENARIO = """
[[turn]]
match = "touch"
tool = { name = "Bash", input = { command = "touch made", description = "Make a file" } }
then = "Touched."

[[turn]]
match = "npm"
tool = { name = "Bash", input = { command = "true npm", description = "Run the tests" } }
then = "Tested."

[[turn]]
match = "plan"
tool = { name = "ExitPlanMode", input = { plan = "# A plan" } }
then = "Planned."

[[turn]]
match = "ask"
then = "Asked."

[[turn.tool]]
name = "AskUserQuestion"

[[turn.tool.input.questions]]
question = "Which?"
header = "H"
options = [{ label = "A", description = "a" }, { label = "B", description = "b" }]

[[turn]]
match = "slow"
say = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
pace = 0.3

[[turn]]
match = "think"
say = "Thought."
delay = 5.0

[[turn]]
match = "fail"
error = { status = 529, retries = 1, wait = 1.4 }

[[turn]]
match = "again"
say = "Once more."
"""


@dataclass
class Lab:
    """A HOME, a scenario and a way to start the simulator there."""

    home: ClaudeHome
    version: str
    env: dict[str, str] = field(default_factory=dict[str, str])

    def command(self, *flags: str) -> list[str]:
        scenario = str(self.home.home / "scenario.toml")
        return [sys.executable, "-m", "coop_sim", "claude", "--sim-version", self.version, "--scenario", scenario, *flags]

    def environment(self) -> dict[str, str]:
        own = {"HOME": str(self.home.home), "ANTHROPIC_API_KEY": KEY, "PATH": os.environ["PATH"], "TERM": "xterm-256color"}
        return own | {"IS_SANDBOX": "1"} | self.env

    def run(
        self, *flags: str, mode: str = "default", answers: Mapping[bytes, bytes] | None = None
    ) -> AbstractContextManager[OnPty]:
        command = self.command("--permission-mode", mode, *flags)
        given = {} if answers is None else answers
        return on_pty(command, cwd=self.home.workspace, env=self.environment(), size=SIZE, answers=given)

    def print(self, *flags: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*flags), cwd=self.home.workspace, env=self.environment(), capture_output=True, text=True, check=False
        )

    def logs(self) -> list[Path]:
        return sorted((self.home.home / ".claude/projects").rglob("*.jsonl"), key=lambda path: path.stat().st_mtime)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.logs()[-1].read_text().splitlines()] if self.logs() else []

    def status(self) -> dict[str, Any]:
        files = list((self.home.home / ".claude/sessions").glob("*.json"))
        try:
            found: dict[str, Any] = json.loads(files[0].read_text()) if files else {}
        except (ValueError, OSError):
            return {}
        return found


@pytest.fixture(params=BOTH)
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Lab:
    return _lab(tmp_path, request.param)


@pytest.fixture
def new(tmp_path: Path) -> Lab:
    return _lab(tmp_path, "2.1.325")


@pytest.fixture
def old(tmp_path: Path) -> Lab:
    return _lab(tmp_path, "2.1.197")


@pytest.fixture
def hooks() -> Generator[HookServer]:
    with hook_server() as server:
        yield server


def _lab(root: Path, version: str) -> Lab:
    home = seeded_home(root)
    (home.home / "scenario.toml").write_text(SCENARIO)
    return Lab(home, version)


def say(sim: OnPty, text: str) -> None:
    """Types it, sees it in the box, submits it."""
    sim.shows("❯\u00a0")
    sim.press(f"\x1b[200~{text}\x1b[201~")
    sim.shows(f"❯\u00a0{text}")
    sim.press("\r")


def answer(sim: OnPty, keys: str, *, dialog: str) -> None:
    """Waits for the dialog and, as a driver must, until it hears."""
    sim.shows(dialog)
    heard = time.monotonic() + 0.25
    sim.until(lambda: time.monotonic() >= heard, what="ears")
    sim.press(keys)


def leave(sim: OnPty) -> None:
    sim.hides("esc to interrupt")
    sim.shows("❯\u00a0")
    sim.press("/exit\r")
    assert sim.exit_code() == 0


def made(lab: Lab) -> Callable[[], bool]:
    return (lab.home.workspace / "made").exists


def test_a_turn_is_told_to_http_hooks_in_order_and_none_for_the_start(lab: Lab, hooks: HookServer) -> None:
    lab.env["TOKEN"] = "secret"
    with lab.run("--settings", hooks.settings()) as sim:
        say(sim, "please touch")
        answer(sim, "1", dialog="proceed?")
        sim.shows("Touched.")
        eventually(made(lab))
        leave(sim)
    turn = ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionEnd"]
    assert hooks.events() == turn
    assert {headers["x-token"] for headers in hooks.headers} == {"Bearer secret "}
    assert "tool_use_id" not in hooks.told[2]
    assert hooks.told[-1]["reason"] == "prompt_input_exit"


def test_a_command_hook_hears_the_start_with_its_environment(lab: Lab) -> None:
    heard = lab.home.home / "heard"
    hook = {"type": "command", "command": f"cat > {heard}; echo $CLAUDE_CODE_SESSION_ID >> {heard}.env"}
    with lab.run("--settings", json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})) as sim:
        eventually(lambda: heard.with_suffix(".env").exists() and heard.with_suffix(".env").read_text())
        payload = json.loads(heard.read_text())
        leave(sim)
    assert (payload["source"], "permission_mode" in payload) == ("startup", False)
    assert heard.with_suffix(".env").read_text().strip() == payload["session_id"]


def test_a_hook_can_answer_in_place_of_a_person(lab: Lab, hooks: HookServer) -> None:
    hooks.answers["PermissionRequest"] = [_decision("deny", message="not here"), _decision("allow")]
    with lab.run("--settings", hooks.settings()) as sim:
        say(sim, "please touch")
        sim.shows("not here")
        sim.shows("Touched.")
        assert not made(lab)()
        say(sim, "touch again")
        eventually(made(lab))


@pytest.mark.parametrize(("key", "hangs_up"), [("1", False), ("\x1b", True)])
def test_a_key_that_comes_first_leaves_the_hook_waiting_or_hangs_up(
    lab: Lab, hooks: HookServer, key: str, *, hangs_up: bool
) -> None:
    never = threading.Event()
    hooks.answers["PermissionRequest"] = [never]
    try:
        with lab.run("--settings", hooks.settings()) as sim:
            say(sim, "please touch")
            answer(sim, key, dialog="proceed?")
            sim.shows("Interrupted" if hangs_up else "Touched.")
            if hangs_up:
                eventually(hooks.hung_up.is_set)
            say(sim, "again")
            sim.shows("Once more.")
            assert hooks.hung_up.is_set() == hangs_up
    finally:
        never.set()


def test_a_bare_allow_answers_a_plan_only_in_the_old_version(lab: Lab, hooks: HookServer) -> None:
    hooks.answers["PermissionRequest"] = [_decision("allow")]
    with lab.run("--settings", hooks.settings(), mode="plan") as sim:
        say(sim, "make a plan")
        if lab.version == "2.1.325":
            answer(sim, "2", dialog="Would you like to proceed?")
        sim.shows("Planned.")


def test_an_updated_input_answers_a_plan_in_the_new_version(new: Lab, hooks: HookServer) -> None:
    hooks.answers["PermissionRequest"] = [_decision("allow", updatedInput={})]
    with new.run("--settings", hooks.settings(), mode="plan") as sim:
        say(sim, "make a plan")
        sim.shows("Planned.")
        sim.shows("manual mode on")


def test_a_stop_hook_puts_off_the_end_once(lab: Lab, hooks: HookServer) -> None:
    hooks.answers["Stop"] = [{"decision": "block", "reason": "do it again"}, {}]
    with lab.run("--settings", hooks.settings()) as sim:
        say(sim, "hello")
        sim.shows("Once more.")
        eventually(lambda: hooks.events().count("Stop") == 2)
    assert [told["stop_hook_active"] for told in hooks.told if told["hook_event_name"] == "Stop"] == [False, True]


def _decision(behavior: str, **rest: object) -> dict[str, Any]:
    decision = {"behavior": behavior, **rest}
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def test_enter_after_n_approves(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "please touch")
        answer(sim, "n\r", dialog="proceed?")
        eventually(made(lab))


def test_three_denies_in_the_old_version_and_approves_into_auto_in_the_new(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "please touch")
        answer(sim, "3", dialog="proceed?")
        if lab.version == "2.1.325":
            eventually(made(lab))
            sim.shows("auto mode on")
        else:
            sim.shows("Interrupted · What should Claude do instead?")
            assert not made(lab)()


def test_a_refusal_with_feedback_lets_the_turn_go_on(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "please touch")
        sim.shows("proceed?")
        answer(sim, "\x1b[A", dialog="proceed?")
        sim.shows("❯ 4. No" if lab.version == "2.1.325" else "❯ 3. No")
        sim.press("\t")
        sim.press("not now")
        sim.shows("No, not now")
        sim.press("\r")
        sim.shows("Touched.")
        assert not made(lab)()


def test_a_digit_typed_before_a_guarded_dialog_falls_into_the_box(new: Lab) -> None:
    with new.run() as sim:
        say(sim, "please touch")
        eventually(lambda: new.status().get("waitingFor") == "permission prompt")
        sim.press("1")
        sim.shows("❯\u00a01")
        sim.shows("proceed?")
        assert not made(new)()


def test_the_status_file_follows_and_goes(lab: Lab) -> None:
    with lab.run() as sim:
        eventually(lambda: lab.status().get("status") == "idle")
        say(sim, "ask me")
        expected = "input needed" if lab.version == "2.1.325" else "permission prompt"
        eventually(lambda: lab.status().get("waitingFor") == expected)
        answer(sim, "2", dialog="Which?")
        sim.shows("Asked.")
        eventually(lambda: lab.status().get("status") == "idle")
        leave(sim)
    assert lab.status() == {}


def test_a_long_write_is_a_paste_and_not_submitted(lab: Lab) -> None:
    with lab.run() as sim:
        sim.shows("❯\u00a0")
        sim.press("x" * 63 + "\r")
        sim.shows("❯\u00a0" + "x" * 63)
        assert not lab.logs()
        sim.press("\r")
        sim.shows("I am a pretend Claude.")


def test_escape_before_an_answer_puts_the_prompt_back(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "think hard")
        sim.shows("esc to interrupt")
        sim.press("\x1b")
        sim.shows("❯\u00a0think hard")
        leave_by_control_c(sim)
    assert any(line["type"] == "user" for line in lab.lines()) == (lab.version == "2.1.325")


def leave_by_control_c(sim: OnPty) -> None:
    sim.press("\x03")
    sim.until(lambda: "❯\u00a0" in sim.lines() or any(line == "❯\u00a0" for line in sim.lines()), what="an empty box")
    sim.press("\x03")
    sim.shows("Press Ctrl-C again to exit")
    sim.press("\x03")
    assert sim.exit_code() == 0


def test_escape_in_an_answer_is_logged(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "slow please")
        sim.shows("● one two")
        sim.press("\x1b")
        sim.shows("Interrupted · What should Claude do instead?")
        leave(sim)
    texts = [line["message"]["content"][0]["text"] for line in lab.lines() if isinstance(_content(line), list)]
    assert texts[0].startswith("one two")
    assert texts[1] == "[Request interrupted by user]"


def _content(line: dict[str, Any]) -> object:
    return line.get("message", {}).get("content")


def test_a_prompt_while_busy_is_queued_and_heard_when_the_version_says(lab: Lab, hooks: HookServer) -> None:
    with lab.run("--settings", hooks.settings()) as sim:
        say(sim, "slow please")
        sim.shows("● one")
        sim.press("later\r")
        sim.shows("Press up to edit queued messages")
        sim.shows("You said: later")
        eventually(lambda: hooks.events().count("Stop") == 2)
        leave(sim)
    order = [event for event in hooks.events() if event in ("UserPromptSubmit", "Stop")]
    together = ["UserPromptSubmit", "UserPromptSubmit", "Stop", "Stop"]
    assert order == (together if lab.version == "2.1.325" else ["UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop"])
    assert [line["operation"] for line in lab.lines() if line["type"] == "queue-operation"] == ["enqueue", "dequeue"]


def test_an_exclamation_mark_runs_a_shell_and_asks_nobody(lab: Lab, hooks: HookServer) -> None:
    with lab.run("--settings", hooks.settings()) as sim:
        sim.shows("❯\u00a0")
        sim.press("!touch made")
        sim.shows("!\u00a0touch made")
        sim.press("\r")
        eventually(made(lab))
        eventually(lambda: hooks.events() == ["Stop"], what="the model's word on it")


def test_auto_mode_that_cannot_check_asks_without_hooks_or_digits(new: Lab, hooks: HookServer) -> None:
    new.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    with new.run("--settings", hooks.settings(), mode="auto") as sim:
        say(sim, "npm test")
        answer(sim, "\r", dialog="Auto mode can't check actions in this session")
        answer(sim, "1", dialog="❯ No")
        sim.press("\x1b[B")
        sim.shows("❯ Yes")
        sim.press("\r")
        sim.shows("Tested.")
    assert "PermissionRequest" not in hooks.events()


def test_an_api_error_is_retried_shown_and_told(lab: Lab, hooks: HookServer) -> None:
    with lab.run("--settings", hooks.settings()) as sim:
        say(sim, "fail please")
        sim.shows("529 Overloaded · Retrying in 1s · attempt 1/10")
        sim.shows("● API Error: 529 Overloaded")
        eventually(lambda: "StopFailure" in hooks.events())
        leave(sim)
    assert "Stop" not in hooks.events()
    error = next(line for line in lab.lines() if line.get("isApiErrorMessage"))
    assert (error["message"]["model"], error["apiErrorStatus"]) == ("<synthetic>", 529)


def test_a_session_can_be_cleared_resumed_and_forked(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "first")
        sim.shows("You said: first")
        sim.press("/clear\r")
        sim.hides("You said: first")
        say(sim, "second")
        sim.shows("You said: second")
        leave(sim)
    first, second = lab.logs()
    with lab.run("--resume", first.stem) as sim:
        sim.shows("You said: first")
        say(sim, "third")
        sim.shows("You said: third")
        leave(sim)
    assert "third" in first.read_text()
    with lab.run("--resume", second.stem, "--fork-session") as sim:
        sim.shows("You said: second")
        leave(sim)
    assert len(lab.logs()) == 3


def test_signals_end_it_with_their_codes(lab: Lab) -> None:
    for number, code in ((1, 129), (2, 0), (15, 143)):
        with lab.run() as sim:
            eventually(lambda: lab.status().get("status") == "idle")
            os.kill(sim.pid, number)
            assert sim.exit_code() == code


def test_without_an_answer_to_the_probe_titles_have_the_glyphs(lab: Lab) -> None:
    with lab.run() as sim:
        say(sim, "slow please")
        glyphs = "◐◑" if lab.version == "2.1.325" else "⠂⠐"
        sim.until(lambda: sim.screen.snapshot().title[:1] in tuple(glyphs), what="a working title")
    assert b"\x1b]7501;state" not in sim.output


def test_the_alternate_screen_can_be_declined(new: Lab) -> None:
    new.env["CLAUDE_CODE_NO_FLICKER"] = "0"
    with new.run() as sim:
        say(sim, "hello")
        sim.shows("You said: hello")
        assert not sim.screen.snapshot().alt_screen
        leave(sim)


def test_start_up_dialogs_come_in_order(lab: Lab, tmp_path: Path) -> None:
    seed = lab.home.home / ".claude.json"
    seed.write_text(json.dumps({"hasCompletedOnboarding": True}))
    is_new = lab.version == "2.1.325"
    with lab.run("--dangerously-skip-permissions") as sim:
        answer(sim, "\x1b[B\r" if is_new else "1", dialog="Quick safety check")
        answer(sim, "\x1b[A\r" if is_new else "1", dialog="Detected a custom API key in your environment")
        answer(sim, "\x1b[B\r" if is_new else "2", dialog="WARNING: Claude Code running in Bypass Permissions mode")
        sim.shows("bypass permissions on")
        leave(sim)
    assert json.loads(seed.read_text())["customApiKeyResponses"]["approved"] == [KEY[-20:]]


def test_print_mode_streams_json(lab: Lab) -> None:
    done = lab.print("-p", "hello", "--output-format", "stream-json", "--verbose")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["type"] for line in lines] == ["system", "assistant", "result"]
    assert (lines[0]["subtype"], lines[-1]["is_error"], done.returncode) == ("init", False, 0)
    assert "requires --verbose" in lab.print("-p", "hello", "--output-format", "stream-json").stderr


def test_print_mode_refuses_what_needs_a_person(lab: Lab, hooks: HookServer) -> None:
    done = lab.print("-p", "touch", "--settings", hooks.settings())
    assert (done.stdout, made(lab)()) == ("Touched.\n", False)
    assert ("PermissionRequest" in hooks.events()) == (lab.version == "2.1.325")


def test_flags_are_refused_as_the_real_ones_are(lab: Lab) -> None:
    assert lab.print("--version").stdout == f"{lab.version} (Claude Code)\n"
    unknown = lab.print("--hook-config", "x")
    assert (unknown.returncode, unknown.stderr) == (1, "error: unknown option '--hook-config'\n")
    assert lab.print("--continue", "--session-id", "x").returncode == 1
    assert lab.print("-p", "x", "--resume", "none").returncode == 1


def test_faults_happen(lab: Lab) -> None:
    faults = (
        '[[turn]]\nmatch = "die"\ncrash = 7\n[[turn]]\nsay = "torn"\ntorn_log_line = true\n[faults]\nno_status_file = true\n'
    )
    (lab.home.home / "scenario.toml").write_text(faults)
    with lab.run() as sim:
        say(sim, "hello")
        eventually(lambda: lab.logs() and not lab.logs()[-1].read_text().endswith("\n"), what="a torn line")
        eventually(lambda: lab.logs()[-1].read_text().endswith("\n"), what="the rest of it")
        assert lab.lines()
        say(sim, "die")
        assert sim.exit_code() == 7
    assert lab.status() == {}


def test_a_bad_scenario_is_named(lab: Lab) -> None:
    (lab.home.home / "scenario.toml").write_text("[[turn]]\ndelay = 'long'\n")
    done = lab.print("-p", "x")
    assert done.returncode == 1
    assert "turn[0].delay: expected a number or a whole number, got 'long'" in done.stderr


def test_the_example_of_the_documentation_runs(lab: Lab) -> None:
    page = Path(__file__).parents[2] / "docs/simulator.md"
    (lab.home.home / "scenario.toml").write_text(page.read_text().partition("```toml\n")[2].partition("```")[0])
    with lab.run() as sim:
        say(sim, "Please fix the greeting")
        answer(sim, "1", dialog="Do you want to create greeting.txt?")
        sim.shows("It greets again.")
        say(sim, "Is it deployed?")
        sim.shows("● API Error: 529 Overloaded")
        leave(sim)
    assert (lab.home.workspace / "greeting.txt").read_text() == "Hello!\n"


def test_a_shim_runs_the_pretend_one(lab: Lab, tmp_path: Path) -> None:
    shims = tmp_path / "bin"
    command = [sys.executable, "-m", "coop_sim", "shims", str(shims), "--sim-version", lab.version]
    subprocess.run(command, check=True, capture_output=True)
    env = lab.environment() | {"PATH": f"{shims}:{os.environ['PATH']}"}
    done = subprocess.run(["claude", "--version"], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{lab.version} (Claude Code)\n"
