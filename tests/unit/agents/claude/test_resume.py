import os
from pathlib import Path

import pytest

from coop.agents.claude.prepare import slug
from coop.agents.claude.resume import Found, folder_elsewhere, resumed
from coop.errors import ConfigError
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.session.disk import RealDisk

A, B, C = (f"{digit * 8}-2222-4333-8444-555555555555" for digit in "abc")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Three sessions in two workspaces; A is the oldest, C the newest."""
    for age, (session, workspace) in enumerate(((A, "api"), (B, "web"), (C, "api"))):
        (tmp_path / workspace).mkdir(exist_ok=True)
        log = tmp_path / "home/projects" / slug(str(tmp_path / workspace)) / f"{session}.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("{}\n")
        os.utime(log, (1000 + age, 1000 + age))
    return tmp_path / "home"


def found(hint: str, home: Path) -> Found:
    return resumed(hint, Launch(("claude",), {}, Size(80, 24), str(home.parent)), home, RealDisk())


def log_of(session: str, home: Path) -> Path:
    (log,) = home.glob(f"projects/*/{session}.jsonl")
    return log


def test_a_session_is_found_by_the_path_of_its_log(home: Path) -> None:
    log = log_of(A, home)
    assert found(str(log), home) == Found(A, str(log))
    assert found(str(log.relative_to(home.parent)), home).session_id == A


def test_a_session_is_found_by_its_id(home: Path) -> None:
    assert found(B, home) == Found(B, str(log_of(B, home)))
    assert found(B.upper(), home).session_id == B


def test_the_newest_of_a_workspace_is_found_by_its_path(home: Path) -> None:
    assert found(str(home.parent / "api"), home).session_id == C
    assert found("web", home).session_id == B


def test_a_part_of_a_name_is_enough(home: Path) -> None:
    assert found("bbbbbbbb", home).session_id == B
    assert found("/ap", home).session_id == C


def test_a_session_of_another_folder_is_told_with_that_folder(home: Path) -> None:
    log, api = log_of(A, home), home.parent / "api"
    assert folder_elsewhere(str(log), str(api), RealDisk()) is None
    assert folder_elsewhere(str(log), str(home.parent), RealDisk()) == slug(str(api))  # it does not say
    log.write_text(f'{{"type":"summary"}}\n[]\n{{torn\n{{"cwd":"{api}"}}\n{{"cwd":"/elsewhere"}}\n')
    assert folder_elsewhere(str(log), str(home.parent), RealDisk()) == str(api)
    assert folder_elsewhere(str(log.with_name("gone.jsonl")), str(home.parent), RealDisk()) == slug(str(api))


def test_a_folder_with_a_long_name_is_its_own(tmp_path: Path) -> None:
    deep = str(tmp_path / ("x" * 100) / ("y" * 150))
    log = str(tmp_path / "home/projects" / f"{slug(deep)}-1a2b3c" / f"{A}.jsonl")
    assert folder_elsewhere(log, deep, RealDisk()) is None


def test_what_is_no_log_of_a_session_is_passed_over(home: Path) -> None:
    (log_of(C, home).parent / "agent-1234.jsonl").write_text("{}\n")
    assert found(str(home.parent / "api"), home).session_id == C


def test_a_hint_that_fits_nothing_says_what_would(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"--resume 'moon': no session fits; expected .* \(3 sessions under"):
        found("moon", home)


def test_without_any_session_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="0 sessions"):
        found("x", tmp_path / "nowhere")


def test_a_file_that_is_no_log_is_not_resumed(home: Path) -> None:
    (home.parent / "notes.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError):
        found("notes.jsonl", home)


def test_a_workspace_is_not_taken_for_another_whose_name_it_begins_with(home: Path) -> None:
    (home.parent / "api-v2").mkdir()
    with pytest.raises(ConfigError):
        found(str(home.parent / "api-v2"), home)


def test_a_path_may_begin_at_home(home: Path) -> None:
    launch = Launch(("claude",), {"HOME": str(home.parent)}, Size(80, 24), "/")
    assert resumed("~/api", launch, home, RealDisk()).session_id == C
