import json
import os
from pathlib import Path

import pytest

from coop.agents.codex.resume import Found, resumed
from coop.errors import ConfigError
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.session.disk import RealDisk

A, B, C, D = (f"{digit * 8}-2222-4333-8444-555555555555" for digit in "abcd")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three sessions in two workspaces; A is the oldest, C the newest. D cannot be read."""
    for age, (session, workspace) in enumerate(((A, "api"), (B, "web"), (C, "api"), (D, ""))):
        (tmp_path / workspace).mkdir(exist_ok=True)
        log = log_of(session, tmp_path / "home")
        log.parent.mkdir(parents=True, exist_ok=True)
        first = {"type": "session_meta", "payload": {"id": session, "cwd": str(tmp_path / workspace)}}
        log.write_text(json.dumps(first) + "\nmore\n" if workspace else "{")
        os.utime(log, (1000 + age, 1000 + age))
    return tmp_path / "home"


def log_of(session: str, home: Path) -> Path:
    return home / f"sessions/2026/11/15/rollout-2026-11-15T06-50-41-{session}.jsonl"


def found(hint: str, home: Path) -> Found:
    return resumed(hint, Launch(("codex",), {"HOME": str(home.parent)}, Size(80, 24), str(home.parent)), home, RealDisk())


def test_a_session_is_found_by_the_path_of_its_log(home: Path) -> None:
    log = log_of(A, home)
    assert found(str(log), home) == Found(A, str(log))
    assert found(str(log.relative_to(home.parent)), home).session_id == A
    assert found("~/" + str(log.relative_to(home.parent)), home).session_id == A


def test_a_session_is_found_by_its_id(home: Path) -> None:
    assert found(B.upper(), home).session_id == B


def test_the_newest_of_a_workspace_is_found(home: Path) -> None:
    assert found(str(home.parent / "api"), home).session_id == C
    assert found("web", home).session_id == B


def test_a_part_of_a_path_or_an_id_is_enough(home: Path) -> None:
    assert found("AP", home).session_id == C
    assert found("bbbb", home).session_id == B
    assert found("dddddddd", home).session_id == D


def test_what_fits_nothing_is_told(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"no session fits.*4 sessions"):
        found("zebra", home)
