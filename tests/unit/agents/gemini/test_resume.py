import json
import os
from pathlib import Path

import pytest

from coop.agents.gemini.resume import Found, resumed
from coop.errors import ConfigError
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.session.disk import RealDisk

A, B, C = (f"{digit * 8}-2222-4333-8444-555555555555" for digit in "abc")


def write(path: Path, session: str, age: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sessionId": session, "kind": "main"}) + "\n")
    os.utime(path, (1000 + age, 1000 + age))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three sessions in two workspaces; A is the oldest, and was resumed, which left a second file of its name."""
    home = tmp_path / "home"
    for age, (session, workspace) in enumerate(((A, "api"), (B, "web"), (C, "api"))):
        (tmp_path / workspace).mkdir(exist_ok=True)
        write(home / f"tmp/{workspace}/chats/session-2026-11-15T07-0{age}-{session[:8]}.jsonl", session, age)
    write(home / f"tmp/api/chats/session-2026-11-15T09-00-{A[:8]}.jsonl", A, -5)
    projects = {str(tmp_path / name): name for name in ("api", "web")}
    (home / "projects.json").write_text(json.dumps({"projects": projects}))
    return home


def found(hint: str, home: Path) -> Found:
    return resumed(hint, Launch(("gemini",), {"HOME": str(home.parent)}, Size(80, 24), str(home.parent)), home, RealDisk())


def log_of(session: str, home: Path) -> str:
    return str(min(home.glob(f"tmp/*/chats/*-{session[:8]}.jsonl")))


def test_a_session_is_found_by_the_path_of_its_log(home: Path) -> None:
    assert found(log_of(B, home), home) == Found(B, log_of(B, home))
    assert found(f"~/home/tmp/web/chats/{Path(log_of(B, home)).name}", home).session_id == B


def test_a_session_is_found_by_its_id_and_its_first_log_is_the_one(home: Path) -> None:
    assert found(A, home) == Found(A, log_of(A, home))
    assert found(A.upper(), home).session_id == A


def test_the_newest_of_a_workspace_is_found_by_its_path(home: Path) -> None:
    assert found(str(home.parent / "api"), home).session_id == C
    assert found("web", home).session_id == B


def test_the_newest_that_has_it_in_its_name_is_found_by_a_part(home: Path) -> None:
    assert found("AP", home).session_id == C
    assert found("07-01", home).session_id == B


@pytest.mark.parametrize(
    "hint", ["nothing", "/nowhere/session-2026-11-15T07-00-dddddddd.jsonl", "dddddddd-2222-4333-8444-555555555555"]
)
def test_what_fits_nothing_is_said_so(home: Path, hint: str) -> None:
    with pytest.raises(ConfigError, match="no session fits"):
        found(hint, home)


def test_a_log_that_is_none_is_passed_over(home: Path) -> None:
    write(home / "tmp/api/chats/session-2026-11-15T10-00-dddddddd.jsonl", "not an id", 99)
    assert found("api", home).session_id == C
