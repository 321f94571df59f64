from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.errors import ConfigError
from coop.terminal.gnuscreen import FAST, SLOW, GnuScreen, Window, pace, session_meant, sessions_in, window_meant

LISTING = """There are screens on:
\t1234.work\t(11/16/26 15:08:11)\t(Detached)
\t77.play.it\t(Attached)
2 Sockets in /run/screen/S-me.
"""
SESSIONS = ["1234.work", "77.play.it", "78.twice", "79.twice"]
WINDOWS = [Window("1234.work", 0, 5, "/dev/pts/1", "bash"), Window("1234.work", 2, 6, "/dev/pts/2", "claude")]


def test_sessions_are_read_from_their_listing() -> None:
    assert sessions_in(LISTING) == ["1234.work", "77.play.it"]
    assert sessions_in("No Sockets found in /run/screen/S-me.\n") == []


@pytest.mark.parametrize(("name", "session"), [("work", "1234.work"), ("1234.work", "1234.work"), ("play.it", "77.play.it")])
def test_a_session_is_named_with_or_without_its_number(name: str, session: str) -> None:
    assert session_meant(name, SESSIONS) == session


@pytest.mark.parametrize(
    ("name", "says"), [("nowhere", "there are:\n  screen:1234.work"), ("twice", "use one of\n  screen:78.twice")]
)
def test_a_wrong_session_is_answered_with_what_there_is(name: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        session_meant(name, SESSIONS)


def test_of_several_windows_one_must_be_named() -> None:
    assert window_meant("work", "2", WINDOWS).pid == 6
    assert window_meant("work", None, WINDOWS[:1]).pid == 5
    for wanted, says in ((None, "name one of its windows"), ("7", "no such window")):
        with pytest.raises(ConfigError, match=rf"(?s){says}.*screen:work:2  \(claude\)"):
            window_meant("work", wanted, WINDOWS)


def test_a_setting_by_which_leaving_would_end_the_session_is_refused(tmp_path: Path) -> None:
    settings = tmp_path / ".screenrc"
    env = {"HOME": str(tmp_path), "SYSSCREENRC": str(tmp_path / "none")}
    settings.write_text("startup_message off\n# autodetach off\nautodetach on\n")
    GnuScreen(env)
    settings.write_text("startup_message off\n  autodetach off\n")
    with pytest.raises(ConfigError, match="autodetach off"):
        GnuScreen(env)


def test_without_screen_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no screen on the PATH"):
        GnuScreen({"HOME": str(tmp_path), "PATH": "/nowhere"}).find("work")


def test_it_is_looked_at_often_only_while_something_happens() -> None:
    assert [pace(same) for same in (0, 1, 29, 30, 1000)] == [FAST, FAST, FAST, SLOW, SLOW]


@given(st.text())
def test_no_listing_makes_it_fail(text: str) -> None:
    sessions_in(text)
