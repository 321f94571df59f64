"""A bash that marks its prompts, and a program that reports its status, under a coop that knows no more of them."""

from collections.abc import Generator
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from tests.support.wire import Wire

MARKS = r"""
PROMPT_COMMAND='printf "\e]133;D;%s\a\e]133;A\a" "$?"'
PS1='$ \[\e]133;B\a\]'
PS0='\[\e]133;C\a\]'
"""


def reports(directory: Path, what: str) -> str:
    path = directory / "agent.toml"
    path.write_text(f"[report]\n{what}\n")
    return str(path)


@pytest.fixture
def shell(tmp_path: Path) -> Generator[Wire]:
    (tmp_path / "rc").write_text(MARKS)
    shell = ("bash", "--noprofile", "--rcfile", str(tmp_path / "rc"), "-i")
    with running_coop("--agent-config", reports(tmp_path, "marks = true"), command=shell, cwd=tmp_path) as coop:
        wire = Wire(coop, "tcp")
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> dict[str, object]:
    def found() -> dict[str, object] | None:
        reply: dict[str, object] = wire.get("/api/v1/agent/state")
        return reply if reply["state"] == state else None

    seen = eventually(found, within=15, what=f"state {state}")
    assert seen is not None
    return seen


def test_a_shell_with_marks_has_states(shell: Wire) -> None:
    shell.post("/api/v1/input", {"text": "read x", "enter": True})
    assert becomes(shell, "working")["detection_tier"] == "terminal_report"
    shell.post("/api/v1/input", {"text": "", "enter": True})
    becomes(shell, "waiting_for_input")
    shell.post("/api/v1/input", {"text": "(exit 3)", "enter": True})
    assert becomes(shell, "error")["detail"] == "exit status 3"
    shell.post("/api/v1/input", {"text": "true", "enter": True})
    becomes(shell, "waiting_for_input")


def test_a_program_that_reports_its_status_has_states(tmp_path: Path) -> None:
    script = r"""
    printf '\033]7501;state=working:app=mine\007'; read x
    printf '\033]7501;state=blocked:app=mine:kind=permission\007'; read x
    printf '\033]7501;state=idle:app=mine\007'; read x
    printf '\033]7501;state=clear\007'; read x
    """
    with running_coop("--agent-config", reports(tmp_path, "app = 'mine'"), command=("sh", "-c", script)) as coop:
        wire = Wire(coop, "tcp")
        for state in ("working", "ask_user", "waiting_for_input", "unknown"):
            becomes(wire, state)
            wire.post("/api/v1/input", {"text": "", "enter": True})
