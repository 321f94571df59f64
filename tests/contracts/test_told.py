"""Seed 001's agent endpoints and the rows of its table that need an agent that can be told: over TCP and the Unix socket."""

import sys
from collections.abc import Generator
from importlib.resources import files
from typing import Any

import pytest

from coop.testing import eventually, running_coop
from tests.support.wire import Transport, Wire

CONFIG = str(files("coop_sim") / "agent.toml")


@pytest.fixture(params=["tcp", "unix"])
def agent(request: pytest.FixtureRequest) -> Generator[Wire]:
    transport: Transport = request.param
    with running_coop("--agent-config", CONFIG, command=(sys.executable, "-m", "coop_sim")) as coop:
        wire = Wire(coop, transport)
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> None:
    eventually(lambda: wire.get("/api/v1/agent/state")["state"] == state, what=state)


def refusal(wire: Wire, path: str, body: object) -> tuple[int, dict[str, Any]]:
    response = wire.request("POST", path, json=body)
    return response.status_code, response.json()


def test_nudge(agent: Wire) -> None:
    reply = agent.post("/api/v1/agent/nudge", {"message": "tidy up"})
    receipt = reply.pop("receipt")
    assert reply == {"delivered": True, "state_before": "waiting_for_input"}
    assert receipt == {"id": "r1", "progress": "confirmed", "message": "tidy up"}
    assert agent.get("/api/v1/receipts/r1") == receipt
    agent.shows("You said “tidy up”")


def test_error_agent_busy(agent: Wire) -> None:
    agent.post("/api/v1/agent/nudge", {"message": "tidy up"})
    status, body = refusal(agent, "/api/v1/agent/nudge", {"message": "and more"})
    assert status == 409
    assert (body["delivered"], body["reason"], body["state"]) == (False, "agent_busy", "working")
    assert body["error"]["code"] == "AGENT_BUSY"
    with agent.stream("?mode=raw") as stream:
        stream.say(type="nudge", message="and more", request_id=4)
        error = stream.until("error")
    assert (error["code"], error["request_id"]) == ("AGENT_BUSY", 4)


def test_respond(agent: Wire) -> None:
    agent.post("/api/v1/agent/nudge", {"message": "ask"})
    becomes(agent, "ask_user")
    reply = agent.post("/api/v1/agent/respond", {"option": 2})
    expected = {
        "delivered": True,
        "prompt_type": "question",
        "prompt_id": reply["prompt_id"],
        "via": "keys",
        "effect": "answered",
    }
    assert reply == expected
    agent.shows("SQLite it is.")


def test_error_no_prompt(agent: Wire) -> None:
    status, body = refusal(agent, "/api/v1/agent/respond", {"option": 1})
    assert status == 409
    assert (body["delivered"], body["reason"], body["state"]) == (False, "no_prompt", "waiting_for_input")
    assert body["error"]["code"] == "NO_PROMPT"
    with agent.stream("?mode=raw") as stream:
        stream.say(type="respond", option=1)
        assert stream.until("error")["code"] == "NO_PROMPT"


def test_an_answer_that_does_not_fit_is_a_bad_request(agent: Wire) -> None:
    agent.post("/api/v1/agent/nudge", {"message": "ask"})
    becomes(agent, "ask_user")
    assert agent.error("POST", "/api/v1/agent/respond", json={"option": 9}) == (400, "BAD_REQUEST")
    assert agent.error("POST", "/api/v1/agent/respond", json={"accept": True}) == (400, "BAD_REQUEST")


def test_ws_nudge_and_respond(agent: Wire) -> None:
    with agent.stream("?mode=state") as stream:
        stream.say(type="nudge", message="ask", request_id=1)
        told = stream.until("nudge_result")
        assert told.pop("receipt")["progress"] == "confirmed"
        assert told == {"type": "nudge_result", "delivered": True, "state_before": "waiting_for_input", "request_id": 1}
        asked = stream.until("state_change", lambda change: change["next"] == "ask_user")
        assert asked["prompt"]["options"] == ["PostgreSQL", "SQLite", "A text file"]
        stream.say(type="respond", option=3, request_id=2)
        assert stream.until("respond_result")["prompt_type"] == "question"
    agent.shows("A text file it is.")


def test_ws_tells_of_what_was_not_proven_as_http_does_and_keeps_nobody_waiting(agent: Wire) -> None:
    """A message to a program that is stopped cannot be proven; a ping meanwhile is answered at once."""
    agent.post("/api/v1/signal", {"signal": "STOP"})
    with agent.stream("?mode=raw") as stream:
        stream.say(type="nudge", message="tidy up", wait=1, request_id=1)
        stream.say(type="ping", request_id=2)
        first = stream.until("pong")
        error = stream.until("error")
    agent.post("/api/v1/signal", {"signal": "CONT"})
    assert first["request_id"] == 2
    assert (error["code"], error["reason"], error["request_id"]) == ("UNVERIFIED", "unverified", 1)
    receipt = agent.get(f"/api/v1/receipts/{error['receipt']['id']}")
    assert receipt["message"] == error["receipt"]["message"] == "tidy up"
