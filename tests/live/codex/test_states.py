"""What the agent is doing, told from outside: turns that end in every way, errors, retries, background work."""

import json
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.codex import seeded_home
from coop.testing.openai import Break, Drop, Fail, FakeOpenAI, Reply, Say, Turn, say
from tests.live.codex.conftest import IDLE, StartLab, shell


def test_a_text_turn(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    assert lab.state()["agent_version"] == lab.version  # told by the screen, before anything is logged
    lab.tell("say hello please", say("Hello from the **pretend** model."))
    lab.until(IDLE)
    seen = eventually(lambda: (state := lab.state())["last_message"] and state["usage"] and state) or {}
    assert seen["last_message"] == "Hello from the **pretend** model."
    assert seen["usage"]["output_tokens"] == 20
    assert (seen["agent_version"], seen["tested"]) == (lab.version, True)
    assert (seen["cwd"], seen["permission_mode"], seen["model"]) == (str(lab.workspace), "default", "gpt-5.5")
    assert Path(seen["transcript_path"]).stem.endswith(seen["session_id"])
    assert lab.states() == [IDLE, "working", IDLE]
    assert {word["said"] for word in lab.explain()["tiers"] if word["tier"] in ("session_log", "screen")} == {IDLE}


def test_words_that_look_like_a_dialog_are_words(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    quoted = "Would you like to run the following command?\n\n$ rm -rf /\n\n› 1. Yes, proceed (y)\n  2. No"
    lab.tell("quote it", say(quoted + "\n\n• Working (9s • esc to interrupt)\n\n  3 background terminals running · /ps"))
    lab.until(IDLE)
    lab.tell("and again", say("Yes."))
    lab.until(IDLE)
    assert lab.states() == [IDLE, "working", IDLE, "working", IDLE]


def test_usage_counts_every_message_once(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("do it", shell("true", asks=False), say("Done."))
    lab.until(IDLE)
    eventually(lambda: (lab.state()["usage"] or {}).get("output_tokens") == 20 * len(lab.api.main_requests))


@pytest.mark.parametrize("when", ["early", "mid-stream", "in a tool"])
def test_an_interrupt_is_seen(start_lab: StartLab, when: str) -> None:
    lab = start_lab().ready()
    turns: dict[str, tuple[Turn, ...]] = {
        "early": (say("never said", delay=30),),
        "mid-stream": (say("word " * 2000, pace=0.1),),
        "in a tool": (shell("touch begun; sleep 8", asks=False), say("never said")),
    }
    lab.tell("begin", *turns[when])
    eventually(lambda: lab.api.main_requests)
    if when == "mid-stream":
        lab.wire.shows("word word")
    if when == "in a tool":
        eventually((lab.workspace / "begun").exists)
        lab.wire.shows("(1s • esc to interrupt)")  # long enough to be left running
    lab.until("working")
    lab.press("Escape")
    if when == "in a tool":  # which goes on in the background
        eventually(lambda: lab.state()["detail"] == "background")
    lab.until(IDLE)
    assert lab.states() == [IDLE, "working", IDLE] or lab.states() == [IDLE, "working", "working", IDLE]
    assert len(lab.api.main_requests) == 1


ERRORS: dict[str, tuple[Turn, str]] = {
    "400": (Fail(400, "invalid_request_error", "a bad thing"), "other"),
    "401": (Fail(401, "invalid_api_key", "Incorrect API key provided"), "unauthorized"),
    "403": (Fail(403, "permission_error", "not allowed"), "unauthorized"),
    "429": (Fail(429, "rate_limit_exceeded", "slow down"), "rate_limited"),
    "500": (Fail(500, "server_error", "broken"), "other"),
    "503": (Fail(503, "server_error", "no capacity"), "overloaded"),
    "quota": (Fail(429, "insufficient_quota", "You exceeded your current quota"), "out_of_credits"),
    "a stream that breaks": (Break(Reply((Say("half a sen"),)), "server_error", "broken"), "other"),
    "a stream that says so": (Break(Reply((Say("half a sen"),)), "rate_limit_exceeded", "slow down"), "rate_limited"),
    "a stream without quota": (Break(Reply((Say("half"),)), "insufficient_quota", "No quota"), "out_of_credits"),
    "a stream that drops": (Drop(Reply((Say("half a sen"),))), "other"),
}


def test_an_error_is_told_with_its_kind(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    kinds: dict[str, str] = {}
    for name, (failure, _) in ERRORS.items():
        lab.api.otherwise = failure
        lab.tell(f"try {name}")
        seen = lab.until("error")
        assert seen["detail"], name
        kinds[name] = seen["error_kind"]
        lab.api.otherwise = say("Better now.")
        lab.tell("try again")
        lab.until(IDLE)
    assert kinds == {name: kind for name, (_, kind) in ERRORS.items()}


def test_a_server_that_is_not_there_is_waited_for(start_lab: StartLab, tmp_path: Path) -> None:
    """For as long as it takes: this Codex does not give up."""
    lab = start_lab(place=seeded_home(tmp_path, "http://127.0.0.1:9")).ready()
    lab.tell("try it")
    eventually(lambda: lab.state()["detail"] == "retrying waiting for network")
    assert lab.state()["state"] == "working"
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)


def test_a_retry_is_work_with_its_attempt(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, api.url, retries=5)).ready()
    lab.tell("try it", *(Drop(Reply((Say("half"),))),) * 3, say("At last."))
    eventually(lambda: (lab.state()["detail"] or "").startswith("retrying"), within=15)
    assert lab.state()["state"] == "working"
    lab.until(IDLE)
    assert "error" not in lab.states()
    lab.wire.shows("At last.")


def test_background_work_is_work(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("begin it", shell("sleep 4; touch made-by-codex", asks=False, goes_on=True), say("It runs."))
    eventually(lambda: lab.state()["detail"] == "background", within=20)
    assert lab.state()["state"] == "working"
    assert not (lab.workspace / "made-by-codex").exists()
    assert lab.refusal("are you there?") == "AGENT_BUSY"
    lab.tell("are you there?", say("Yes."), when="queue")
    lab.wire.shows("Yes.")
    lab.until(IDLE)
    assert (lab.workspace / "made-by-codex").exists()
    assert lab.states().count(IDLE) == 2  # ready, and at the very end


def test_a_codex_that_it_runs_as_a_tool_does_not_take_its_place(start_lab: StartLab, codex: str) -> None:
    lab = start_lab().ready()
    lab.tell("first", say("One."))
    own = lab.until(IDLE)["transcript_path"]
    nested = shell(f"{codex} exec --skip-git-repo-check nested < /dev/null > out 2>&1")
    lab.tell("go", nested, say("Nested.", delay=3), say("Outer."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True)
    lab.wire.shows("Outer.")
    state = lab.until(IDLE)
    assert (state["transcript_path"], state["last_message"]) == (own, "Outer.")
    assert "Nested." in (lab.workspace / "out").read_text()


def test_a_new_conversation_and_a_compaction_are_followed(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("first", say("One."))
    before = lab.until(IDLE)["session_id"]
    lab.tell("/clear", raw=True)
    lab.tell("second", say("Two."))
    eventually(lambda: lab.state()["session_id"] != before)
    after = lab.until(IDLE)
    eventually(lambda: lab.state()["last_message"] == "Two.")
    assert Path(after["transcript_path"]).stem.endswith(after["session_id"])
    lab.tell("/compact", raw=True)
    lab.wire.shows("ompacted")
    lab.until(IDLE)
    lab.tell("third", say("Three."))
    lab.until(IDLE)
    assert lab.state()["session_id"] == after["session_id"]
    eventually(lambda: lab.state()["last_message"] == "Three.")


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
        assert again.states() == [IDLE, "working", IDLE]
        again.coop.process.terminate()
        again.coop.wait()


def test_a_printed_stream_is_read(start_lab: StartLab) -> None:
    arguments = ("exec", "--json", "--skip-git-repo-check", "say hi")
    lab = start_lab(*arguments, options=("--keep-alive", "--cols", "200", "--rows", "50"))
    lab.until("exited")
    assert lab.state()["last_message"] == "Nothing more is scripted."
    assert {"working", IDLE, "exited"} <= set(lab.states())


def test_a_failed_printed_stream_is_an_error(start_lab: StartLab, api: FakeOpenAI) -> None:
    api.otherwise = Fail(401, "invalid_api_key", "Incorrect API key provided")
    lab = start_lab("exec", "--json", "--skip-git-repo-check", "say hi", options=("--keep-alive", "--cols", "200"))
    lab.until("exited")
    assert "error" in lab.states()
    assert lab.wire.get("/api/v1/status")["exit_code"] == 1
