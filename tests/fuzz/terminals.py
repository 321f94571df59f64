"""Terminal bytes: whatever a program writes, the engine lives. Runs in a process of its own, which it may take with it.

python -m tests.fuzz.terminals SEED COUNT
"""

import random
import sys

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from tests.fuzz.mutations import mangled, noise
from tests.support.captured import recordings

PIECES = (
    b"\x1b[", b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b^", b"\x1b\\", b"\x07", b"\x9b", b"\x18", b"\x1a", b"?", b">", b"!", b"$", b";", b":",
    b"1049h", b"1049l", b"2026h", b"2026l", b"2027l", b"69h", b"6h", b"4h", b"20h", b"r", b"s", b"m", b"38;2;1;2;3m", b"48:5:9m",
    b"99999999999999999999", b"0;0", b"J", b"3J", b"K", b"L", b"M", b"P", b"@", b"X", b"S", b"T", b"b", b"H", b"A" * 50, b"g",
    b"\x1bc", b"\x1b#8", b"\x1bD", b"\x1bM", b"\x1b7", b"\x1b8", b"\x1b(0", b"\x0e", b"\x0f", b"8;;http://x\x07", b"52;c;aGk=\x07",
    b"0;title\x07", b"\r\n", b"\t", b"\x08", "漢".encode(), "👨‍👩‍👧".encode(), "e\u0301\u0302\u0303".encode(), b"\xf0\x9f", b"\xff", b"G" * 200,
)  # fmt: skip


def stream(dice: random.Random, captured: list[bytes]) -> bytes:
    match dice.randrange(3):
        case 0:
            return noise(dice, 600)
        case 1:
            real = dice.choice(captured)
            at = dice.randrange(len(real))
            return mangled(dice, real[at : at + 1500])
        case _:
            return b"".join(dice.choice(PIECES) for _ in range(dice.randrange(120)))


def survive(dice: random.Random, data: bytes) -> None:
    screen = GhosttyScreen(Size(dice.randint(1, 90), dice.randint(1, 30)), XTERM, scrollback=dice.choice((0, 10, 1000)))
    while data:
        cut = dice.randint(1, len(data))
        screen.feed(data[:cut])
        data = data[cut:]
        screen.take_replies()
        if dice.random() < 0.1:
            screen.resize(Size(dice.randint(1, 120), dice.randint(1, 40)))
    shown = screen.snapshot()
    assert len(shown.lines) == shown.size.rows == len(shown.generations)
    assert 0 <= shown.cursor.row < shown.size.rows
    assert 0 <= shown.cursor.col < shown.size.cols
    screen.ansi_lines()
    screen.scrollback(5)
    again = GhosttyScreen(screen.size, XTERM)
    again.feed(screen.dump())


def main() -> None:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    captured = [recording.output() for recording in recordings()]
    for number in range(count):
        dice = random.Random(f"{seed}-{number}")
        print(number, flush=True) if number % 50 == 0 else None
        survive(dice, stream(dice, captured))
    print(f"survived {count}", flush=True)


if __name__ == "__main__":
    main()
