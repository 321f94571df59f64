"""Random and mutated bytes."""

import json
import random
from typing import Any

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    1e308,
    2**70,
    "",
    "x",
    "\u0000",
    "é漢👨‍👩‍👧",
    "A" * 5000,
    [],
    [1],
    {},
    {"a": 1},
)
TOKENS = (b"{", b"}", b"[", b"]", b'"', b":", b",", b"null", b"1e999", b"\\ud800", b"\xff", b"\x00", b"\xf0\x9f", b" ", b"\n")


def noise(dice: random.Random, most: int = 200) -> bytes:
    return dice.randbytes(dice.randrange(most))


def mangled(dice: random.Random, data: bytes) -> bytes:
    """Cut, doubled, overwritten or spliced with what parsers stumble over."""
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        match dice.randrange(5):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + dice.choice(TOKENS) + data[at:]
            case 2:
                data = data[:at] + noise(dice, 8) + data[at:]
            case 3:
                data = data[:at] + data[max(0, at - 9) :]
            case _:
                data = data[:at] + bytes((dice.randrange(256),)) + data[at + 1 :]
    return data


def wrong_value(dice: random.Random, body: dict[str, Any]) -> dict[str, Any]:
    """One field replaced by a value of any kind, left out, or added."""
    changed = dict(body)
    field = dice.choice([*body, "extra"])
    if dice.random() < 0.2:
        changed.pop(field, None)
    else:
        changed[field] = dice.choice(VALUES)
    return changed


def body(dice: random.Random, example: dict[str, Any]) -> bytes:
    match dice.randrange(4):
        case 0:
            return noise(dice)
        case 1:
            return mangled(dice, json.dumps(example).encode())
        case 2:
            return json.dumps(dice.choice(VALUES)).encode()
        case _:
            return json.dumps(wrong_value(dice, example)).encode()
