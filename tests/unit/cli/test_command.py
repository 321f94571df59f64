from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from coop.cli import command as module
from coop.cli.command import command
from coop.cli.main import Invocation, _split
from coop.cli.options import Options


def parsed(monkeypatch: pytest.MonkeyPatch, *arguments: str, nested: bool = False, env: dict[str, str] | None = None) -> Any:
    """The options a command line comes to, or its output when it is refused."""
    seen: list[Options] = []

    def run(options: Options) -> int:
        seen.append(options)
        return 0

    monkeypatch.setattr(module, "_run", run)
    before, after = _split(list(arguments))
    result = CliRunner().invoke(command, before, obj=Invocation(after, nested=nested), env=env or {})
    return seen[0] if seen else result.output


def test_the_command_stands_after_two_dashes(monkeypatch: pytest.MonkeyPatch) -> None:
    options = parsed(monkeypatch, "--port", "0", "--", "sh", "-c", "x", "--", "y")
    assert (options.command, options.port) == (("sh", "-c", "x", "--", "y"), 0)


def test_defaults_are_the_seeds_but_for_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsed(monkeypatch, "--", "sh") == Options(command=("sh",))


def test_every_option_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    env = {
        "COOP_PORT": "7",
        "COOP_GRPC_PORT": "8",
        "COOP_IDLE_GRACE": "3",
        "COOP_AUTH_TOKEN": "t",
        "COOP_COLS": "90",
        "COOP_TERM": "vt100",
    }
    options = parsed(monkeypatch, "--", "sh", env=env)
    assert (options.port, options.grpc_port, options.idle_grace) == (7, 8, 3)
    assert (options.auth_token, options.cols, options.term) == ("t", 90, "vt100")


def test_inside_a_session_its_variables_are_not_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    options = parsed(monkeypatch, "--", "sh", nested=True, env={"COOP_PORT": "7", "COOP_SOCKET": "/parents.sock"})
    assert options == Options(command=("sh",))


def test_labels_are_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsed(monkeypatch, "--label", "a=1", "--label", "b=x=y", "--", "sh").labels == (("a", "1"), ("b", "x=y"))


def test_the_token_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    assert parsed(monkeypatch, "--auth-token-file", str(tmp_path / "token"), "--", "sh").auth_token == "secret"


@pytest.mark.parametrize("variable", ["COOP_AUTH_TOKEN", "COOP_AUTH_TOKEN_FILE"])
def test_a_token_that_somebody_lost_leaves_no_door_open(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """A secret that is not there often is an empty variable."""
    assert f"{variable} is empty" in parsed(monkeypatch, "--", "sh", env={variable: ""})
    assert parsed(monkeypatch, "--", "sh", nested=True, env={variable: ""}) == Options(command=("sh",))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "nothing to run"),
        (("--",), "nothing to run"),
        (("bash",), "coop -- bash"),
        (("--label", "x", "--", "sh"), "expected KEY=VALUE"),
        (("--label", "k=\udcff", "--", "sh"), "expected text in UTF-8"),
        (("--auth-token", "", "--", "sh"), "--auth-token is empty"),
        (("--", ""), "an empty word"),
        (("--auth-token", " abc", "--", "sh"), "no blanks around"),
        (("--auth-token-file", "/nowhere", "--", "sh"), "No such file"),
        (("--auth-token", "x", "--auth-token-file", "/nowhere", "--", "sh"), "not both"),
        (("--attach", "tmux:x", "--", "sh"), "leave the command out"),
        (("--cols", "0", "--", "sh"), "--cols"),
    ],
)
def test_a_wrong_command_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str) -> None:
    assert says in parsed(monkeypatch, *arguments)


def test_every_flag_of_the_seed_is_there() -> None:
    names = {name for param in command.params for name in param.opts if isinstance(param, click.Option)}
    seed = "port socket host grpc-port auth-token agent agent-config idle-grace attach cols rows ring-size term health-port"
    assert {f"--{name}" for name in f"{seed} idle-timeout log-format log-level".split()} <= names
