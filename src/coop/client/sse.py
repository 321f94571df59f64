"""Server-sent events out of bytes, however these are cut."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """One event as it was sent. `id` is empty when it had none."""

    id: str
    kind: str
    data: bytes


class SseReader:
    """Bytes in, whole frames out. A frame whose end has not come is kept back, and is lost with the connection."""

    def __init__(self) -> None:
        self._rest = b""
        self._fields: dict[str, list[bytes]] = {}

    def receive(self, data: bytes) -> list[Frame]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [frame for line in lines if (frame := self._line(line.removesuffix(b"\r"))) is not None]

    def _line(self, line: bytes) -> Frame | None:
        if not line:
            return self._frame()
        name, _, value = line.partition(b":")
        if name:  # a line that begins with a colon is a comment
            self._fields.setdefault(name.decode(errors="replace"), []).append(value.removeprefix(b" "))
        return None

    def _frame(self) -> Frame | None:
        fields, self._fields = self._fields, {}
        if "data" not in fields:
            return None
        identity, kind = (fields.get(name, [b""])[-1].decode(errors="replace") for name in ("id", "event"))
        return Frame(identity, kind, b"\n".join(fields["data"]))
