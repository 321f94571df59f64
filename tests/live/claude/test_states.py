"""What the agent is doing, told from outside: turns that end in every way, errors, retries, background work."""

import json
import re
from base64 import b64decode
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.anthropic import Break, Drop, Fail, Reply, Say, Turn, Use, say, use
from tests.live.claude.conftest import IDLE, StartLab
from tests.support.families import Process, family


def test_a_text_turn(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("say hello please", say("Hello from the **pretend** model."))
    lab.until(IDLE)
    seen = eventually(lambda: (state := lab.state())["last_message"] and state["usage"] and state) or {}
    assert seen["last_message"] == "Hello from the **pretend** model."
    assert seen["usage"]["output_tokens"] == 20
    assert (seen["agent_version"], seen["tested"]) == (lab.version, True)
    assert (seen["cwd"], seen["permission_mode"]) == (str(lab.workspace), "default")
    assert Path(seen["transcript_path"]).stem == seen["session_id"]
    assert seen["model"].startswith("claude-")
    assert lab.states() == [IDLE, "working", IDLE]


def test_the_permission_mode_follows_the_keyboard(start_lab: StartLab) -> None:
    """No hook tells of it, and the log only at the end of a turn."""
    lab = start_lab().ready()
    lab.tell("say hello please", say("Hello."))
    lab.until(IDLE)
    for mode in ("acceptEdits", "plan"):
        lab.press("Shift-Tab")
        lab.once(lambda mode=mode: lab.state()["permission_mode"] == mode, what=mode)  # type: ignore[misc]
    lab.tell("plan it", say("No need."))
    lab.until(IDLE)
    assert lab.state()["permission_mode"] == "plan"


def test_an_agent_that_suspends_itself_goes_on(start_lab: StartLab) -> None:
    """Ctrl-Z at the keyboard: no shell is there to be told `fg`."""
    lab = start_lab().ready()
    lab.press("Ctrl-Z")

    def is_back() -> bool:
        _, suspended, after = b64decode(lab.wire.get("/api/v1/output")["data"]).partition(b"has been suspended")
        return bool(suspended) and b"\x1b[?2004h" in after

    eventually(is_back, what="its input again")
    lab.tell("are you there?", say("Yes."))
    lab.until(IDLE)


def test_our_hooks_leave_no_word_in_the_transcript(start_lab: StartLab) -> None:
    """They run in every turn, and what they are told each time is of no use to anybody."""
    lab = start_lab().ready()
    lab.tell("say hello please", say("Hello."))
    lab.until(IDLE)
    path = Path(lab.state()["transcript_path"])
    eventually(lambda: path.exists() and "turn_duration" in path.read_text(), what="the end of the turn in the transcript")
    lines = path.read_text().splitlines()
    attached = [line["attachment"]["type"] for line in map(json.loads, lines) if line["type"] == "attachment"]
    ran = [line["hasOutput"] for line in map(json.loads, lines) if line.get("subtype") == "stop_hook_summary"]
    assert "hook_success" not in attached
    assert ran == [False]


def test_usage_counts_every_message_once(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    two = Reply((Say("I will look."), Use("Bash", {"command": "true", "description": "nothing"})))
    lab.tell("do it", two, say("Done."))
    if lab.until_any("permission_prompt", IDLE) == "permission_prompt":
        lab.respond(accept=True)
    lab.until(IDLE)
    eventually(lambda: (lab.state()["usage"] or {}).get("output_tokens") == 40)


@pytest.mark.parametrize("when", ["early", "mid-stream", "in a tool"])
def test_an_interrupt_is_seen_without_any_hook(start_lab: StartLab, when: str) -> None:
    lab = start_lab().ready()
    tool = frozenset[Process]()
    turns: dict[str, tuple[Turn, ...]] = {
        "early": (say("never said", delay=30),),
        "mid-stream": (say("word " * 2000, pace=0.1),),
        "in a tool": (use("Bash", command="touch begun; sleep 60", description="wait"), say("never said")),
    }
    lab.tell("begin", *turns[when])
    if when == "in a tool":
        lab.asked("permission_prompt")
        lab.respond(accept=True)
        eventually((lab.workspace / "begun").exists)
        tool = frozenset(each for each in family(lab.coop.child_pid) if "sleep 60" in each.command)
        assert tool
    eventually(lambda: lab.api.main_requests)
    if when == "mid-stream":
        lab.wire.shows("word word")
    lab.until("working")
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    assert lab.states()[-1] == IDLE
    if when == "in a tool":
        eventually(lambda: not any(each.is_running for each in tool), what="the end of the tool")
    else:
        eventually(lambda: lab.api.hung_up == lab.api.main_requests, what="the end of the stream")
    lab.api.forget()
    lab.tell("something else", say("Fine."))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == 2, "nothing was asked of the model after the interrupt until somebody spoke"


ERRORS = {
    "400": (Fail(400, "invalid_request_error", "a bad thing"), "other"),
    "401": (Fail(401, "authentication_error", "invalid x-api-key"), "unauthorized"),
    "403": (Fail(403, "permission_error", "not allowed"), "unauthorized"),
    "429": (Fail(429, "rate_limit_error", "slow down"), "rate_limited"),
    "500": (Fail(500, "api_error", "broken"), "other"),
    "529": (Fail(529, "overloaded_error", "Overloaded"), "overloaded"),
    "credits": (Fail(400, "invalid_request_error", "Your credit balance is too low to access the API"), "out_of_credits"),
}


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_an_error_is_told_with_its_kind(start_lab: StartLab, name: str) -> None:
    failure, kind = ERRORS[name]
    lab = start_lab(env={"CLAUDE_CODE_MAX_RETRIES": "0"}).ready()
    lab.api.otherwise = failure
    lab.tell("try it")
    seen = lab.until("error")
    assert (seen["error_kind"], bool(seen["detail"])) == (kind, True)
    lab.api.otherwise = say("Better now.")
    lab.tell("try again")
    lab.until(IDLE)
    lab.wire.shows("Better now.")


def test_a_server_that_is_not_there_is_no_network(start_lab: StartLab) -> None:
    lab = start_lab(env={"CLAUDE_CODE_MAX_RETRIES": "0", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}).ready()
    lab.tell("try it")
    assert lab.until("error")["error_kind"] == "no_network"


def test_a_retry_is_work_with_its_attempt(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("try it", *(Fail(500, "api_error", "broken"),) * 3, say("At last."))
    eventually(lambda: (lab.state()["detail"] or "").startswith("retrying"), within=15)
    assert lab.state()["state"] == "working"
    lab.until(IDLE)
    assert "error" not in lab.states()
    lab.wire.shows("At last.")


def test_a_dropped_stream_is_an_error_or_is_asked_for_again(start_lab: StartLab) -> None:
    lab = start_lab(env={"CLAUDE_CODE_MAX_RETRIES": "0"}).ready()
    lab.tell("try it", Drop(Reply((Say("half a sen"),))), say("And the rest."))
    ended = lab.until_any("error", IDLE)  # which, is a matter of what it had read when it was cut off
    if ended == "error":
        seen = lab.state()
        assert (seen["error_kind"], bool(re.search("closed|lost", seen["detail"]))) == ("other", True)
        assert len(lab.api.main_requests) == 1
        return
    lab.wire.shows("And the rest.")
    assert "error" not in lab.states()
    assert [request.body.get("stream", False) for request in lab.api.main_requests] == [True, False]


def test_a_stream_that_says_it_has_failed_is_an_error(start_lab: StartLab) -> None:
    lab = start_lab(env={"CLAUDE_CODE_MAX_RETRIES": "0"}).ready()
    lab.api.otherwise = Break(Reply((Say("half a sen"),)))
    lab.tell("try it")
    kind = {"2.1.197": "overloaded", "2.1.325": "other"}[lab.version]  # which says no more than that it broke off
    assert lab.until("error")["error_kind"] == kind


def test_background_work_is_work(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    shell = use("Bash", command="sleep 3; touch made-by-claude", description="wait", run_in_background=True)
    lab.tell("begin it", shell, say("It runs."), say("It has ended."))
    lab.asked("permission_prompt")
    lab.respond(accept=True)
    eventually(lambda: lab.state()["detail"] == "background", within=10)
    assert lab.state()["state"] == "working"
    assert not (lab.workspace / "made-by-claude").exists()
    lab.until(IDLE)
    assert (lab.workspace / "made-by-claude").exists()
    assert lab.states().count(IDLE) == 2  # ready, and at the very end


def test_a_subagents_permission_is_told_and_answered(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    task = use("Agent", description="a task", prompt="make the file", subagent_type="general-purpose")
    lab.tell("delegate it", task, use("Bash", command="touch made-by-claude", description="x"), say("Made."), say("All done."))
    lab.asked("permission_prompt")
    # Its dialog may be seen before its hook has told who asks.
    prompt = lab.once(lambda: "subagent" in (now := lab.state()["prompt"]) and now, what="the subagent")
    assert (prompt["tool"], prompt["subagent"]) == ("Bash", "general-purpose")
    lab.respond(accept=True)
    lab.until(IDLE)
    assert (lab.workspace / "made-by-claude").exists()


@pytest.mark.parametrize("behind", [False, True], ids=["awaited", "in the background"])
def test_the_error_of_a_subagent_is_not_the_agents(start_lab: StartLab, *, behind: bool) -> None:
    """Nothing has ended: the agent itself goes on, and cannot be told something as if it rested."""
    lab = start_lab(env={"CLAUDE_CODE_MAX_RETRIES": "0"}).ready()
    task = use("Agent", description="a task", prompt="zebra make it", subagent_type="general-purpose", run_in_background=behind)
    lab.api.script_apart("zebra make it", Fail(500, "api_error", "broken"))
    lab.tell("delegate it", task, say("word " * 80, pace=0.2), say("All done."))
    lab.wire.shows("word word word")
    eventually(
        lambda: any("500" in json.dumps(each.body) for each in lab.api.main_requests) or behind, what="the agent hears of it"
    )
    assert lab.refusal("hello") == "AGENT_BUSY"
    assert "API Error" not in (lab.state()["last_message"] or "")
    lab.until(IDLE)
    assert "error" not in lab.states()


def test_going_back_in_the_conversation_is_a_question(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("one word", say("Yes."))
    lab.until(IDLE)
    lab.tell("/rewind", raw=True)
    lab.wire.shows("Restore the code")
    assert "Rewind" in " ".join(lab.asked("ask_user")["screen_lines"])
    lab.press("Escape")
    lab.until(IDLE)


def test_a_new_conversation_is_followed(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Then a heron it is."))
    before = lab.until(IDLE)["session_id"]
    lab.tell("/clear", raw=True)
    after = eventually(lambda: (now := lab.state()["session_id"]) != before and now)
    lab.until(IDLE)
    lab.tell("second", say("Two."))
    lab.until(IDLE)
    told = eventually(lambda: (now := lab.state())["last_message"] == "Two." and now) or {}
    assert after
    assert (told["session_id"], Path(told["transcript_path"]).stem) == (after, after)
    asked = json.dumps(lab.api.main_requests[-1].body["messages"])
    assert "second" in asked
    assert "heron" not in asked


def test_a_compaction_is_work_that_ends(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    for word in ("first", "and more", "and yet more"):
        lab.tell(word, say("Yes."))
        before = lab.until(IDLE)["session_id"]
    lab.api.otherwise = say("<summary>It was about nothing.</summary>")
    lab.tell("/compact", raw=True)
    lab.wire.shows("ompacted")
    lab.until(IDLE)
    assert lab.state()["session_id"] == before
    lab.tell("second", say("Two."))
    lab.until(IDLE)
    lab.wire.shows("Two.")


def test_a_session_is_resumed_by_every_kind_of_hint(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    first = lab.until(IDLE)
    lab.coop.process.terminate()
    lab.coop.wait()
    for hint in (first["session_id"], first["transcript_path"], str(lab.workspace), lab.workspace.name):
        again = start_lab(options=("--resume", hint)).ready()
        again.tell("which word?", say("Heron."))
        again.until(IDLE)
        assert "remember the word heron" in json.dumps(again.api.main_requests[-1].body)
        assert again.state()["session_id"] == first["session_id"]
        again.coop.process.terminate()
        again.coop.wait()


def test_a_session_of_another_folder_is_resumed_or_it_is_said_where_it_can_be(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    session = lab.until(IDLE)["session_id"]
    lab.coop.process.terminate()
    lab.coop.wait()
    other = lab.place.also_trusting(tmp_path / "other")
    again = start_lab(options=("--resume", session, "--keep-alive"), place=other)
    assert again.until_any(IDLE, "exited") == ("exited" if lab.version == "2.1.197" else IDLE)
    assert any(f"was begun in {lab.workspace};" in line for line in again.coop.stderr)


def test_a_fork_has_an_id_of_its_own(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("remember the word heron", say("Noted."))
    first = lab.until(IDLE)["session_id"]
    lab.coop.process.terminate()
    lab.coop.wait()
    fork = start_lab("--fork-session", options=("--resume", first)).ready()
    eventually(lambda: (seen := fork.state())["transcript_path"] is None or seen["session_id"] in seen["transcript_path"])
    fork.tell("which word?", say("Heron."))
    fork.until(IDLE)
    assert "remember the word heron" in json.dumps(fork.api.main_requests[-1].body)
    eventually(lambda: fork.state()["session_id"] not in (None, first))


def test_a_printed_stream_is_read(start_lab: StartLab) -> None:
    arguments = ("-p", "say hi", "--output-format", "stream-json", "--verbose")
    lab = start_lab(*arguments, options=("--keep-alive", "--cols", "200", "--rows", "50"))
    lab.until("exited")
    state = lab.state()
    assert state["last_message"] == "Nothing more is scripted."
    eventually(lambda: "working" in lab.states())
    assert {"working", "exited"} <= set(lab.states())


def test_what_coop_holds_explains_itself(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    three = {"hooks", "status_file", "screen"}
    eventually(lambda: {word["said"] for word in lab.explain()["tiers"] if word["tier"] in three} == {IDLE})
    told = lab.explain()
    assert told["state"] == lab.state()["state"]
    assert told["rule"]
    assert told["until"]


def test_an_editor_over_an_idle_agent_is_no_idleness(start_lab: StartLab, tmp_path: Path) -> None:
    """Ctrl-G gives the screen to the user's own editor; here, one that waits until it is told to leave."""
    leave, editor = tmp_path / "leave", tmp_path / "editor"
    waits = f"until [ -e {leave} ]; do sleep 0.05; done"
    editor.write_text(f"#!/bin/sh\nprintf '\\033[?1049h\\033[2J\\033[HEDITING'\n{waits}\nprintf '\\033[?1049l'\n")
    editor.chmod(0o755)
    lab = start_lab(env={"EDITOR": str(editor), "VISUAL": str(editor)}).ready()
    lab.press("Ctrl-G")
    lab.wire.shows("EDITING")
    lab.until("alt_screen")
    assert lab.refusal("not now") == "AGENT_BUSY"
    leave.touch()
    lab.until(IDLE)
    assert lab.tell("now", say("Now."))["delivered"]
