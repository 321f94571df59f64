"""JSON lines out of bytes, however they are cut. What is not a line of JSON is passed over."""

import json
import re
from typing import cast

LONGEST = 16 * 1024 * 1024
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_78=>])")


class Lines:
    """Keeps a torn last line for later."""

    def __init__(self) -> None:
        self._partial = b""

    def feed(self, data: bytes) -> list[bytes]:
        *lines, self._partial = (self._partial + data).split(b"\n")
        if len(self._partial) > LONGEST:
            self._partial = b""
        return [line for line in lines if line.strip()]


def record_of(line: bytes) -> dict[str, object] | None:
    """The object in a line; `None` when there is none."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    record = cast("dict[str, object]", value)
    return cast("dict[str, object]", _whole(record)) if _SURROGATE.search(line) else record


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def _whole(value: object) -> object:
    """Without halves of characters, which JSON can spell and nothing can encode."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_whole(key): _whole(each) for key, each in cast("dict[object, object]", value).items()}
        case list():
            return [_whole(each) for each in cast("list[object]", value)]
        case _:
            return value


def printed_record_of(line: bytes) -> dict[str, object] | None:
    """The same of a line that went through a terminal, which may have put sequences of its own around it."""
    bare = _ESCAPES.sub(b"", line).strip()
    return record_of(bare) if bare.startswith(b"{") else None
