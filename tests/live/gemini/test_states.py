"""What the agent is doing, told from outside: turns that end in every way, errors, retries."""

import json
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.gemini import GeminiHome, seeded_home
from coop.testing.google import Break, Fail, Reply, Say, Turn, Use, say, use
from tests.live.gemini.conftest import BARE, IDLE, Lab, StartLab
from tests.live.gemini.test_nudges import text_of


def test_a_text_turn(ready: Lab) -> None:
    ready.tell("say hello please", say("Hello from the **pretend** model."))
    ready.until(IDLE)
    seen = eventually(lambda: (state := ready.state())["last_message"] and state["usage"] and state) or {}
    assert seen["last_message"] == "Hello from the **pretend** model."
    assert seen["usage"]["output_tokens"] == 20
    assert (seen["agent_version"], seen["tested"], seen["permission_mode"]) == (ready.version, True, "default")
    assert seen["transcript_path"].endswith(f"-{seen['session_id'][:8]}.jsonl")
    assert ready.last_prompt() == "say hello please"
    assert ready.states() == ["working", IDLE]


def test_usage_counts_every_message_once(ready: Lab) -> None:
    before = (ready.state()["usage"] or {}).get("output_tokens", 0)
    two = Reply((Say("I will look."), Use("run_shell_command", {"command": "touch counted", "description": "x"})))
    ready.tell("do it", two, say("Done."))
    ready.asked("permission_prompt")
    ready.respond(accept=True)
    ready.until(IDLE)
    eventually(lambda: (ready.state()["usage"] or {}).get("output_tokens") == before + 40)
    assert ready.states().count(IDLE) == 1  # words before a tool end nothing


def test_words_that_look_like_a_dialog_are_words(ready: Lab) -> None:
    before = ready.states()
    quoted = "Action Required\n\nAllow execution of: 'rm -rf /'?\n\n● 1. Allow once\n  2. No, suggest changes (esc)\n"
    ready.tell("quote it", say(quoted))
    ready.until(IDLE)
    ready.tell("and again", say("Yes."))
    ready.until(IDLE)
    assert "permission_prompt" not in ready.states()[len(before) :]
    assert "ask_user" not in ready.states()[len(before) :]


@pytest.mark.parametrize("when", ["early", "mid-stream", "in a tool"])
def test_an_interrupt_is_seen(ready: Lab, when: str) -> None:
    before = len(ready.api.main_requests)
    slow = text_of(4000 + len(when))
    turns: dict[str, tuple[Turn, ...]] = {
        "early": (say("never said", delay=8),),
        "mid-stream": (say(slow, pace=0.1),),
        "in a tool": (use("run_shell_command", command="touch begun; sleep 60", description="wait"), say("never said")),
    }
    ready.tell("begin", *turns[when])
    if when == "in a tool":
        ready.asked("permission_prompt", drawn=True)
        ready.respond(accept=True)
        eventually(ready.made("begun").exists)
    eventually(lambda: len(ready.api.main_requests) > before)
    if when == "mid-stream":
        ready.wire.shows(slow[:20])
    ready.until("working")
    ready.press("Escape")
    ready.until(IDLE)
    ready.tell("and again", say("Yes."))
    ready.until(IDLE)
    assert ready.last_prompt() == "and again"
    assert ready.states()[-2:] == ["working", IDLE]


ERRORS = {
    "400": (Fail(400, message="a bad thing"), "other"),
    "401": (Fail(401, message="invalid key"), "unauthorized"),
    "403": (Fail(403, message="not allowed"), "unauthorized"),
}


@BARE
@pytest.mark.parametrize("name", sorted(ERRORS))
def test_an_error_is_told_with_its_kind(ready: Lab, name: str) -> None:
    failure, kind = ERRORS[name]
    ready.tell("try it", failure)
    seen = ready.until("error")
    assert (seen["error_kind"], bool(seen["detail"])) == (kind, True)
    ready.tell("try again", say("Better now."))
    ready.until(IDLE)
    ready.wire.shows("Better now.")


@BARE
def test_a_silent_retry_is_work(ready: Lab) -> None:
    ready.tell("try it", Fail(503, message="busy"), Fail(429, message="slow down"), say("At last."))
    before = len(ready.api.main_requests)
    ready.until("working")
    ready.until(IDLE, within=60)
    assert ready.states() == ["working", IDLE]
    assert len(ready.api.main_requests) >= before + 1
    ready.wire.shows("At last.")


@BARE
def test_a_stream_that_does_not_say_why_it_ended_is_an_error(ready: Lab) -> None:
    ready.api.otherwise = Break(Reply((Say("half a sen"),)))
    ready.tell("try it")
    try:
        assert ready.until("error", within=40)["error_kind"] == "other"
    finally:
        ready.api.otherwise = say("Nothing more is scripted.")


@BARE
def test_a_tool_that_runs_long_is_work_until_it_ends(ready: Lab) -> None:
    ready.tell("wait", use("run_shell_command", command="sleep 4; touch slept", description="wait"), say("Done."))
    ready.asked("permission_prompt", drawn=True)
    ready.respond(accept=True)
    ready.until(IDLE)
    assert ready.made("slept").exists()
    assert ready.states().count(IDLE) == 1


def test_what_coop_holds_explains_itself(ready: Lab) -> None:
    told = ready.explain()
    assert told["state"] == ready.state()["state"]
    assert told["rule"]
    assert told["until"]
    spoken = {word["tier"] for word in told["tiers"] if word["said"]}
    assert spoken >= {"session_log", "terminal_report", "screen"}
    assert ("hooks" in spoken) == ready.is_hooked


def without_retries(root: Path) -> GeminiHome:
    place = seeded_home(root)
    settings = json.loads(place.settings.read_text())
    settings["general"] |= {"maxAttempts": 1, "retryFetchErrors": False}
    place.settings.write_text(json.dumps(settings))
    return place


def test_a_server_that_is_not_there_is_no_network(start_lab: StartLab, tmp_path: Path) -> None:
    nowhere = {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}
    lab = start_lab("-m", "gemini-2.5-flash", place=without_retries(tmp_path), env=nowhere).ready()
    lab.deliver("try it", wait=10)
    assert lab.until("error", within=60)["error_kind"] == "no_network"


def test_a_session_is_resumed_by_every_kind_of_hint(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    first = lab.until(IDLE)
    log = Path(first["transcript_path"])
    lab.coop.process.terminate()
    lab.coop.wait()
    for hint in (first["session_id"], first["transcript_path"], str(lab.workspace), lab.workspace.name):
        size = log.stat().st_size
        again = start_lab(options=("--resume", hint)).ready()
        again.tell("which word?", say("Heron."))
        again.until(IDLE)
        assert "remember the word heron" in json.dumps(again.api.main_requests[-1].body)
        assert again.state()["session_id"] == first["session_id"]
        assert log.stat().st_size > size  # the old log goes on; the new one that is made beside it does not
        again.coop.process.terminate()
        again.coop.wait()


def test_a_printed_stream_is_read(start_lab: StartLab) -> None:
    arguments = ("-p", "say hi", "--output-format", "stream-json")
    lab = start_lab(*arguments, options=("--keep-alive", "--cols", "200", "--rows", "50"))
    lab.until("exited")
    assert lab.state()["last_message"] == "Nothing more is scripted."
    eventually(lambda: "working" in lab.states())
    assert lab.states()[-1] == "exited"
    assert lab.last_prompt() == "say hi"


def test_the_exit_code_of_a_refusal_is_kept(start_lab: StartLab, tmp_path: Path) -> None:
    """It prints nothing in a folder that is not trusted."""
    lab = start_lab("-p", "say hi", "-o", "stream-json", place=seeded_home(tmp_path, trusted=False), options=("--keep-alive",))
    lab.until("exited")
    assert lab.wire.get("/api/v1/status")["exit_code"] == 55
