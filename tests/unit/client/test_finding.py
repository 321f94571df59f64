"""Which session a word means."""

import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from coop.client import find, sessions
from coop.errors import NoSuchSession

Listen = Callable[..., Mapping[str, str]]


@pytest.fixture
def listen(tmp_path: Path) -> Generator[Listen]:
    """Sessions of these names, and the environment they are found in."""
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    (tmp_path / "coop").mkdir()
    with ExitStack() as stack:

        def listen(*names: str) -> Mapping[str, str]:
            for name in names:
                listening = stack.enter_context(socket.socket(socket.AF_UNIX))
                listening.bind(str(tmp_path / "coop" / f"{name}.sock"))
                listening.listen()
            return env

        yield listen


def asked_for(word: str | None, env: Mapping[str, str]) -> str:
    return find(word, env).rpartition("/")[2]


def test_only_what_listens_is_a_session(listen: Listen, tmp_path: Path) -> None:
    env = listen("b", "a")
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "coop" / "dead.sock"))
    dead.close()
    (tmp_path / "coop" / "file.sock").write_text("")
    assert [each.name for each in sessions(env)] == ["a", "b"]
    assert sessions({"XDG_RUNTIME_DIR": "/nonexistent"}) == ()


def test_a_name_counts_before_the_beginning_of_another(listen: Listen) -> None:
    env = listen("claude", "claude-2", "shell")
    assert asked_for("claude", env) == "claude.sock"
    assert asked_for("sh", env) == "shell.sock"


def test_addresses_are_taken_as_they_are(listen: Listen, tmp_path: Path) -> None:
    env = listen("a")
    assert find("http://127.0.0.1:80", env) == "http://127.0.0.1:80"
    assert find(f"{tmp_path}/x.sock", env) == f"unix:{tmp_path}/x.sock"
    assert find(f"unix:{tmp_path}/x.sock", env) == f"unix:{tmp_path}/x.sock"


def test_without_a_word_it_is_the_only_one_or_ones_own(listen: Listen) -> None:
    env = listen("a")
    assert asked_for(None, env) == "a.sock"
    listen("b")
    assert find(None, {**env, "COOP": "1", "COOP_SOCKET": "/run/own.sock"}) == "unix:/run/own.sock"
    with pytest.raises(NoSuchSession, match=r"which session\? a, b"):
        find(None, {**env, "COOP_SOCKET": "/run/own.sock"})


@pytest.mark.parametrize(
    ("names", "word", "said"),
    [
        ((), None, "no session runs here; start one with: coop -- COMMAND"),
        ((), "x", "no session is named 'x'; none runs here"),
        (("a", "b"), "x", "no session is named 'x'; there are: a, b"),
        (("ab", "ac"), "a", "'a' is the beginning of several names: ab, ac"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(listen: Listen, names: tuple[str, ...], word: str | None, said: str) -> None:
    with pytest.raises(NoSuchSession) as refused:
        find(word, listen(*names))
    assert refused.value.message == said
