"""One contract for every way to speak to a coop."""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from coop.errors import CoopError
from coop.testing import CoopProcess, eventually, running_coop
from tests.support.clients import RECORDERS, WAYS, Client, Recorder, Seen, Way

ECHO = ("sh", "-c", "stty -echo; echo ready; exec cat")
AGENT = (sys.executable, "-m", "coop_sim")
CONFIG = str(files("coop_sim") / "agent.toml")


@pytest.fixture(params=WAYS, ids=lambda way: way.name)
def way(request: pytest.FixtureRequest) -> Way:
    found: Way = request.param
    return found


@contextmanager
def using(way: Way, *options: str, command: tuple[str, ...] = ECHO, token: str | None = None) -> Generator[Client]:
    with ExitStack() as stack:
        coop: CoopProcess = stack.enter_context(running_coop(*way.options, *options, command=command))
        yield stack.enter_context(way.open(coop, token))


@pytest.fixture
def client(way: Way) -> Generator[Client]:
    """A coop whose child answers every line with itself."""
    with using(way, "--cols", "80", "--rows", "24") as client:
        eventually(lambda: client.screen().lines[0] == "ready")
        yield client


@pytest.fixture
def agent(way: Way) -> Generator[Client]:
    """A coop with an agent that waits for input."""
    with using(way, "--agent-config", CONFIG, command=AGENT) as client:
        eventually(lambda: client.state() == "waiting_for_input")
        yield client


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(CoopError) as refused:
        call()
    assert refused.value.message
    return refused.value.code


def until(events: Iterator[Seen], *wanted: Seen) -> None:
    """They come, in that order."""
    for each in wanted:
        assert any(told == each for told in events), each


def test_health_and_status(client: Client) -> None:
    assert client.health() == ("running", "unknown", 80, 24)
    assert client.status() == ("running", None, None)


def test_what_is_typed_is_on_the_screen_and_in_the_output(client: Client) -> None:
    assert client.type("hällo", enter=True) == 7
    shown = eventually(lambda: (now := client.screen()).lines[1] == "hällo" and now)
    assert shown
    assert (shown.cols, shown.rows, shown.cursor, shown.alt_screen, len(shown.lines)) == (80, 24, (2, 0), False, 24)
    assert client.output(0) == "ready\r\nhällo\r\n".encode()
    assert client.output(7) == "hällo\r\n".encode()


def test_keys_are_pressed(client: Client) -> None:
    assert client.keys("o", "k", "Enter") == 3
    eventually(lambda: client.screen().lines[1] == "ok")
    assert refusal(lambda: client.keys("NoSuchKey")) == "BAD_REQUEST"


def test_a_resize_is_told(client: Client) -> None:
    with client.events() as events:
        assert next(events) == ("state", "unknown")
        client.resize(90, 20)
        assert next(events) == ("resize", (90, 20))
    assert client.health()[2:] == (90, 20)
    assert refusal(lambda: client.resize(0, 20)) == "BAD_REQUEST"


def test_the_stream_ends_with_the_child(client: Client) -> None:
    with client.events() as events:
        assert next(events) == ("state", "unknown")
        client.signal("SIGINT")
        assert list(events) == [("state", "exited"), ("exit", (None, 2))]


def test_without_a_driver_nothing_is_told(client: Client) -> None:
    assert client.state() == "unknown"
    assert refusal(lambda: client.nudge("x")) == "NO_DRIVER"
    assert refusal(lambda: client.respond({"accept": True})) == "NO_DRIVER"


def test_a_child_that_is_gone_is_read_and_not_typed_to(way: Way) -> None:
    with using(way, "--keep-alive", command=("sh", "-c", "echo bye; exit 3")) as client:
        eventually(lambda: client.status() == ("exited", 3, None))
        assert client.state() == "exited"
        assert client.screen().lines[0] == "bye"
        assert refusal(lambda: client.type("x", enter=False)) == "EXITED"


def test_a_token_is_needed(way: Way) -> None:
    def health(opened: AbstractContextManager[Client]) -> str:
        with opened as client:
            return client.health()[0]

    with running_coop(*way.options, command=ECHO, env={"COOP_AUTH_TOKEN": "secret"}) as coop:
        assert health(way.open(coop, "secret")) == "running"
        assert refusal(lambda: health(way.open(coop, "wrong"))) == "UNAUTHORIZED"
        assert refusal(lambda: health(way.open(coop, None))) == "UNAUTHORIZED"


def test_an_idle_agent_is_nudged_and_works(agent: Client) -> None:
    with agent.events() as events:
        assert next(events) == ("state", "waiting_for_input")
        assert agent.nudge("tidy up") == "confirmed"
        until(events, ("state", "working"), ("state", "waiting_for_input"))
    assert any("You said “tidy up”" in line for line in agent.screen().lines)


def test_it_is_said_when_an_agent_may_be_told(agent: Client) -> None:
    assert refusal(lambda: agent.nudge("x", when="interrupt")) == "BAD_REQUEST"  # its configuration has no key for that
    assert agent.nudge("tidy up", when="steer") == "confirmed"
    eventually(lambda: agent.state() == "waiting_for_input")
    assert agent.nudge("and once more", when="queue") == "confirmed"


def test_a_busy_agent_is_not_nudged(agent: Client) -> None:
    agent.nudge("something long")
    assert refusal(lambda: agent.nudge("and more")) == "AGENT_BUSY"


def test_what_an_agent_asks_is_answered(agent: Client) -> None:
    assert refusal(lambda: agent.respond({"option": 1})) == "NO_PROMPT"
    agent.nudge("ask")
    asked = eventually(agent.prompt)
    assert asked is not None
    assert (asked.type, asked.text) == ("question", "Which database should we use?")
    assert asked.options == ("PostgreSQL", "SQLite", "A text file")
    assert refusal(lambda: agent.respond({"option": 2, "prompt_id": "another"})) == "PROMPT_CHANGED"
    assert refusal(lambda: agent.respond({"option": 9})) == "BAD_REQUEST"
    assert agent.respond({"option": 2, "prompt_id": asked.id}) == "question"
    eventually(lambda: any("SQLite it is." in line for line in agent.screen().lines))
    assert agent.prompt() is None


@pytest.mark.parametrize("way", RECORDERS, ids=lambda way: way.name)
def test_a_session_is_written_down_for_as_long_as_it_is_asked_for(way: Way, tmp_path: Path) -> None:
    with using(way, "--record", f"{tmp_path}/kept.coop.jsonl") as client:
        assert isinstance(client, Recorder)
        first = str(tmp_path / "kept.coop.jsonl")
        assert client.recording() == (True, first)
        assert client.record(on=False) == (False, first)
        again, second = client.record(on=True)
        assert (again, client.recording()) == (True, (True, second))
        assert second not in (None, first)
