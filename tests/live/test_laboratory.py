"""The laboratory itself: the real agent runs, offline, and what it does can be seen from outside."""

import os
import socket

import pytest

from coop.testing.anthropic import say, use
from coop.testing.isolated import INSIDE
from tests.live.conftest import StartLab

READY = "shortcuts"


def test_nothing_can_leave_the_machine() -> None:
    if os.environ.get(INSIDE) != "1":
        pytest.skip("run by hand: `make live` runs this in a network namespace")
    with pytest.raises(OSError, match="unreachable"):
        socket.create_connection(("192.0.2.1", 443), timeout=2)


def test_a_text_turn(start_lab: StartLab) -> None:
    lab = start_lab()
    lab.api.script(say("Hello from the **pretend** model."))
    lab.wire.shows(READY)
    lab.prompt("say hello please")
    lab.wire.shows("Hello from the pretend model.")
    (request,) = lab.api.main_requests
    assert "say hello please" in request.last_user_text()


def test_a_command_runs_only_when_it_is_permitted(start_lab: StartLab) -> None:
    lab = start_lab()
    lab.api.script(use("Bash", command="touch made-by-claude", description="Make a file"), say("It is there."))
    lab.wire.shows(READY)
    lab.prompt("make the file")
    lab.wire.shows("Do you want to proceed?")
    made = lab.place.workspace / "made-by-claude"
    assert not made.exists()
    lab.press_until("1", made.exists)
    lab.wire.shows("It is there.")
    assert [result.get("is_error") for result in lab.api.main_requests[-1].tool_results()] in ([False], [None])
