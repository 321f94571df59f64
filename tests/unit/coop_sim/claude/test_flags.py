"""Claude's command line."""

from pathlib import Path

import pytest

from coop_sim.claude.flags import BadFlags, Options, read_flags

HERE = Path("/work")


def read(*arguments: str, **env: str) -> Options:
    return read_flags(arguments, {"HOME": "/home/dev", **env}, HERE)


def test_the_flags_are_read() -> None:
    options = read(
        "--sim-version", "2.1.197", "--resume", "x", "--fork-session", "--session-id", "y", "--model", "opus", "hello"
    )
    assert (options.version.number, options.resume, options.session_id, options.prompt) == ("2.1.197", "x", "y", "hello")
    assert read("-p", "hi").prints
    assert read("--permission-mode", "manual").mode == "default"


def test_the_configuration_is_in_home_or_where_it_is_said() -> None:
    assert read().config_dir == Path("/home/dev/.claude")
    assert read(CLAUDE_CONFIG_DIR="/c").config_dir == Path("/c")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--hook-config", "x"), "unknown option '--hook-config'"),
        (("--continue", "--session-id", "x"), "--fork-session"),
        (("--resume", "x", "--session-id", "y"), "--fork-session"),
        (("-p", "x", "--output-format", "stream-json"), "requires --verbose"),
    ],
)
def test_bad_flags_are_refused(arguments: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(BadFlags, match=complaint):
        read(*arguments)
