"""JSON lines out of bytes, however they are cut. What is not a line of JSON is passed over."""

import json
import re
from typing import cast

LONGEST = 16 * 1024 * 1024
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_78=>])")


class Lines:
    """Keeps a torn last line for later."""

    def __init__(self) -> None:
        self._partial = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        self._partial += data
        lines: list[bytearray] = []
        if b"\n" in data:  # else what was there before is not searched again: a line may come in thousands of pieces
            *lines, self._partial = self._partial.split(b"\n")
        if len(self._partial) > LONGEST:
            self._partial.clear()
        return [bytes(line) for line in lines if line.strip()]


def record_of(line: bytes) -> dict[str, object] | None:
    """The object in a line; `None` when there is none."""
    try:
        value: object = json.loads(line)
        whole = _whole(value) if _SURROGATE.search(line) else value
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", whole) if isinstance(whole, dict) else None


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def _whole(value: object) -> object:
    """Without halves of characters, which JSON can spell and nothing can encode."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def printed_record_of(line: bytes) -> dict[str, object] | None:
    """The same of a line that went through a terminal, which may have put sequences of its own around it."""
    bare = _ESCAPES.sub(b"", line).strip()
    return record_of(bare) if bare.startswith(b"{") else None
