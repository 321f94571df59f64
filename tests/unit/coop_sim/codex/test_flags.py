"""The command line, and the configuration it changes."""

from pathlib import Path

import pytest

from coop_sim.codex.config import read_config
from coop_sim.codex.flags import BadFlags, Options, read_flags


def flags(*words: str) -> Options:
    return read_flags(words, {"HOME": "/nonexistent"}, Path("/work"))


def test_subcommands_take_their_words() -> None:
    assert flags("fix it").prompt == "fix it"
    resumed = flags("--no-daemon", "-c", "a=1", "resume", "some-id", "go on")
    assert (resumed.goes_on, resumed.session, resumed.prompt) == (True, "some-id", "go on")
    assert flags("resume", "--last", "go on").session is None
    printed = flags("exec", "--json", "--skip-git-repo-check", "resume", "some-id", "go on")
    assert (printed.is_headless, printed.prints_json, printed.session, printed.approval) == (True, True, "some-id", "never")
    with pytest.raises(BadFlags, match="untrusted"):
        flags("-a", "untrusted")


def test_settings_of_the_command_line_are_merged() -> None:
    config = read_config(flags("-c", "model=gpt-x", "-c", "a.b=1", "-c", 'a.c={"x.y"=true}', "-c", "notify=['p','q']"))
    assert (config.model, config.get("a", "b"), config.get("a", "c", "x.y")) == ("gpt-x", 1, True)
    assert config.notify == ["p", "q"]
    assert config.needs_login
    with pytest.raises(BadFlags, match="missing '='"):
        read_config(flags("-c", "nonsense"))
