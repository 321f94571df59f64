"""Operating system commands (OSC) in the output: titles and status reports. Chunking makes no difference."""

_START = b"\x1b]"
_LONGEST = 4096
"""A longer one is none of ours, and is passed over."""
STATUS_QUERY = "7501;?"
STATUS_ANSWER = b"\x1b]7501;?\x07"
"""To be told states, a terminal must say that it understands them: by giving the query back."""
_OURS = ("7501;", "133;", "9;4;", "0;", "2;")


class OscReader:
    """Fed with everything the child writes, gives the commands worth reading."""

    def __init__(self) -> None:
        self._partial = b""

    def is_concerned(self, data: bytes) -> bool:
        """Is there anything of a command in it? Quick: one byte is found many times faster than two."""
        if self._partial or data.endswith(b"\x1b"):
            return True
        return b"\x1b" in data and b"]" in data and _START in data

    def feed(self, data: bytes) -> list[str]:
        if not self.is_concerned(data):
            return []
        data = self._partial + data
        self._partial = b""
        found: list[str] = []
        at = 0
        while (start := data.find(_START, at)) != -1:
            end = _end(data, start + 2)
            if end is None:
                self._partial = data[start : start + _LONGEST] if len(data) - start < _LONGEST else b""
                return found
            at = end
            text = data[start + 2 : end].decode(errors="replace")
            if text.startswith(_OURS) and end - start <= _LONGEST:
                found.append(text)
        if data[-1:] == b"\x1b":
            self._partial = b"\x1b"
        return found


def _end(data: bytes, start: int) -> int | None:
    """Where its text ends: before BEL, or before ESC, of which the rest is no matter."""
    ends = [end for end in (data.find(b"\x07", start), data.find(b"\x1b", start)) if end != -1]
    return min(ends, default=None)
