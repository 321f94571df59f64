"""What stands in the transcript, and the rows it takes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coop_sim.cells import cut, wrap

INTERRUPTED = "■ Conversation interrupted - use /feedback if something went wrong"
_SHOWN_OUTPUT = 5
_SHOWN_COMMAND = 80


@dataclass(frozen=True, slots=True)
class Plain:
    """Broken at the edge, and nothing else."""

    text: str

    def rows(self, columns: int) -> list[str]:
        return wrap(self.text, columns, rest="" if self.text.startswith("■") else "  ")


@dataclass(frozen=True, slots=True)
class Prompted:
    text: str

    def rows(self, columns: int) -> list[str]:
        return ["", *wrap(self.text.expandtabs(4), columns - 1, first="› ", rest="  "), ""]


@dataclass(frozen=True, slots=True)
class Said:
    text: str

    def rows(self, columns: int) -> list[str]:
        return wrap(_marked_up(self.text.strip()), columns, first="• ", rest="  ")


@dataclass(frozen=True, slots=True)
class Planned:
    text: str

    def rows(self, columns: int) -> list[str]:
        return ["• Proposed Plan", "", "", *wrap(_marked_up(self.text.strip()), columns, first="  ", rest="  "), ""]


@dataclass(frozen=True, slots=True)
class Listed:
    """A heading, and what belongs to it below."""

    heading: str
    below: Sequence[str] = ()
    first: str = "  └ "
    rest: str = "    "

    def rows(self, columns: int) -> list[str]:
        heading = wrap(self.heading, columns, rest="  │ ")
        below = wrap("\n".join(self.below), columns, first=self.first, rest=self.rest) if self.below else []
        return [*heading, *below]


Block = Plain | Prompted | Said | Planned | Listed


def ran(verb: str, command: str, output: str) -> Listed:
    rows = output.rstrip("\n").split("\n") if output.strip() else ["(no output)"]
    hidden = len(rows) - _SHOWN_OUTPUT
    shown = rows if hidden <= 0 else [*rows[: _SHOWN_OUTPUT - 1], f"… +{hidden + 1} lines"]
    return Listed(f"• {verb} {command}", shown)


def cut_command(command: str) -> str:
    first = command.split("\n")[0]
    return first if len(first) <= _SHOWN_COMMAND else cut(first, _SHOWN_COMMAND - 3) + "..."


def worked(seconds: float, clock: str) -> Plain:
    return Plain(f"  Worked for {f'{int(seconds)}s' if seconds >= 1 else '<1s'} • {clock}")


def _marked_up(text: str) -> str:
    return re.sub(r"^(\s*)[-*] ", r"\1• ", re.sub(r"\*\*(.+?)\*\*|`([^`\n]+)`", r"\1\2", text), flags=re.MULTILINE)
