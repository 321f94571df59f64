"""An agent that wants to stop: gated by us, held by a hook of the user's own, or let go."""

import json
import sys

import pytest

from coop.testing import eventually
from coop.testing.anthropic import say, use
from tests.live.claude.conftest import IDLE, Lab, StartLab

COMPLETE = f"{sys.executable} -m coop.cli.main send '{json.dumps({'kind': 'complete'})}'"


def gate(lab: Lab, **config: object) -> None:
    reply = lab.wire.request("PUT", "/api/v1/config/stop", json={"mode": "gate", **config})
    assert reply.status_code == 200, reply.text


def test_a_gated_agent_goes_on_until_it_says_that_it_is_done(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    gate(lab, reason="Not yet: say complete first.")
    done = use("Bash", command=COMPLETE, description="Say that it is done")
    lab.tell("work", say("I stop here."), done, say("Now I am done."))
    lab.asked("permission_prompt")
    assert IDLE not in lab.states()[1:], "a blocked stop shows as idle"
    assert "Not yet: say complete first." in lab.prompts_received()[1]
    lab.respond(accept=True)
    lab.until(IDLE)
    results = [event["result"] for event in lab.events if event["type"] == "stop"]
    assert results == ["blocked", "resolved"]
    assert lab.states().count(IDLE) == 2


def test_a_gate_is_opened_from_outside(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    gate(lab)
    lab.api.otherwise = say("Still here.", delay=0.2)
    lab.tell("work")
    eventually(lambda: len(lab.api.main_requests) >= 3)
    lab.wire.post("/api/v1/stop/resolve", {"kind": "complete"})
    lab.until(IDLE)
    assert lab.states() == [IDLE, "working", IDLE] or lab.states().count(IDLE) == 2


def test_an_endless_gate_has_a_valve_and_tells(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    gate(lab, most_blocks=3)
    lab.tell("work")
    lab.until(IDLE)
    results = [event["result"] for event in lab.events if event["type"] == "stop"]
    assert results == ["blocked", "blocked", "blocked", "safety_valve"]
    assert len(lab.api.main_requests) == 4


@pytest.mark.parametrize("blocks", [True, False])
def test_a_users_own_slow_stop_hook_is_waited_for(start_lab: StartLab, *, blocks: bool) -> None:
    """Ours has long been answered when theirs decides."""
    script = "if [ -f once ]; then exit 0; fi; touch once; sleep 1.5; "
    script += """echo '{"decision":"block","reason":"keep going please"}'""" if blocks else "exit 0"
    hooks = {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": script, "timeout": 20}]}]}
    lab = start_lab("--settings", json.dumps({"hooks": hooks})).ready()
    lab.tell("work", say("I stop here."), say("I went on."))
    lab.until(IDLE)
    assert len(lab.api.main_requests) == (2 if blocks else 1)
    assert (lab.workspace / "once").exists()
    assert lab.states() == [IDLE, "working", IDLE]


def test_the_agent_cannot_approve_itself(start_lab: StartLab) -> None:
    """Through whatever coop gave it: the socket, the hooks' door and its token."""
    lab = start_lab().ready()
    attempts = (
        'echo "$COOP_URL $COOP_SOCKET ${COOP_AUTH_TOKEN:-none}" > given',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/agent/respond -d "{\\"accept\\":true}" > by-socket',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/input -d "{\\"text\\":\\"1\\"}" >> by-socket',
        'curl -s -m 5 -H "Authorization: Bearer $COOP_HOOK_TOKEN" -X POST "$COOP_URL/api/v1/agent/respond" '
        '-d "{\\"accept\\":true}" > by-hooks',
        "touch tried",
    )
    background = f"({'; '.join(attempts)}) &"
    lab.tell("be sly", use("Bash", command=f"sleep 2; {background}", description="x"), say("Next."))
    lab.asked("permission_prompt")
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("now ask", use("Bash", command="touch made-by-claude; sleep 0.1", description="x"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    eventually((lab.workspace / "tried").exists, within=15)
    assert lab.state()["state"] == "permission_prompt"
    assert not (lab.workspace / "made-by-claude").exists()
    assert (lab.workspace / "by-socket").read_text().count("SELF_ANSWER") == 2
    assert "NOT_FOUND" in (lab.workspace / "by-hooks").read_text()
    assert "none" in (lab.workspace / "given").read_text()
