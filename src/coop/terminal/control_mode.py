"""tmux's control mode, read: what a pane wrote, what a command answered, and what tmux tells unasked. Does no I/O."""

from collections.abc import Iterator
from dataclasses import dataclass

_BYTES = {b"%03o" % code: bytes((code,)) for code in range(256)}
_ESCAPE = b"\\"


@dataclass(frozen=True, slots=True)
class PaneOutput:
    pane: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Block:
    """What one command answered."""

    lines: tuple[bytes, ...]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """`%layout-change @1 …`, without the percent sign."""

    name: str
    rest: str = ""


Told = PaneOutput | Block | Notice


class ControlReader:
    """Feed it bytes as they come; how they are cut does not matter."""

    def __init__(self) -> None:
        self._rest = b""
        self._block: tuple[bytes, list[bytes]] | None = None

    def feed(self, data: bytes) -> Iterator[Told]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            told = self._on_line(line)
            if told is not None:
                yield told

    def _on_line(self, line: bytes) -> Told | None:
        if self._block is not None:
            return self._on_block_line(line, *self._block)
        if line.startswith(b"%begin "):
            self._block = (line.removeprefix(b"%begin "), [])
            return None
        return _read(line)

    def _on_block_line(self, line: bytes, mark: bytes, lines: list[bytes]) -> Block | None:
        """What a pane shows may look like an end; only the one with the mark of the beginning is."""
        is_error = line == b"%error " + mark
        if not is_error and line != b"%end " + mark:
            lines.append(line)
            return None
        self._block = None
        return Block(tuple(lines), is_error)


def _read(line: bytes) -> Told | None:
    name, _, rest = line.partition(b" ")
    match name:
        case b"%output":
            pane, _, data = rest.partition(b" ")
            return PaneOutput(pane.decode(errors="replace"), unescaped(data))
        case b"%extended-output":
            head, _, data = rest.partition(b" : ")
            return PaneOutput(head.partition(b" ")[0].decode(errors="replace"), unescaped(data))
        case _ if name.startswith(b"%"):
            return Notice(name[1:].decode(errors="replace"), rest.decode(errors="replace"))
        case _:
            return None


def unescaped(data: bytes) -> bytes:
    """Control characters and the backslash come as three octal digits behind a backslash."""
    if _ESCAPE not in data:
        return data
    first, *others = data.split(_ESCAPE)
    return first + b"".join(_BYTES.get(each[:3], _ESCAPE + each[:3]) + each[3:] for each in others)


def escaped(data: bytes) -> str:
    """For a command's argument between double quotes."""
    return "".join(f"\\{code:03o}" for code in data)
