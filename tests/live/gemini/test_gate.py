"""An agent that wants to stop: gated by us where its hooks run, and what an agent can do with what coop gave it."""

import json
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from coop.session.disk import RealDisk
from coop.testing import eventually
from coop.testing.google import Fail, say, use
from tests.live.gemini.conftest import HOOKED, IDLE, Lab, StartLab

COMPLETE = f"{sys.executable} -m coop.cli.main send '{json.dumps({'kind': 'complete'})}'"


def gate(lab: Lab, **config: object) -> int:
    return lab.wire.request("PUT", "/api/v1/config/stop", json={"mode": "gate", **config}).status_code


def stops(lab: Lab) -> list[str]:
    return [event["result"] for event in lab.events if event["type"] == "stop"]


def test_a_gated_agent_goes_on_until_it_may_stop(start_lab: StartLab) -> None:
    lab = start_lab(hooked=True).ready()
    assert gate(lab, reason="Not yet: say complete first.") == 200
    done = use("run_shell_command", command=COMPLETE, description="Say that it is done")
    lab.tell("work", say("I stop here."), done, say("Now I am done."))
    lab.asked("permission_prompt", drawn=True)
    assert IDLE not in lab.states()[1:], "a blocked stop shows as idle"
    assert "Not yet: say complete first." in lab.api.main_requests[1].last_user_text()
    lab.respond(accept=True)
    lab.until(IDLE)
    assert stops(lab) == ["blocked", "resolved"]

    lab.events.clear()
    lab.api.otherwise = say("Still here.", delay=0.2)
    before = len(lab.api.main_requests)
    lab.tell("work again")
    eventually(lambda: len(lab.api.main_requests) >= before + 3)
    lab.wire.post("/api/v1/stop/resolve", {"kind": "complete"})
    lab.until(IDLE)
    assert lab.states().count(IDLE) == 1  # at the very end

    lab.events.clear()
    gate(lab, most_blocks=3)
    lab.tell("without an end")
    lab.until(IDLE)
    assert stops(lab) == ["blocked", "blocked", "blocked", "safety_valve"]

    lab.events.clear()
    lab.tell("fail", Fail(401, message="no"))
    lab.until("error")
    assert stops(lab) == []  # nobody is sent back for an error


def test_another_run_that_a_tool_starts_is_not_gated_and_not_taken_for_it(start_lab: StartLab, gemini: tuple[str, ...]) -> None:
    lab = start_lab("-y", hooked=True).ready()
    before = lab.state()["session_id"]
    gate(lab, reason="Not yet.", most_blocks=1)
    another = use("run_shell_command", command=f"{shlex.join(gemini)} -p nested </dev/null >said", description="Start another")
    lab.tell("work", another, say("Said by another."), say("I stop here."), say("I stop for good."))
    lab.until(IDLE, within=60)
    assert lab.made("said").read_text().strip() == "Said by another."
    assert stops(lab) == ["blocked", "safety_valve"]
    assert lab.state()["session_id"] == before


def test_without_hooks_a_gate_is_refused(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("work", say("I stop here."))
    lab.until(IDLE)
    reply = lab.wire.request("PUT", "/api/v1/config/stop", json={"mode": "gate"})
    assert reply.json()["error"]["code"] == "NO_DRIVER"
    assert lab.wire.get("/api/v1/config/stop")["mode"] == "allow"


def test_hooks_of_the_users_own_run_and_their_settings_are_not_touched(start_lab: StartLab) -> None:
    lab = start_lab(hooked=True)
    lab.ready()
    theirs = {"hooks": [{"type": "command", "name": "mine", "command": "touch mine-ran", "timeout": 3000}]}
    lab.coop.process.terminate()
    lab.coop.wait()
    settings = json.loads(lab.place.settings.read_text())
    settings["hooks"] = {**HOOKED, "BeforeAgent": [theirs, *HOOKED["BeforeAgent"]]}
    lab.place.settings.write_text(json.dumps(settings))
    before = lab.place.settings.read_bytes()
    again = start_lab(place=lab.place).ready()
    assert again.tell("hello", say("Hello."))["receipt"]["evidence"] == "hooks"
    again.until(IDLE)
    assert again.made("mine-ran").exists()
    assert lab.place.settings.read_bytes() == before


def test_the_agent_cannot_approve_itself(start_lab: StartLab) -> None:
    """Through whatever coop gave it: the socket, the hooks' door and its token."""
    lab = start_lab(hooked=True).ready()
    attempts = (
        'echo "$COOP_URL $COOP_SOCKET ${COOP_AUTH_TOKEN:-none}" > given',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/agent/respond -d "{\\"accept\\":true}" > by-socket',
        'curl -s -m 5 --unix-socket "$COOP_SOCKET" -X POST localhost/api/v1/input -d "{\\"text\\":\\"1\\"}" >> by-socket',
        'curl -s -m 5 -H "Authorization: Bearer $COOP_HOOK_TOKEN" -X POST "$COOP_URL/api/v1/agent/respond" '
        '-d "{\\"accept\\":true}" > by-hooks',
        "touch tried",
    )
    script = lab.made("sly.sh")
    script.write_text("sleep 4\n" + "\n".join(attempts) + "\n")
    lab.tell(
        "be sly", use("run_shell_command", command="setsid sh sly.sh >/dev/null 2>&1 & sleep 1", description="x"), say("Next.")
    )
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=True)
    lab.until(IDLE)
    lab.tell("now ask", use("run_shell_command", command="touch unasked", description="x"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    eventually(lab.made("tried").exists, within=40)
    assert lab.state()["state"] == "permission_prompt"
    assert not lab.made("unasked").exists()
    assert lab.made("by-socket").read_text().count("SELF_ANSWER") == 2
    assert "NOT_FOUND" in lab.made("by-hooks").read_text()
    assert "none" in lab.made("given").read_text()


def test_root_in_a_folder_of_its_own_needs_no_settings_for_hooks(start_lab: StartLab) -> None:
    """The layer that coop names is read by Gemini exactly where coop says that it will be."""
    with TemporaryDirectory(dir=Path.home(), prefix=".coop-test-") as folder:
        lab = start_lab(env={"XDG_RUNTIME_DIR": folder}).ready()
        by = lab.tell("hello", say("Hello."))["receipt"]["evidence"]
        lab.until(IDLE)
        assert by == ("hooks" if RealDisk().is_roots_alone(folder) else "session_log")
        assert "Security Warning" not in lab.wire.text()
        lab.coop.process.terminate()
        lab.coop.wait()


def test_what_a_users_own_hook_blocks_is_not_delivered(start_lab: StartLab) -> None:
    lab = start_lab(hooked=True)
    lab.ready()
    lab.coop.process.terminate()
    lab.coop.wait()
    command = """case "$(cat)" in *secret*) echo '{"decision":"deny","reason":"not so"}';; esac"""
    theirs = {"hooks": [{"type": "command", "name": "mine", "command": command, "timeout": 3000}]}
    settings = json.loads(lab.place.settings.read_text())
    settings["hooks"] = {**HOOKED, "BeforeAgent": [*HOOKED["BeforeAgent"], theirs]}
    lab.place.settings.write_text(json.dumps(settings))
    again = start_lab(place=lab.place).ready()
    reply = again.wire.request("POST", "/api/v1/agent/nudge", json={"message": "a secret"}).json()
    receipt = f"/api/v1/receipts/{reply['receipt']['id']}"
    again.once(lambda: again.wire.get(receipt)["progress"] == "refused", what="that it is blocked")
    assert again.wire.get(receipt)["reason"] == "blocked"
    again.until(IDLE, within=5)
    assert again.tell("hello", say("Hello."))["receipt"]["progress"] == "confirmed"
