from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.detect import jsonl
from coop.detect.jsonl import Lines, printed_record_of, record_of


def test_a_torn_line_is_kept_until_its_end_comes() -> None:
    lines = Lines()
    assert lines.feed(b'{"a"') == []
    assert lines.feed(b': 1}\n{"b"') == [b'{"a": 1}']
    assert lines.feed(b": 2}\n") == [b'{"b": 2}']


def test_blank_lines_are_none() -> None:
    assert Lines().feed(b"\n  \n\r\n{}\n") == [b"{}"]


def test_an_endless_line_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST", 100)
    lines = Lines()
    assert lines.feed(b"x" * 101) == []
    assert lines.feed(b"the end of it\n{}\n")[-1] == b"{}"


def test_a_long_line_in_many_pieces_is_not_searched_again_with_every_one(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0

    class Counted(bytearray):
        def split(self, *arguments: Any) -> list[bytearray]:
            nonlocal searched
            searched += len(self)
            return super().split(*arguments)

    lines = Lines()
    monkeypatch.setattr(lines, "_partial", Counted())
    assert [line for _ in range(100) for line in lines.feed(b"x" * 100)] == []
    assert searched == 0
    assert lines.feed(b"\n") == [b"x" * 10_000]
    assert searched == 10_001


@given(
    stream=st.lists(st.sampled_from([b"{}", b"\n", b"\r\n", b"x", b" "]) | st.binary(max_size=4)).map(b"".join), data=st.data()
)
def test_chunking_never_changes_the_lines(stream: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))
    whole, cut = Lines(), Lines()
    pieces = [stream[start:end] for start, end in pairwise([0, *sorted(cuts), len(stream)])]
    assert [line for piece in pieces for line in cut.feed(piece)] == whole.feed(stream)


def test_the_object_of_a_line_is_its_record() -> None:
    assert record_of(b'{"type": "user"}') == {"type": "user"}


def test_halves_of_characters_are_replaced_however_deep_they_are() -> None:
    line = b'{"a": "\\ud83d\\ude00", "\\udc00": ' + b"[" * 900 + b'"\\ud83d"' + b"]" * 900 + b"}"
    record = record_of(line)
    assert record is not None
    assert record["a"] == "😀"
    str(record).encode()
    assert record_of(line.replace(b"[", b"[" * 100).replace(b"]", b"]" * 100)) is None


@pytest.mark.parametrize("line", [b"", b"null", b"[1]", b'"x"', b"{", b"\xff", b"[" * 100_000])
def test_what_is_not_an_object_is_no_record(line: bytes) -> None:
    assert record_of(line) is None
    assert printed_record_of(line) is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": 1}\r',
        b'\x1b[?2004h{"a": 1}',
        b'\x1b]0;title\x07{"a": 1}\x1b[0m',
        b'\x1b]0;t\x1b\\\x1b7{"a": 1}',
        b'\x1b=\x1b>{"a": 1}',
    ],
)
def test_a_printed_line_is_read_without_what_the_terminal_put_around_it(line: bytes) -> None:
    assert printed_record_of(line) == {"a": 1}


def test_a_printed_line_that_is_no_object_is_passed_over() -> None:
    assert printed_record_of(b"Error: no such option") is None


@given(st.binary(max_size=40))
def test_no_line_makes_the_readers_raise(line: bytes) -> None:
    record_of(line)
    printed_record_of(line)
