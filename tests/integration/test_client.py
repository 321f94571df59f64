"""The SDK against real processes: what it starts it ends, what it cannot start it says."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path

import pytest

import coop
from coop import errors
from coop.client import CoopBackend, Event, Exited, ExitStatus, Idle, SessionEnded, Snapshot, StreamItem, blocking
from coop.testing import CoopProcess, eventually, running_coop

CONFIG = str(files("coop_sim") / "agent.toml")
AGENT = (sys.executable, "-m", "coop_sim")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.fixture
def agent() -> Generator[CoopProcess]:
    with running_coop("--agent-config", CONFIG, command=AGENT) as process:
        yield process


def test_what_is_started_is_ended_with_the_block(tmp_path: Path) -> None:
    async def run() -> int | None:
        async with coop.spawn(["cat"], name="mine", cwd=tmp_path) as session:
            assert session.address == f"unix:{tmp_path}/coop/mine.sock"
            return (await session.health()).pid

    pid = asyncio.run(run())
    assert pid is not None
    eventually(lambda: not is_alive(pid))
    assert not (tmp_path / "coop/mine.sock").exists()


def test_what_is_started_is_ended_when_the_block_fails() -> None:
    async def run() -> None:
        async with coop.spawn(["cat"]) as session:
            pids.append((await session.health()).pid or 0)
            raise ZeroDivisionError

    pids: list[int] = []
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())
    eventually(lambda: not is_alive(pids[0]))


def test_a_coop_that_is_slow_to_go_is_not_waited_for_when_we_are_told_to_hurry() -> None:
    async def run() -> None:
        async with asyncio.timeout(None) as hurry, coop.spawn(["sh", "-c", "trap '' HUP; echo stays; read x"]) as session:
            while "stays" not in await session.text():  # noqa: ASYNC110 - a screen announces nothing
                await asyncio.sleep(0.01)
            hurry.reschedule(asyncio.get_running_loop().time() + 0.5)

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert time.monotonic() - began < 8  # its child has 10 s to go by itself


def test_what_is_used_after_the_block_says_so() -> None:
    with blocking.spawn(["cat"], name="mine") as session, blocking.connect("mine") as other:
        assert other.health().name == "mine"
        events = other.events()
        assert isinstance(next(events), Snapshot)
    for use in (session.state, other.state, lambda: next(events)):
        with pytest.raises(errors.Unreachable, match="was closed with its `with` block"):
            use()


def test_a_child_that_ends_by_itself_is_told_with_its_code() -> None:
    async def run() -> list[StreamItem]:
        async with coop.spawn(["sh", "-c", "read x; exit 4"]) as session:
            stream = session.events()
            first = await anext(stream)
            await session.keys("Enter")
            return [first, *[item async for item in stream]]

    first, *_, last = asyncio.run(run())
    assert isinstance(first, Snapshot)
    assert isinstance(last, Event)
    assert last.fact == SessionEnded(ExitStatus(4))


def test_an_exit_is_waited_for() -> None:
    with blocking.spawn(["cat"]) as session:
        session.signal(signal.SIGTERM)
        assert session.wait_for(Exited, 10).status == ExitStatus(signal=signal.SIGTERM)
        eventually(lambda: session.status().exit == ExitStatus(signal=signal.SIGTERM))
        with pytest.raises(errors.Exited):
            session.type("too late")


@pytest.mark.parametrize(
    ("command", "agent", "kind", "says"),
    [
        ("no-such-program", "unknown", errors.LaunchFailed, "no-such-program"),
        ("cat", "nobody", errors.ConfigError, "no such agent here"),
    ],
)
def test_what_cannot_be_started_is_said(command: str, agent: str, kind: type[errors.CoopError], says: str) -> None:
    with pytest.raises(kind, match=says), blocking.spawn([command], agent=agent):
        pass


@pytest.mark.parametrize("options", [("--log-level", "error"), ("--log-format", "text")])
def test_how_coop_logs_does_not_matter(options: tuple[str, ...]) -> None:
    with blocking.spawn(["cat"], options=options) as session:
        assert session.health().status == "running"


def test_nor_does_what_the_environment_says_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COOP_LOG_LEVEL", "error")
    monkeypatch.setenv("COOP_LOG_FORMAT", "text")
    with blocking.spawn(["cat"]) as session:
        assert session.health().status == "running"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder, says in (("nope", "No such file"), ("file", "Not a directory")):
        refused = pytest.raises(errors.LaunchFailed, match=rf"{tmp_path}/{folder}: {says}")
        with refused, blocking.spawn(["cat"], cwd=tmp_path / folder):
            pass


def test_a_session_that_has_ended_and_is_kept_has_a_stream_that_ends() -> None:
    with running_coop("--keep-alive", command=("sh", "-c", "exit 3")) as process, blocking.connect(process.url) as session:
        eventually(lambda: session.status().state == "exited")
        (only,) = session.events()
    assert isinstance(only, Snapshot)
    assert only.state == Exited(ExitStatus(3))


def test_a_spawned_session_stays_with_us_whatever_is_set_for_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COOP_DETACH", "1")
    with blocking.spawn(["cat"]) as session:
        pid = session.health().pid
    assert pid is not None
    eventually(lambda: not is_alive(pid))


def test_a_token_of_a_spawned_session() -> None:
    options = ("--auth-token", "secret")
    with blocking.spawn(["cat"], options=options, token="secret") as session:
        assert session.health().status == "running"
    with pytest.raises(errors.Unauthorized), blocking.spawn(["cat"], options=options):
        pass


def test_the_five_methods_of_a_backend(agent: CoopProcess) -> None:
    with CoopBackend(agent.url) as backend:
        eventually(lambda: backend.agent_state().state == Idle())
        assert backend.has_session("alpha")
        backend.nudge_session("alpha", "hello")
        with pytest.raises(errors.AgentBusy):
            backend.nudge_session("alpha", "again")
        eventually(lambda: "You said “hello”" in backend.capture_pane("alpha", 50))
        assert len(backend.capture_pane("alpha", 2).split("\n")) == 2
        eventually(lambda: backend.agent_state().state == Idle())
        with pytest.raises(errors.NoPrompt):
            backend.respond_to_prompt(accept=True)


def test_a_backend_whose_session_is_gone_has_none() -> None:
    with CoopBackend("unix:/nowhere.sock") as backend:
        assert not backend.has_session("alpha")
    with running_coop("--keep-alive", command=("true",)) as process, CoopBackend(process.url) as backend:
        eventually(lambda: not backend.has_session("alpha"))
