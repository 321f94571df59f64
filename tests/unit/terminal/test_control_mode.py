import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.terminal.control_mode import Block, ControlReader, Notice, PaneOutput, Told, escaped, unescaped


def as_tmux_escapes(data: bytes) -> bytes:
    """What a control client is sent: octal for control characters and the backslash, everything else as it is."""
    return b"".join(b"\\%03o" % code if code < 32 or code == 0x5C else bytes((code,)) for code in data)


def told(*chunks: bytes) -> list[Told]:
    reader = ControlReader()
    return [each for chunk in chunks for each in reader.feed(chunk)]


@given(st.binary())
def test_every_byte_of_a_pane_comes_back(data: bytes) -> None:
    assert unescaped(as_tmux_escapes(data)) == data
    assert told(b"%output %7 " + as_tmux_escapes(data) + b"\n") == [PaneOutput("%7", data)]
    assert told(b"%extended-output %7 12 : " + as_tmux_escapes(data) + b"\n") == [PaneOutput("%7", data)]


@given(st.binary())
def test_what_is_quoted_for_tmux_is_digits_alone(data: bytes) -> None:
    assert unescaped(escaped(data).encode()) == data
    assert set(escaped(data)) <= set("\\01234567")


@pytest.mark.parametrize("data", [b"\\", b"\\9", b"\\12", b"\\779x", b"a\\"])
def test_what_tmux_never_sends_is_left_as_it_is(data: bytes) -> None:
    assert unescaped(data) == data


def test_a_block_holds_whatever_a_pane_shows() -> None:
    inside = [b"%output %1 not really", b"", b"%end 9 9 1", b"%error 1 2 0", b"%begin 5 5 5"]
    stream = b"\n".join(
        [b"%begin 17 42 1", *inside, b"%end 17 42 1", b"%begin 17 43 1", b"no such pane", b"%error 17 43 1", b""]
    )
    assert told(stream) == [Block(tuple(inside)), Block((b"no such pane",), is_error=True)]


def test_notices_have_their_names() -> None:
    stream = b"%session-changed $0 work\n%exit\n%layout-change @1 b25d,80x24,0,0,0 x *\nnoise\n"
    assert told(stream) == [
        Notice("session-changed", "$0 work"),
        Notice("exit"),
        Notice("layout-change", "@1 b25d,80x24,0,0,0 x *"),
    ]


LINES = st.sampled_from(
    [b"%output %1 a\\033[A", b"%begin 1 1 1", b"%end 1 1 1", b"%error 1 1 1", b"text", b"%exit bye", b"", b"%output", b"\xff%"]
)


@given(st.lists(LINES), st.data())
def test_how_the_stream_is_cut_does_not_matter(lines: list[bytes], draw: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)))))
    chunks = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert told(*chunks) == told(stream)


@given(st.binary())
def test_nothing_makes_it_fail(data: bytes) -> None:
    told(data)
