"""An agent that wants to stop: gated by us, held by a hook of the user's own, or let go. And whose hooks run."""

import json
import sys
from pathlib import Path

import pytest

from coop.testing import eventually
from coop.testing.codex import seeded_home
from coop.testing.openai import FakeOpenAI, say
from tests.live.codex.conftest import IDLE, Lab, StartLab, shell

COMPLETE = f"{sys.executable} -m coop.cli.main send '{json.dumps({'kind': 'complete'})}'"


def gate(lab: Lab, **config: object) -> None:
    reply = lab.wire.request("PUT", "/api/v1/config/stop", json={"mode": "gate", **config})
    assert reply.status_code == 200, reply.text


def test_a_gated_agent_goes_on_until_it_says_that_it_is_done(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    gate(lab, reason="Not yet: say complete first.")
    lab.tell("work", say("I stop here."), shell(COMPLETE), say("Now I am done."))
    lab.asked("permission_prompt")
    assert IDLE not in lab.states()[1:], "a blocked stop shows as idle"
    assert "Not yet: say complete first." in lab.prompts_received()[1]
    lab.respond(accept=True)
    lab.until(IDLE)
    results = [event["result"] for event in lab.events if event["type"] == "stop"]
    assert results == ["blocked", "resolved"]
    assert lab.states().count(IDLE) == 2


def test_a_gate_is_opened_from_outside_and_has_a_valve(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    gate(lab)
    lab.api.otherwise = say("Still here.", delay=0.2)
    lab.tell("work")
    eventually(lambda: len(lab.api.main_requests) >= 3)
    lab.wire.post("/api/v1/stop/resolve", {"kind": "complete"})
    lab.until(IDLE)
    gate(lab, most_blocks=3)
    before = len(lab.api.main_requests)
    lab.tell("work on")
    lab.until(IDLE)
    results = [event["result"] for event in lab.events if event["type"] == "stop"]
    assert results[-4:] == ["blocked", "blocked", "blocked", "safety_valve"]
    assert len(lab.api.main_requests) == before + 4


def stop_hook(command: str) -> str:
    return f'\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = {json.dumps(command)}\n'


@pytest.mark.parametrize("blocks", [True, False])
def test_a_users_own_slow_stop_hook_is_waited_for(
    start_lab: StartLab, api: FakeOpenAI, tmp_path: Path, *, blocks: bool
) -> None:
    """It runs beside ours once the user has trusted it; ours has long been answered when theirs decides."""
    script = "if [ -f once ]; then exit 0; fi; touch once; sleep 1.5; "
    script += """echo '{"decision":"block","reason":"keep going please"}'""" if blocks else "exit 0"
    lab = start_lab(place=seeded_home(tmp_path, api.url, more=stop_hook(script)))
    prompt = lab.asked("setup_prompt")
    assert prompt["subtype"] == "hooks"
    assert any("1 hook is new" in line for line in prompt["screen_lines"]), "ours need no review, theirs does"
    lab.respond(option=prompt["options"].index("Trust all and continue") + 1)
    lab.until(IDLE)
    lab.tell("work", say("I stop here."), say("I went on."))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == (2 if blocks else 1)
    assert (lab.workspace / "once").exists()
    assert lab.states()[-2:] == ["working", IDLE]
    assert lab.explain()["hook_records"] >= 3


def deciding_hook(event: str, about: str, answer: object) -> str:
    """Of the user's own: has something to say of what it is told with that word in it."""
    command = f"""case "$(cat)" in *{about}*) echo '{json.dumps(answer)}';; esac"""
    return f'\n[[hooks.{event}]]\n[[hooks.{event}.hooks]]\ntype = "command"\ncommand = {json.dumps(command)}\n'


def decided(decision: object) -> object:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def test_what_a_users_own_hook_decides_is_asked_no_more(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    more = deciding_hook("PermissionRequest", "alpha", decided({"behavior": "allow"}))
    more += deciding_hook("PermissionRequest", "gamma", decided({"behavior": "deny", "message": "no"}))
    lab = start_lab(place=seeded_home(tmp_path, api.url, more=more))
    prompt = lab.asked("setup_prompt")
    lab.respond(option=prompt["options"].index("Trust all and continue") + 1)
    lab.until(IDLE)
    lab.tell("go", shell("touch alpha"), shell("touch gamma"), shell("touch beta"), say("Done."))
    asked = lab.asked("permission_prompt", drawn=True)
    assert asked["input"]["command"] == "touch beta"
    assert [each["id"] for each in lab.state()["prompts"]] == [asked["id"]]
    before = len(lab.answers_told())
    lab.respond(accept=True)
    lab.until(IDLE)
    assert lab.answers_told()[before:] == [("api", "accepted")]
    assert [(lab.workspace / name).exists() for name in ("alpha", "gamma", "beta")] == [True, False, True]


def test_what_a_users_own_hook_blocks_is_not_delivered(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    more = deciding_hook("UserPromptSubmit", "secret", {"decision": "block", "reason": "not so"})
    lab = start_lab(place=seeded_home(tmp_path, api.url, more=more))
    prompt = lab.asked("setup_prompt")
    lab.respond(option=prompt["options"].index("Trust all and continue") + 1)
    lab.until(IDLE)
    for message, became in (("hello", "confirmed"), ("a secret", "refused"), ("hello again", "confirmed")):
        reply = lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": message}).json()
        receipt = f"/api/v1/receipts/{reply['receipt']['id']}"
        eventually(lambda: lab.wire.get(receipt)["progress"] == became, what=became)  # noqa: B023 - called at once
        lab.until(IDLE)
        assert lab.wire.get(receipt)["progress"] == became
    assert lab.prompts_received() == ["hello", "hello again"]


def test_hooks_that_nobody_trusted_do_not_run_but_ours_do(start_lab: StartLab, api: FakeOpenAI, tmp_path: Path) -> None:
    """Neither a project's, which may be hostile, nor the user's; and nothing of ours is left in their files."""
    place = seeded_home(tmp_path, api.url, more=stop_hook("touch users"))
    (place.workspace / ".git").mkdir()
    (place.workspace / ".codex").mkdir()
    (place.workspace / ".codex/config.toml").write_text(stop_hook("touch hostile"))
    lab = start_lab(place=place)
    assert any("2 hooks are new" in line for line in lab.asked("setup_prompt")["screen_lines"])
    lab.respond(accept=True)
    lab.until(IDLE)
    gate(lab, most_blocks=1)
    lab.tell("work", say("I stop here."), say("I went on."))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == 2
    assert not (lab.workspace / "users").exists()
    assert not (lab.workspace / "hostile").exists()
    kept = place.config.read_text()
    assert "trusted_hash" not in kept
    assert "hook.py" not in kept


def test_without_our_hooks_it_is_known_all_the_same(start_lab: StartLab) -> None:
    """By its reports, its log and its screen; and `explain` says why."""
    lab = start_lab("-c", "hooks.Stop=[]").ready()
    (hooks,) = (word for word in lab.explain()["tiers"] if word["tier"] == "hooks")
    assert "hooks of its own" in hooks["unavailable"]
    assert lab.tell("say it", say("Said."))["receipt"]["evidence"] == "session_log"
    lab.until(IDLE)
    lab.tell("make it", shell("touch made-by-codex"), say("Done."))
    prompt = lab.asked("permission_prompt", drawn=True)
    assert prompt["tool"] == "Bash"
    eventually(lambda: ((lab.state()["prompt"] or {}).get("input") or {}).get("command") == "touch made-by-codex")
    lab.respond(accept=True)
    lab.until(IDLE)
    assert (lab.workspace / "made-by-codex").exists()
    assert lab.state()["session_id"]
    assert lab.explain()["hook_records"] == 0


def test_the_agent_cannot_approve_itself(start_lab: StartLab) -> None:
    """Through whatever coop gave it: the socket, the hooks' door and its token."""
    lab = start_lab().ready()
    attempts = (
        'echo "$COOP_URL $COOP_SOCKET ${COOP_AUTH_TOKEN:-none}" > given',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/agent/respond -d "{\\"accept\\":true}" > by-socket',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/input -d "{\\"text\\":\\"y\\"}" >> by-socket',
        'curl -s -m 5 -H "Authorization: Bearer $COOP_HOOK_TOKEN" -X POST "$COOP_URL/api/v1/agent/respond" '
        '-d "{\\"accept\\":true}" > by-hooks',
        "touch tried",
    )
    lab.tell("be sly", shell(f"sleep 5; {'; '.join(attempts)}", goes_on=True), say("Next."))
    lab.asked("permission_prompt")
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("now ask", shell("touch made-by-codex"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    eventually((lab.workspace / "tried").exists, within=15)
    assert lab.state()["state"] == "permission_prompt"
    assert not (lab.workspace / "made-by-codex").exists()
    assert (lab.workspace / "by-socket").read_text().count("SELF_ANSWER") == 2
    assert "NOT_FOUND" in (lab.workspace / "by-hooks").read_text()
    assert "none" in (lab.workspace / "given").read_text()
