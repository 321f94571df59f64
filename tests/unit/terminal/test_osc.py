from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.terminal.osc import STATUS_QUERY, OscReader


@pytest.mark.parametrize("end", [b"\x07", b"\x1b\\"])
def test_titles_and_reports_are_given_without_their_ends(end: bytes) -> None:
    stream = "text\x1b]0;✳ Claude Code".encode() + end + b"more\x1b]7501;state=idle:app=claude-code" + end + b"."
    assert OscReader().feed(stream) == ["0;✳ Claude Code", "7501;state=idle:app=claude-code"]


def test_commands_of_others_are_passed_over() -> None:
    assert OscReader().feed(b"\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b]52;c;eA==\x07\x1b]2;title\x07") == ["2;title"]


def test_the_query_is_told() -> None:
    assert OscReader().feed(b"\x1b]7501;?\x07") == [STATUS_QUERY]


def test_a_torn_command_is_kept() -> None:
    reader = OscReader()
    assert [reader.feed(piece) for piece in (b"x\x1b", b"]0;ti", b"tle", b"\x07y")] == [[], [], [], ["0;title"]]


def test_a_command_cut_in_a_character_is_read_whole() -> None:
    reader, title = OscReader(), "\x1b]0;✳ t\x07".encode()
    assert [*reader.feed(title[:5]), *reader.feed(title[5:])] == ["0;✳ t"]


def test_an_endless_command_does_not_fill_the_memory() -> None:
    reader = OscReader()
    reader.feed(b"\x1b]0;")
    for _ in range(100):
        reader.feed(b"x" * 1000)
        assert len(reader._partial) <= 4096


def test_a_command_that_is_too_long_is_passed_over_however_it_comes() -> None:
    title = b"\x1b]0;" + b"x" * 5000 + b"\x07"
    whole, cut = OscReader(), OscReader()
    assert whole.feed(title) == [*cut.feed(title[:4500]), *cut.feed(title[4500:])]


def test_plain_output_costs_nothing() -> None:
    reader = OscReader()
    assert reader.feed(b"line\r\n" * 100) == []
    assert reader._partial == b""


PIECES = st.sampled_from(
    [b"\x1b", b"]", b"\x1b]0;a", b"\x1b]7501;state=working:app=claude-code", b"\x07", b"\\", b"text", b"8;;"]
)


@given(stream=st.lists(PIECES | st.binary(max_size=3), max_size=15).map(b"".join), data=st.data())
def test_chunking_never_changes_what_is_read(stream: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    whole, cut = OscReader(), OscReader()
    pieces = [stream[start:end] for start, end in pairwise([0, *sorted(cuts), len(stream)])]
    assert [command for piece in pieces for command in cut.feed(piece)] == whole.feed(stream)
