"""The end of a session, asked for by its API."""

import subprocess
import sys
import time

import pytest

from coop.client import SessionEnded, ShutdownStarted, blocking
from coop.errors import SelfAnswer
from coop.testing import eventually, running_coop
from tests.support.wire import Transport, Wire

STUBBORN = ("sh", "-c", "trap '' HUP; echo ready; while :; do sleep 0.1; done")


@pytest.mark.parametrize("transport", ["tcp", "unix"])
def test_coop_ends_as_by_a_signal_and_tells_whoever_looks(transport: Transport) -> None:
    with running_coop(command=("cat",)) as coop, Wire(coop, transport).stream("?mode=state") as stream:
        stream.until("state")
        assert Wire(coop, transport).post("/api/v1/shutdown", {}) == {"grace_secs": 10.0}
        assert stream.until("shutdown")["grace_secs"] == 10.0
        assert stream.until("exit") == {"type": "exit", "code": None, "signal": 1}
        assert coop.wait() == 129


def test_a_stubborn_child_is_killed_at_once_when_that_is_asked_for() -> None:
    with running_coop(command=STUBBORN) as coop:
        Wire(coop, "tcp").shows("ready")
        began = time.monotonic()
        with blocking.connect(f"unix:{coop.socket}") as session:
            assert session.shut_down(grace=0.0) == 0.0
        assert coop.wait() == 137
        assert time.monotonic() - began < 9


def test_whoever_has_asked_for_the_end_may_lose_patience() -> None:
    """Only who is connected already can: nobody new is let in."""
    with running_coop(command=STUBBORN) as coop, Wire(coop, "tcp").client() as client:
        Wire(coop, "tcp").shows("ready")
        began = time.monotonic()
        for grace in (10.0, 0.0):
            assert client.post("/api/v1/shutdown", json={"grace_secs": grace}).json() == {"grace_secs": grace}
        assert coop.wait() == 137
        assert time.monotonic() - began < 9


def test_the_session_of_a_child_that_is_gone_can_be_ended_too() -> None:
    with running_coop("--keep-alive", command=("sh", "-c", "exit 3")) as coop:
        wire = Wire(coop, "unix")
        eventually(lambda: wire.get("/api/v1/status")["state"] == "exited")
        wire.post("/api/v1/shutdown", {})
        assert coop.wait() == 3


def test_the_sdk_sees_the_end_it_has_asked_for() -> None:
    with running_coop(command=("cat",)) as coop, blocking.connect(coop.url) as session:
        events = session.events()
        next(events)
        session.shut_down()
        facts = [getattr(item, "fact", None) for item in events]
        assert any(isinstance(fact, ShutdownStarted) for fact in facts)
        assert isinstance(facts[-1], SessionEnded)


@pytest.mark.parametrize("body", [{"grace_secs": -1}, {"grace_secs": 11}, {"grace": 1}, []])
def test_what_is_wrong_ends_nothing(body: object) -> None:
    with running_coop(command=("cat",)) as coop:
        wire = Wire(coop, "tcp")
        assert wire.error("POST", "/api/v1/shutdown", json=body) == (400, "BAD_REQUEST")
        assert wire.get("/api/v1/health")["status"] == "running"


ASK = (
    "from coop.client import blocking; import os\n"
    "with blocking.connect('unix:' + os.environ['COOP_SOCKET']) as session: session.shut_down()"
)


def test_the_sessions_own_processes_may_not_end_it() -> None:
    with running_coop(command=("bash", "--norc")) as coop:
        environment = {"COOP_SOCKET": coop.socket, "PATH": "/usr/bin:/bin"}  # as every descendant of the child has it
        done = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=False)
        assert SelfAnswer.__name__ in done.stderr
        assert "may not end it" in done.stderr
        assert Wire(coop, "tcp").get("/api/v1/health")["status"] == "running"
