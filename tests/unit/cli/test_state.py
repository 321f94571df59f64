from typing import Any

import click

from coop.cli.state import told

IDLE: dict[str, Any] = {"state": "waiting_for_input", "agent": "claude", "detection_tier": "hooks"}


def lines(**said: object) -> list[str]:
    return [click.unstyle(line) for line in told({**IDLE, **said}, {"for_secs": 61.0}, home="/home/me")]


def test_what_is_not_known_is_not_told() -> None:
    assert lines() == ["state    waiting_for_input for 1m01s", "agent    claude", "told by  hooks"]


def test_everything_that_is_known_is_told() -> None:
    permission = {"type": "permission", "id": "p1", "tool": "Bash", "input": {"command": "ls"}}
    shown = lines(
        state="permission_prompt",
        prompt=permission,
        prompts=[permission, {**permission, "id": "p2"}],
        agent_version="2.1.325",
        tested=True,
        model="sonnet",
        permission_mode="default",
        cwd="/home/me/work",
        last_message="On\nit.",
    )
    assert shown == [
        "state    permission_prompt for 1m01s",
        "asks     Bash: ls",
        "waiting  2 prompts",
        "agent    claude 2.1.325",
        "model    sonnet",
        "mode     default",
        "cwd      ~/work",
        "last     On it.",
        "told by  hooks",
    ]


def test_a_version_that_was_not_tested_is_told_of() -> None:
    assert "agent    claude 9.9.9 (not a version coop was tested with)" in lines(agent_version="9.9.9", tested=False)


def test_an_end_tells_how() -> None:
    assert "exit     code 3" in lines(state="exited", exit_code=3)
    assert "exit     by signal 9" in lines(state="exited", exit_signal=9)
    assert "detail   overloaded" in lines(state="error", detail="overloaded")
