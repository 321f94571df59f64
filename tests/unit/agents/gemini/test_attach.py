import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from coop.agents.gemini.attach import attach
from coop.model.attach import Process
from coop.model.screen import Size
from tests.unit.agents.claude.test_attach import Files

SIZE = Size(80, 24)
ENV = {"HOME": "/home/me"}
SHELL = Process(10, ("bash",), ENV, "/work")
BEGAN = 1_800_000_000.0
PROJECTS = {"/home/me/.gemini/projects.json": {"projects": {"/work": "work", "/other": "other"}}}


def session(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def log(number: int, minute: int = 0, slug: str = "work") -> str:
    return f"/home/me/.gemini/tmp/{slug}/chats/session-2027-01-15T08-{minute:02d}-{number:08d}.jsonl"


def header(number: int, at: float) -> str:
    began = datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
    return json.dumps({"sessionId": session(number), "startTime": began, "kind": "main"}) + "\n"


def gemini(*arguments: str, began: float | None = BEGAN) -> Process:
    return Process(11, ("node", "/usr/bin/gemini", *arguments), ENV, "/work", began)


def log_of(process: Process, files: Mapping[str, object]) -> tuple[str | None, str | None]:
    found = attach((SHELL, process), SIZE, Files({**PROJECTS, **files}))
    assert found is not None
    assert (found.pid, found.prepared.log_from_end, found.prepared.is_running) == (11, True, True)
    assert found.prepared.log_root == "/home/me/.gemini/tmp"
    return found.prepared.log, found.prepared.session_id


def test_the_first_log_of_its_workspace_that_began_after_it_did_is_its_own() -> None:
    files = {
        log(4): header(4, BEGAN + 60),  # of another that was started later, and has written last
        log(3): header(3, BEGAN + 4),
        log(2): header(2, BEGAN - 60),  # of one that was there before
        log(1, slug="other"): header(1, BEGAN + 2),
    }
    assert log_of(gemini(), files) == (log(3), session(3))


def another(*arguments: str, after: float) -> Process:
    """In the same folder, on another terminal."""
    return Process(20, ("node", "/usr/bin/gemini", *arguments), ENV, "/work", BEGAN + after)


def test_a_log_that_began_long_after_it_did_is_anothers() -> None:
    assert log_of(gemini(), {log(4): header(4, BEGAN + 60)}) == (None, None)


def test_a_log_that_another_may_have_begun_as_well_is_nobodys() -> None:
    """Its own is deleted when the other starts, if nobody has told it anything."""
    files = {log(4): header(4, BEGAN + 5)}
    assert log_of(replace(gemini(), beside=(another(after=3),)), files) == (None, None)
    assert log_of(replace(gemini(), beside=(another(after=-3),)), files) == (None, None)
    coop = replace(another(after=3), argv=("python", "-m", "coop", "--agent", "gemini", "--attach", "tmux:it"))
    tmux = replace(another(after=0), argv=("tmux", "new-session", "-s", "work", "gemini"))
    for beside in (another(after=-60), another(after=6), another("mcp", "list", after=3), coop, tmux):
        assert log_of(replace(gemini(), beside=(beside,)), files) == (log(4), session(4))


def test_a_log_that_another_began_after_its_own_is_no_matter() -> None:
    files = {log(3): header(3, BEGAN + 2), log(4): header(4, BEGAN + 7)}
    assert log_of(replace(gemini(), beside=(another(after=5),)), files) == (log(3), session(3))
    second = replace(gemini(began=BEGAN + 5), beside=(another(after=0),))
    assert log_of(second, files) == (log(4), session(4))


def test_where_none_began_since_there_is_none() -> None:
    assert log_of(gemini(), {log(2): header(2, BEGAN - 60)}) == (None, None)
    assert log_of(gemini(began=None), {log(2): header(2, BEGAN + 4)}) == (None, None)
    assert log_of(gemini(), {log(2): "torn", log(3): "[]"}) == (None, None)


def test_a_resumed_session_goes_on_in_its_old_log() -> None:
    files = {log(3, minute=0): header(3, BEGAN - 600), log(3, minute=9): header(3, BEGAN + 4)}
    assert log_of(gemini("--resume", "latest"), files) == (log(3, minute=0), session(3))


def test_the_id_of_its_command_line_needs_no_guessing() -> None:
    files = {log(3): header(3, BEGAN + 4), log(4): header(4, BEGAN + 9)}
    for flags in (("--session-id", session(4)), (f"--session-id={session(4)}",), ("--resume", session(4))):
        assert log_of(gemini(*flags), files) == (log(4), session(4))


def test_a_log_that_is_not_there_yet_is_sought_by_its_id() -> None:
    found = attach((gemini("--session-id", session(4)),), SIZE, Files(PROJECTS))
    assert found is not None
    assert found.prepared.log is None
    assert found.prepared.log_pattern == "/home/me/.gemini/tmp/*/chats/session-*-00000004.jsonl"


def test_what_is_no_session_of_it_is_not_meant() -> None:
    assert attach((SHELL, gemini("mcp", "list"), gemini("--version")), SIZE, Files(PROJECTS)) is None
