import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import httpx
import pytest

import coop
from coop.client import Answer, Idle, Permission, Prompted, Question, RecordingStatus, Session, Working, blocking
from coop.client.session import NotInTime
from coop.errors import BadRequest, ConfigError, Exited, NoSuchSession, Unreachable
from coop.model.commands import When
from coop.model.ids import PromptId
from coop.model.stop import StopMode
from tests.unit.client.scripted import Connection, Scripted, spelled
from tests.unit.client.test_follow import frame, snapshot

T = TypeVar("T")
HEALTH = {
    "status": "running",
    "pid": 1,
    "uptime_secs": 0,
    "agent": "claude",
    "terminal": {"cols": 80, "rows": 24},
    "ws_clients": 0,
    "name": "me",
    "labels": {},
    "version": "0",
}
ASKS = {"type": "permission", "id": "p1", "tool": "Bash"}
STOP = {"mode": "gate", "reason": "go on", "most_blocks": 20, "blocks": 0, "signal": None}
REPLIES: dict[str, dict[str, object]] = {
    "/api/v1/health": HEALTH,
    "/api/v1/agent/nudge": {"delivered": True, "receipt": {"id": "r1", "progress": "confirmed", "message": "hi"}},
    "/api/v1/agent/respond": {"delivered": True, "prompt_type": "question", "prompt_id": "p1", "effect": "answered"},
    "/api/v1/config/stop": STOP,
    "/api/v1/stop/resolve": STOP,
    "/api/v1/signal": {"delivered": True},
    "/api/v1/receipts/../health": {"id": "r1", "progress": "confirmed", "message": "hi"},
    "/api/v1/recording": {"on": True, "path": "/r", "bytes_written": 7, "begins": "middle", "ended": None},
}


def change(seq: int, **body: object) -> bytes:
    return spelled(frame("state_change", f"a-{seq}", seq=1, **{"prev": "working", "prompt": None, "detail": None, **body}))


def conversation(use: Callable[[Session], Awaitable[T]], *connections: Connection) -> tuple[T, list[httpx.Request]]:
    """What came of using a session whose coop says that; and what it was asked beside its health."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json=REPLIES[request.url.path])

    async def run() -> T:
        async with coop.connect("http://coop:1", transport=Scripted(list(connections), answer=answer)) as session:
            return await use(session)

    return asyncio.run(run()), asked[1:]


def sent(use: Callable[[Session], Awaitable[object]]) -> tuple[str, object]:
    _, (request,) = conversation(use)
    return request.method, json.loads(request.content)


def test_an_id_is_no_way_to_another_route() -> None:
    _, (request,) = conversation(lambda session: session.receipt("../health"))
    assert request.url.raw_path == b"/api/v1/receipts/..%2Fhealth"


def test_a_state_that_is_there_is_not_waited_for() -> None:
    found, _ = conversation(lambda session: session.wait_for(Idle, 1), [spelled(snapshot("a", 0))])
    assert found == Idle()


@pytest.mark.parametrize("timeout", [0, 0.001])
def test_a_state_that_is_there_is_found_however_short_the_wait(timeout: float) -> None:
    found, _ = conversation(lambda session: session.wait_for(Idle, timeout), [spelled(snapshot("a", 0))])
    assert found == Idle()


def test_a_wait_of_no_time_tells_what_is_there_instead() -> None:
    with pytest.raises(TimeoutError, match=r"Idle did not come within 0 s; last seen: Working"):
        conversation(lambda session: session.wait_for(Idle, 0), [spelled(snapshot("a", 0, state="working"))])


def test_a_coop_that_does_not_answer_is_said_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coop.client.session._TO_ANSWER", 0.05)
    with pytest.raises(NotInTime, match="Idle may have come: http://coop:1 does not answer") as late:
        conversation(lambda session: session.wait_for(Idle, 0), [])
    assert late.value.seen is None


def test_a_state_is_waited_for_over_reconnects() -> None:
    first: Connection = [spelled(snapshot("a", 0, state="working")), httpx.ReadError("cut")]
    asks = change(1, next="permission_prompt", prompt=ASKS)
    found, _ = conversation(lambda session: session.wait_for(Prompted, 1), first, [asks])
    assert found == Prompted(Permission(PromptId("p1"), "Bash"))


def test_a_kind_of_prompt_is_waited_for_and_given_back() -> None:
    said = [spelled(snapshot("a", 0, state="working")), change(1, next="permission_prompt", prompt=ASKS)]
    found, _ = conversation(lambda session: session.wait_for(Permission, 1), said)
    assert found.tool == "Bash"


def test_several_kinds_are_waited_for_at_once() -> None:
    said = [spelled(snapshot("a", 0, state="starting")), change(1, next="working"), change(2, next="waiting_for_input")]
    found, _ = conversation(lambda session: session.wait_for(Prompted | Idle, 1), said)
    assert found == Idle()


def test_a_wait_that_is_too_long_tells_what_was_seen() -> None:
    said = [spelled(snapshot("a", 0, state="starting")), change(1, next="working", detail="background")]
    with pytest.raises(TimeoutError, match=r"Idle \| Question did not come within 0.2 s; last seen: Working\(detail='backgr"):
        conversation(lambda session: session.wait_for(Idle | Question, 0.2), said)


def test_what_cannot_come_any_more_is_not_waited_for() -> None:
    said = [spelled(snapshot("a", 0, state="working")), change(1, next="exited", exit_code=3)]
    with pytest.raises(Exited, match=r"while Idle was waited for; last seen: Exited\(status=ExitStatus\(code=3"):
        conversation(lambda session: session.wait_for(Idle), said)


def test_a_session_that_is_not_there_is_told_at_once() -> None:
    async def enter() -> None:
        async with coop.connect("unix:/nowhere/at/all.sock"):
            raise AssertionError

    with pytest.raises(Unreachable, match=r"unix:/nowhere/at/all\.sock cannot be reached"):
        asyncio.run(enter())


def test_what_is_asked_is_what_the_wire_wants() -> None:
    prompt = Question(PromptId("p1"), "DB?")
    whole = {"message": "hi", "when": "queue", "raw": False, "keep_draft": False, "wait": 1.0, "idempotency_key": "k"}
    assert sent(lambda session: session.nudge("hi", when="queue", wait=1.0, key="k")) == ("POST", whole)
    assert sent(lambda session: session.nudge("hi", when=When.QUEUE, wait=1.0, key="k")) == ("POST", whole)
    assert sent(lambda session: session.nudge("hi", when="steer", wait=1.0, key="k")) == ("POST", {**whole, "when": "steer"})
    _, body = sent(lambda session: session.respond(answers=[Answer((1, "Billing")), Answer(text="no")], prompt=prompt))
    assert isinstance(body, dict)
    assert (body["prompt_id"], [(each["options"], each["text"]) for each in body["answers"]]) == (
        "p1",
        [([1, "Billing"], None), ([], "no")],
    )
    assert sent(lambda session: session.stop_gate("gate", reason="go on")) == (
        "PUT",
        {"mode": "gate", "reason": "go on", "most_blocks": 20},
    )
    assert sent(lambda session: session.resolve_stop()) == ("POST", {"kind": "complete", "message": None})


def test_a_gate_is_read_when_nothing_is_said() -> None:
    gate, (request,) = conversation(lambda session: session.stop_gate())
    assert (gate.config.mode, request.method) == (StopMode.GATE, "GET")


def test_a_recording_is_begun_ended_and_asked_after() -> None:
    assert sent(lambda session: session.start_recording()) == ("PUT", {"on": True})
    assert sent(lambda session: session.stop_recording()) == ("PUT", {"on": False})
    told, (request,) = conversation(lambda session: session.recording())
    assert (told, request.method) == (RecordingStatus(True, "/r", 7, "middle"), "GET")


def test_a_state_has_the_kind_it_was_waited_for_by() -> None:
    """For the type checker: a single class gives that class back."""

    async def use(session: Session) -> str | None:
        working: Working = await session.wait_for(Working, 1)
        return working.detail

    assert conversation(use, [spelled(snapshot("a", 0, state="working", detail="queued"))])[0] == "queued"


@pytest.mark.parametrize("kind", ["idle", int, Idle | str])
def test_what_is_no_state_is_not_waited_for(kind: Any) -> None:
    with pytest.raises(
        BadRequest, match=r"wait_for: expected a class of coop\.client, or several as in Idle \| Permission, got"
    ):
        conversation(lambda session: session.wait_for(kind, 1))


def test_a_choice_that_is_none_is_answered_with_those_there_are() -> None:
    wrong: Any = "foo"
    with pytest.raises(BadRequest, match="when: expected one of idle, queue, interrupt, steer, got 'foo'"):
        conversation(lambda session: session.nudge("hi", when=wrong))
    with pytest.raises(BadRequest, match="mode: expected one of allow, gate, got 'foo'"):
        conversation(lambda session: session.stop_gate(wrong))


@pytest.mark.parametrize("after", ["foo", ("a",), ("a", "1"), 7])
def test_a_place_that_is_none_is_answered_with_what_one_is(after: Any) -> None:
    async def use(session: Session) -> None:
        session.events(after=after)

    with pytest.raises(BadRequest, match=r"after: expected an epoch and a seq, as in \(event\.epoch, event\.seq\), got"):
        conversation(use)


def test_a_time_that_is_no_number_is_refused() -> None:
    async def follow(session: Session) -> None:
        session.events(patience=float("nan"))

    with pytest.raises(BadRequest, match="timeout: expected a number of seconds, got nan"):
        conversation(lambda session: session.wait_for(Idle, float("nan")))
    with pytest.raises(BadRequest, match="wait: expected a number of seconds, got nan"):
        conversation(lambda session: session.nudge("hi", wait=float("nan")))
    with pytest.raises(BadRequest, match="patience: expected a number of seconds, got nan"):
        conversation(follow)


def test_a_session_is_connected_to_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    async def enter(word: str) -> None:
        async with coop.connect(word):
            raise AssertionError

    with pytest.raises(NoSuchSession, match="no session is named 'demo'; none runs here"):
        asyncio.run(enter("demo"))
    with pytest.raises(Unreachable, match=rf"unix:{tmp_path}/x\.sock cannot be reached"):
        asyncio.run(enter(f"{tmp_path}/x.sock"))


def test_a_session_is_used_within_its_block() -> None:
    async def keep(session: Session) -> Session:
        return session

    kept, _ = conversation(keep)
    with pytest.raises(Unreachable, match="was closed with its `with` block; use it inside, or connect again"):
        asyncio.run(kept.state())
    for opening in (coop.connect("http://coop:1"), blocking.connect("http://coop:1"), coop.spawn(["true"])):
        with pytest.raises(AttributeError, match=r"no session is open yet, so it has no 'nudge': write `.*with … as session`"):
            _ = cast("Any", opening).nudge


def test_a_command_is_words_and_no_text() -> None:
    with pytest.raises(ConfigError, match=r"command: expected a list of words, as in .*, got the text 'ls -l'"):
        coop.spawn("ls -l")
