import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.errors import ConfigError
from coop.model.screen import Size
from coop.terminal.tmux_server import Pane, TmuxServer, facts_of, listed, meant, pane_of, picture_of, version_of

WORK = Pane("%0", "$0", "@0", "work", "0", "0", 11, Size(80, 24), command="bash", window_name="shell")
SIDE = Pane("%1", "$0", "@0", "work", "0", "1", 12, Size(80, 24), command="claude", window_name="shell")
LOGS = Pane("%2", "$0", "@1", "work", "1", "0", 13, Size(80, 24), command="tail", window_name="logs")
PLAY = Pane("%3", "$1", "@2", "play", "0", "0", 14, Size(80, 24), command="sh", window_name="sh")
PANES = (WORK, SIDE, LOGS, PLAY)


@pytest.mark.parametrize(
    ("target", "pane"),
    [
        ("%1", SIDE),
        ("work:0.1", SIDE),
        ("$0:0.1", SIDE),
        ("work:shell.0", WORK),
        ("@0.1", SIDE),
        ("work:1", LOGS),
        ("work:logs", LOGS),
        ("@1", LOGS),
        ("play", PLAY),
        ("=play", PLAY),
        ("$1", PLAY),
        ("wor", None),
        ("%9", None),
        ("", None),
    ],
)
def test_a_target_is_spelled_as_tmux_spells_it(target: str, pane: Pane | None) -> None:
    assert meant(target, PANES) == pane


@pytest.mark.parametrize("target", ["work", "$0", "work:0", "@0", "work:shell"])
def test_of_several_panes_one_must_be_named(target: str) -> None:
    with pytest.raises(ConfigError, match=r"(?s)name one:.*tmux:work:0\.0 .*tmux:work:0\.1  \(%1, claude\)"):
        meant(target, PANES)


def test_what_is_suggested_can_be_given_as_it_is() -> None:
    spaced = Pane("%4", "$2", "@3", "my work", "0", "0", 15, Size(80, 24), command="sh")
    with pytest.raises(ConfigError) as refused:
        meant("work:0", PANES, door="tmux@/tmp/s")
    first, *lines = str(refused.value).splitlines()
    assert first == "--attach tmux@/tmp/s:work:0: there are 2 panes in it; name one:"
    assert lines == ["  tmux@/tmp/s:work:0.0  (%0, bash)", "  tmux@/tmp/s:work:0.1  (%1, claude)"]
    assert listed([spaced], "tmux") == "  'tmux:my work:0.0'  (%4, sh)"


def test_a_window_in_two_sessions_is_one_pane() -> None:
    linked = Pane("%2", "$1", "@1", "play", "5", "0", 13, Size(80, 24))
    found = meant("@1", (LOGS, linked))
    assert found is not None
    assert found.id == "%2"


@pytest.mark.parametrize(
    ("text", "version"),
    [("tmux 3.3a\n", (3, 3)), ("tmux next-3.5", (3, 5)), ("tmux 1.8", (1, 8)), ("tmux master", None), ("", None)],
)
def test_versions_are_read(text: str, version: tuple[int, int] | None) -> None:
    assert version_of(text) == version


@given(st.text())
def test_lines_of_tmux_never_fail(line: str) -> None:
    pane_of(line)
    facts = facts_of(line)
    if facts is not None:
        picture_of(facts, [], [], [])


def test_a_pane_is_read_from_its_line() -> None:
    line = "%1\t$0\t@0\twork\t0\t1\t12\t80\t24\t0\tclaude\tshell\twith tab"
    assert pane_of(line) == Pane("%1", "$0", "@0", "work", "0", "1", 12, Size(80, 24), False, "claude", "shell\twith tab")


def test_without_tmux_it_says_so() -> None:
    with pytest.raises(ConfigError, match="no tmux on the PATH"):
        TmuxServer(None, {"PATH": "/nowhere"})
