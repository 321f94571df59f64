import pytest

from coop.terminal.mending import mend, split_at_soft_resets


@pytest.mark.parametrize(
    ("before", "data", "mended"),
    [
        (b"", b"a\x7fb", b"ab"),
        (b"", b"\x1b[g", b"\x1b[0g"),
        (b"x\x1b[", b"g", b"0g"),
        (b"x\x1b", b"[g", b"[0g"),
        (b"", b"\x1b[3g", b"\x1b[3g"),
        (b"", b"g", b"g"),
        (b"[", b"g\x1b[gg", b"g\x1b[0gg"),
    ],
)
def test_what_the_engine_would_get_wrong_is_put_right(before: bytes, data: bytes, mended: bytes) -> None:
    assert mend(before, data) == mended


@pytest.mark.parametrize(
    ("before", "data", "pieces"),
    [
        (b"", b"hello", [b"hello"]),
        (b"", b"a\x1b[!pb\x1b[!p", [b"a\x1b[!p", b"b\x1b[!p", b""]),
        (b"a\x1b[!", b"pb", [b"p", b"b"]),
        (b"a\x1b", b"[!pb", [b"[!p", b"b"]),
        (b"\x1b[!p", b"p", [b"p"]),
        (b"", b"p", [b"p"]),
    ],
)
def test_soft_resets_are_found_wherever_the_stream_is_cut(before: bytes, data: bytes, pieces: list[bytes]) -> None:
    assert split_at_soft_resets(before, data) == pieces
