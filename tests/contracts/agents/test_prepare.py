"""How an agent is started is described, not done; nothing of the caller's is lost, and nothing is written but in its place."""

from pathlib import Path, PurePath

import pytest

from coop.agents import installed_agents
from coop.model.launch import Launch, Prepared, SessionPlaces
from coop.model.screen import Size
from coop.session.disk import RealDisk
from tests.contracts.agents.samples import agents, that_have

PREPARED = [name for name in that_have("prepare") if name in installed_agents()]


def prepared(name: str, folder: Path, *argv: str) -> tuple[Launch, Prepared]:
    home, files = folder / "home", folder / "files"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MINE": "kept", "COOP_HOOK_PIPE": "/run/x"}
    launch = Launch(argv, env, Size(80, 24), str(folder))
    places = SessionPlaces(
        str(files), "http://127.0.0.1:1/api/v1/hooks", "COOP_HOOK_TOKEN", "0" * 8 + "-0000-4000-8000-" + "0" * 12
    )
    prepare = agents()[name].prepare
    assert prepare is not None
    found = prepare(launch, places, RealDisk())
    assert list(home.rglob("*")) == [], "it wrote into the caller's home"
    assert not files.exists(), "it wrote, instead of saying what is to be written"
    return launch, found


def is_within(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """All of them, in order, with others between."""
    rest = iter(others)
    return all(word in rest for word in words)


COMMANDS = ((), ("some words of mine",), ("--", "words", "--more"))


@pytest.mark.parametrize("name", PREPARED)
@pytest.mark.parametrize("wrapper", [(), ("env", "X=1"), ("timeout", "60")], ids=lambda words: " ".join(words) or "bare")
@pytest.mark.parametrize("arguments", COMMANDS, ids=len)
def test_nothing_of_the_callers_is_lost(
    name: str, wrapper: tuple[str, ...], arguments: tuple[str, ...], tmp_path: Path
) -> None:
    argv = (*wrapper, agents()[name].commands[0], *arguments)
    launch, found = prepared(name, tmp_path, *argv)
    assert is_within(argv, found.launch.argv), found.launch.argv
    assert {key: found.launch.env.get(key) for key in launch.env} == launch.env
    assert (found.launch.size, found.launch.cwd) == (launch.size, launch.cwd)


@pytest.mark.parametrize("name", PREPARED)
@pytest.mark.parametrize(
    "runner",
    [
        ("env", "HOME=/home/{0}"),
        ("env", "-C", "/work/{0}"),
        ("sudo", "-u", "{0}"),
        ("npx", "-p", "@them/{0}"),
        ("timeout", "-k", "5", "60", "nice", "-n", "5"),
    ],
    ids=" ".join,
)
def test_a_word_before_it_that_has_its_name_is_not_taken_for_it(name: str, runner: tuple[str, ...], tmp_path: Path) -> None:
    command = agents()[name].commands[0]
    before = (*(word.format(command) for word in runner), command)
    _, found = prepared(name, tmp_path, *before, "words")
    assert (found.launch.argv[: len(before)], found.launch.argv[-1]) == (before, "words")


@pytest.mark.parametrize("name", PREPARED)
def test_every_command_of_it_is_one_that_it_can_be_prepared_in(name: str, tmp_path: Path) -> None:
    for command in agents()[name].commands:
        folder = tmp_path / command
        folder.mkdir()
        _, found = prepared(name, folder, "npx", command, "--", "words")
        assert found.files, command


@pytest.mark.parametrize("name", PREPARED)
def test_what_is_to_be_written_is_in_the_place_for_it(name: str, tmp_path: Path) -> None:
    _, found = prepared(name, tmp_path, agents()[name].commands[0])
    assert [path for path in found.files if PurePath(tmp_path, "files") not in PurePath(path).parents] == []
    if found.log is not None and found.log_root is not None:
        assert PurePath(found.log_root) in PurePath(found.log).parents


@pytest.mark.parametrize("name", PREPARED)
def test_the_hooks_token_is_not_on_the_command_line(name: str, tmp_path: Path) -> None:
    launch, found = prepared(name, tmp_path, agents()[name].commands[0])
    assert all("COOP_HOOK_TOKEN=" not in word for word in found.launch.argv)
    assert set(launch.env) <= set(found.launch.env)


@pytest.mark.parametrize("name", PREPARED)
@pytest.mark.parametrize("argv", [("sh", "-c", "true"), ("python3", "-m", "x")], ids=" ".join)
def test_another_command_is_left_as_it_is(name: str, argv: tuple[str, ...], tmp_path: Path) -> None:
    _, found = prepared(name, tmp_path, *argv)
    assert found.launch.argv == argv
