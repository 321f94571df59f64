"""Keys, plain and by the protocol."""

import pytest

from coop_sim.codex.keys import Keyboard
from coop_sim.keys import ENTER, ESC, Key, Named, Paste, Reply, Text


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"a\r", (Text("a"), ENTER)),
        (b"\x1b", (ESC,)),
        (b"\x1b[27u", (ESC,)),
        (b"\x1b[99;5u", (Named("ctrl+c"),)),
        (b"\x1b[99;5:3u", ()),
        (b"\x1b[9;2u\x1b[Z", (Named("shift+tab"), Named("shift+tab"))),
        (b"\x1b[200~a\r\n\tb\x1b[201~\r", (Paste("a\n\tb"), ENTER)),
        (b"\x1b[1;1R\x1b[I\x1b[?62;22cx", (Reply("\x1b[?62;22c"), Text("x"))),
        (b"\x0b\x15\x7f", (Named("ctrl+k"), Named("ctrl+u"), Named("backspace"))),
    ],
)
def test_bytes_are_keys(data: bytes, keys: tuple[Key, ...]) -> None:
    assert Keyboard().receive(data) == keys


def test_where_it_is_cut_does_not_matter() -> None:
    data = "\x1b[200~naïve 四\x1b[201~\x1b[13u".encode()
    for at in range(1, len(data)):
        if data[at - 1 : at] == b"\x1b":
            continue  # an Esc alone is a key
        keyboard = Keyboard()
        assert keyboard.receive(data[:at]) + keyboard.receive(data[at:]) == (Paste("naïve 四"), ENTER)
