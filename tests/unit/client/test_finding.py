"""Which session a word means."""

import os
import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from coop.client import find, sessions
from coop.errors import BadRequest, ConfigError, NoSuchSession

Listen = Callable[..., Mapping[str, str]]


@pytest.fixture
def listen(tmp_path: Path) -> Generator[Listen]:
    """Sessions of these names, and the environment they are found in."""
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    (tmp_path / "coop").mkdir(mode=0o700)
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


def looked_for(word: str, env: Mapping[str, str]) -> str:
    return find(word, env, may_be_begun=True).rpartition("/")[2]


def test_only_what_listens_is_a_session(listen: Listen, tmp_path: Path) -> None:
    env = listen("b", "a")
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "coop" / "dead.sock"))
    dead.close()
    (tmp_path / "coop" / "file.sock").write_text("")
    assert [each.name for each in sessions(env)] == ["a", "b"]
    assert sessions({"XDG_RUNTIME_DIR": "/nonexistent"}) == ()


def test_where_somebody_else_could_have_put_a_socket_nothing_is_asked(listen: Listen, tmp_path: Path) -> None:
    env = listen("a")
    (tmp_path / "coop").chmod(0o755)
    for look in (lambda: sessions(env), lambda: find("a", env), lambda: find(None, env)):
        with pytest.raises(ConfigError, match="must be a directory of yours with mode 0700"):
            look()
    (tmp_path / "coop").rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").chmod(0o700)
    (tmp_path / "coop").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="must be a directory of yours"):
        sessions(env)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_what_belongs_to_somebody_else_is_refused(listen: Listen, tmp_path: Path) -> None:
    env = listen("a")
    os.chown(tmp_path / "coop/a.sock", 4711, -1)
    with pytest.raises(ConfigError, match="is a socket of user 4711"):
        sessions(env)
    os.chown(tmp_path / "coop", 4711, -1)
    with pytest.raises(ConfigError, match="must be a directory of yours"):
        sessions(env)


def test_a_name_counts_before_the_beginning_of_another(listen: Listen) -> None:
    env = listen("claude", "claude-2", "shell")
    assert looked_for("claude", env) == "claude.sock"
    assert looked_for("sh", env) == "shell.sock"


def test_what_was_for_a_session_that_has_ended_is_for_no_other_whose_name_begins_so(listen: Listen) -> None:
    env = listen("work-2", "shell")
    with pytest.raises(NoSuchSession, match=r"^no session is named 'work'; did you mean work-2\?$"):
        find("work", env)
    listen("work-3")
    with pytest.raises(NoSuchSession, match=r"did you mean work-2, work-3\?$"):
        find("work", env)
    assert asked_for("work-2", env) == "work-2.sock"


def test_addresses_are_taken_as_they_are(listen: Listen, tmp_path: Path) -> None:
    env = listen("a")
    assert find("http://127.0.0.1:80", env) == "http://127.0.0.1:80"
    assert find(f"{tmp_path}/x.sock", env) == f"unix:{tmp_path}/x.sock"
    assert find(f"unix:{tmp_path}/x.sock", env) == f"unix:{tmp_path}/x.sock"


@pytest.mark.parametrize(
    ("word", "meant"), [("localhost:8911", "localhost:8911"), ("10.0.0.1:80", "10.0.0.1:80"), (":80", "localhost:80")]
)
def test_a_port_without_http_is_told_how_it_is_written(listen: Listen, word: str, meant: str) -> None:
    with pytest.raises(NoSuchSession) as refused:
        find(word, listen("a"))
    assert refused.value.message == f"no session is named {word!r}; for one on a port say http://{meant}"


def test_without_a_word_it_is_the_only_one_or_ones_own(listen: Listen) -> None:
    env = listen("a")
    assert asked_for(None, env) == "a.sock"
    listen("b")
    assert find(None, {**env, "COOP": "1", "COOP_SOCKET": "/run/own.sock"}) == "unix:/run/own.sock"
    with pytest.raises(NoSuchSession, match=r"which session\? a, b"):
        find(None, {**env, "COOP_SOCKET": "/run/own.sock"})


def test_an_empty_word_is_the_beginning_of_no_name(listen: Listen) -> None:
    """A script whose variable is not set would otherwise end the only session there is."""
    with pytest.raises(BadRequest, match=r"the name of the session is empty; give its name, or `\.`"):
        find("", listen("a"))


@pytest.mark.parametrize(
    ("last", "how"),
    [
        ('{"event":"exited","code":1,"signal":null}', " (code 1)"),
        ('{"event":"exited","code":null,"signal":9}', " (signal 9)"),
        ('{"event":"exited","code":null,"signal":null}', ""),
    ],
)
def test_of_a_session_that_has_ended_it_is_said_how_and_where_its_log_is(
    listen: Listen, tmp_path: Path, last: str, how: str
) -> None:
    env, log = listen(), tmp_path / "coop/demo.log"
    log.write_text(f'{{"event":"listening"}}\n{last}\n')
    with pytest.raises(NoSuchSession) as ended:
        find("demo", env)
    assert ended.value.message == f"'demo' has ended{how}; its log is {log}"
    listen("demo-2")
    with pytest.raises(NoSuchSession, match=r"demo\.log; did you mean demo-2\?$"):
        find("demo", env)


@pytest.mark.parametrize("log", ["", "no JSON\n", "[1]\n", '{"event":"listening"}\n', "\udcff"])
def test_a_log_that_tells_of_no_end_is_passed_over(listen: Listen, tmp_path: Path, log: str) -> None:
    env = listen()
    (tmp_path / "coop/demo.log").write_bytes(log.encode(errors="surrogateescape"))
    for word in ("demo", "de\0mo", "x" * 300):
        with pytest.raises(NoSuchSession, match=r"no session is named .*; none runs here"):
            find(word, env)


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
        find(word, listen(*names), may_be_begun=True)
    assert refused.value.message == said
