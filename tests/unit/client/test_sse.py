from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from coop.client.sse import Frame, SseReader

STREAM = (
    b": hello\n\n"
    b'id: e-1\nevent: resize\ndata: {"cols":"\xc3\xa9"}\n\n'
    b"retry: 10\n\n"
    b"id:e-2\r\nevent:exit\r\ndata: one\r\ndata: two\r\n\r\n"
    b"data\n\n"
    b"id: e-3\nevent: half\ndata: lost"
)
FRAMES = [Frame("e-1", "resize", '{"cols":"é"}'.encode()), Frame("e-2", "exit", b"one\ntwo"), Frame("", "", b"")]


@given(cuts=st.lists(st.integers(0, len(STREAM))))
def test_frames_are_the_same_however_the_bytes_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    reader, frames = SseReader(), list[Frame]()
    for start, end in pairwise(places):
        frames += reader.receive(STREAM[start:end])
    assert frames == FRAMES
