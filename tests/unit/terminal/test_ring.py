import pytest

from coop.terminal.ring import Ring


def filled(capacity: int, data: bytes) -> Ring:
    ring = Ring(capacity)
    ring.append(data)
    return ring


def test_bytes_are_found_by_their_offset() -> None:
    chunk = filled(10, b"hello").since(2)
    assert (chunk.data, chunk.offset, chunk.next_offset) == (b"llo", 2, 5)


def test_an_offset_that_has_fallen_out_clamps_to_the_oldest_byte() -> None:
    ring = filled(4, b"abcdef")
    assert ring.start == 2
    assert ring.since(0) == (b"cdef", 2)


def test_an_offset_not_yet_reached_gives_nothing() -> None:
    assert filled(4, b"ab").since(9) == (b"", 2)


def test_a_limit_is_kept() -> None:
    assert filled(10, b"abcdef").since(1, limit=2) == (b"bc", 1)


def test_a_write_across_the_seam_reads_back_whole() -> None:
    ring = filled(4, b"abc")
    ring.append(b"de")
    assert ring.since(0) == (b"bcde", 1)


def test_a_ring_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one byte"):
        Ring(0)
