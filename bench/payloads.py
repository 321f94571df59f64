"""What the floods are made of: plain lines, coloured lines, and the redraws of a full-screen agent interface."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.home import COLS, ROWS

TEXT = (
    "the session layer reads bytes from a terminal and keeps the last of them in a ring so that late joiners see "
    "def return import class self async await None True match case for in while error warning build test passed "
    "src/coop/terminal/screen.py tests/unit/test_ring.py 0x7f3a 128 4096 --verbose commit merged https://example.org"
)
WORDS = TEXT.split()
BLOCK = 1 << 20
"""Each payload is this much made-up text, repeated: no peer has a cache that could know it again."""


def sentence(dice: random.Random, width: int) -> str:
    words: list[str] = []
    length = 0
    while length < width:
        words.append(dice.choice(WORDS))
        length += len(words[-1]) + 1
    return " ".join(words)[:width]


def plain_line(dice: random.Random) -> str:
    return sentence(dice, dice.randint(10, 120)) + "\n"


def coloured_line(dice: random.Random) -> str:
    """As a test runner or a syntax highlighter writes: every word its own attributes."""
    words = sentence(dice, dice.randint(20, 120)).split()
    return "".join(f"{colour(dice)}{word}\x1b[0m " for word in words) + "\n"


def colour(dice: random.Random) -> str:
    match dice.randrange(3):
        case 0:
            return f"\x1b[{dice.choice((1, 2, 3, 4))};{dice.randint(30, 37)}m"
        case 1:
            return f"\x1b[38;5;{dice.randrange(256)}m"
        case _:
            return f"\x1b[38;2;{dice.randrange(256)};{dice.randrange(256)};{dice.randrange(256)}m"


def frame(dice: random.Random) -> str:
    """One synchronized redraw: transcript above, spinner, input box and status line below."""
    rows = [transcript_row(dice) for _ in range(ROWS - 5)]
    rows += [
        f"\x1b[38;5;174m{dice.choice('✶✻✽·')} Working… \x1b[2m({dice.randrange(600)}s · esc to interrupt)\x1b[0m",
        "\x1b[2m╭" + "─" * (COLS - 2) + "╮\x1b[0m",
        f"\x1b[2m│\x1b[0m > {sentence(dice, 60):<{COLS - 6}} \x1b[2m│\x1b[0m",
        "\x1b[2m╰" + "─" * (COLS - 2) + "╯\x1b[0m",
        f"\x1b[2m  {sentence(dice, 40)}\x1b[0m",
    ]
    drawn = "".join(f"\x1b[{number};1H{row}\x1b[K" for number, row in enumerate(rows, start=1))
    return f"\x1b[?2026h\x1b[?25l{drawn}\x1b[{ROWS - 2};5H\x1b[?25h\x1b[?2026l"


def transcript_row(dice: random.Random) -> str:
    text = placed(sentence(dice, dice.randint(20, 140)), column=3)
    match dice.randrange(6):
        case 0:
            return ""
        case 1:
            return f"\x1b[1m⏺\x1b[0m\x1b[3G{text}"
        case 2:
            return f"  \x1b[48;5;22m{text}\x1b[0m"
        case _:
            return f"  {text}"


def placed(text: str, *, column: int) -> str:
    """Words put in their columns one by one, as Claude Code draws them: it sends no spaces."""
    words: list[str] = []
    for word in text.split():
        words.append(f"\x1b[{column}G{word}")
        column += len(word) + 1
    return "".join(words)


PIECES: Mapping[str, Callable[[random.Random], str]] = {"plain": plain_line, "colour": coloured_line, "TUI": frame}


def write_payload(folder: Path, kind: str, megabytes: int) -> Path:
    """The same bytes for the same arguments; whole pieces only, so that it can be repeated."""
    path = folder / f"{kind}-{megabytes}"
    if not path.exists():
        block = make_block(kind)
        with path.open("wb") as file:
            for _ in range(max(1, megabytes * 1_000_000 // len(block))):
                file.write(block)
    return path


def make_block(kind: str) -> bytes:
    dice = random.Random(kind)
    pieces = bytearray()
    while len(pieces) < BLOCK:
        pieces += PIECES[kind](dice).encode()
    return bytes(pieces)
