import os
import socket
from pathlib import Path

import pytest

from coop.cli import checks
from coop.cli.checks import Finding


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "coop").mkdir(mode=0o700)
    return {"XDG_RUNTIME_DIR": str(tmp_path), "PATH": str(tmp_path / "bin"), "TERM": "xterm"}


def program(env: dict[str, str], name: str, script: str) -> str:
    path = Path(env["PATH"], name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def levels(findings: list[Finding]) -> list[str]:
    return [each.level for each in findings]


def test_everything_that_fails_says_what_to_do(env: dict[str, str]) -> None:
    findings = list(checks.examined(env))
    assert all(each.do for each in findings if each.level != "ok")
    assert "fail" not in levels(findings)


def test_the_mode_of_the_runtime_directory_matters(env: dict[str, str], tmp_path: Path) -> None:
    assert next(checks.runtime(env)).level == "ok"
    (tmp_path / "coop").chmod(0o755)
    found = next(checks.runtime(env))
    assert (found.level, found.do) == ("fail", f"chmod 0700 {tmp_path}/coop")


def test_a_runtime_directory_that_is_not_there_will_be_made(tmp_path: Path) -> None:
    assert "will be made" in next(checks.runtime({"XDG_RUNTIME_DIR": str(tmp_path / "new")})).said
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / "coop").write_text("")
    assert "is not a directory" in next(checks.runtime({"XDG_RUNTIME_DIR": str(tmp_path / "file")})).said


def test_a_path_that_is_too_long_for_a_socket_is_told_of(tmp_path: Path) -> None:
    findings = list(checks.runtime({"XDG_RUNTIME_DIR": f"/{'x' * 120}"}))
    assert findings[-1].level == "fail"
    assert "shorter path" in findings[-1].do


def test_where_no_session_is_looked_for_is_told(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "coop").chmod(0o755)
    (found,) = checks.sockets(env)
    assert (found.level, found.do) == ("warn", "remove it or set XDG_RUNTIME_DIR")


def test_what_is_left_of_a_killed_coop_is_named_with_how_to_remove_it(env: dict[str, str], tmp_path: Path) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "coop" / "old.sock"))
    dead.close()
    running, stale = checks.sockets(env)
    assert running.said == "0 running"
    assert (stale.level, stale.do) == ("warn", f"rm {tmp_path}/coop/old.*")


def test_a_port_that_is_taken_is_told_of(env: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        hooks, api = checks.doors({**env, "COOP_PORT": str(port)})
        assert (hooks.level, api.level, api.subject) == ("ok", "fail", "COOP_PORT")
        assert levels(list(checks.doors({**env, "COOP_PORT": str(port), "COOP": "1"}))) == ["ok"]


def test_agents_are_held_against_the_versions_coop_was_tested_with(env: dict[str, str]) -> None:
    (none,) = checks.agents(env)
    assert (none.level, none.subject) == ("warn", "agents")
    claude = program(env, "claude", "echo '2.1.325 (Claude Code)'")
    program(env, "codex", "echo codex-cli 99.0.0")
    program(env, "gemini", "exit 3")
    tested, newer, mute = checks.agents(env)
    assert tested == Finding("ok", "claude", f"2.1.325, {claude}")
    assert (newer.level, "99.0.0" in newer.said, "0.166.0" in newer.said) == ("warn", True, True)
    assert (mute.level, "does not tell" in mute.said) == ("warn", True)


def test_tools_that_are_not_there_are_nobodys_fault(env: dict[str, str]) -> None:
    assert levels(list(checks.tools(env))) == ["ok", "ok"]
    assert all("not installed" in each.said for each in checks.tools(env))
    path = program(env, "tmux", "")
    assert next(checks.tools(env)).said == path


@pytest.mark.parametrize(
    ("version", "level", "says"),
    [
        ("tmux 3.3a", "ok", "3.3a, {}: --attach gets output as it is written"),
        ("tmux 3.2", "ok", "3.2, {}: --attach gets output as it is written"),
        ("tmux 3.1c", "warn", "3.1c, {}: --attach looks at it once a second; raw output is drawings of the screen"),
        ("tmux 1.8", "warn", "1.8, {}: too old for --attach tmux:…"),
        ("tmux master", "ok", "{}"),
    ],
)
def test_the_version_of_tmux_is_told_with_what_follows(env: dict[str, str], version: str, level: str, says: str) -> None:
    path = program(env, "tmux", f"[ $1 = -V ] && echo {version}")
    found = next(checks.tools(env))
    assert (found.level, found.said) == (level, says.format(path))
    assert (found.do == "install tmux 3.2 or newer") == (level == "warn")


def test_it_is_told_whether_an_agent_takes_hooks_here(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "coop").chmod(0o777)
    assert list(checks.hooks(env)) == []
    program(env, "gemini", "exit 3")
    env["HOME"] = str(tmp_path)
    (found,) = checks.hooks(env)
    assert (found.level, found.subject) == ("warn", "gemini hooks")
    assert f"not in {tmp_path}/coop" in found.said
    assert found.do == f"docs/gemini.md has the lines for {tmp_path}/.gemini/settings.json"
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini/settings.json").write_text('{"hooks": {"AfterAgent": "${COOP_HOOK:-true} AfterAgent"}}')
    assert list(checks.hooks(env)) == [Finding("ok", "gemini hooks", f"in {tmp_path}/.gemini/settings.json")]


def test_it_is_told_that_this_runs_inside_of_a_session(env: dict[str, str]) -> None:
    inside = {**env, "COOP": "1", "COOP_SOCKET": "/run/x.sock"}
    assert "/run/x.sock" in next(checks.terminal(inside)).said


def test_a_directory_of_somebody_else_is_refused() -> None:
    if os.getuid() == 0:
        assert checks._of_directory(Path("/")).level == "fail"  # mode 0755
    else:
        assert "not yours" in checks._of_directory(Path("/")).said
