"""Events in words, and two tellings of one session side by side."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from coop.wire.recording import Published
from coop.wire.states import StateName

_LONGEST = 60


def words(message: Mapping[str, Any]) -> str:
    """What an event tells, on one line."""
    match message:
        case {"type": "state_change", "next": str(state)}:
            about = _prompt(message.get("prompt")) or str(message.get("detail") or "")
            return f"{state}  {_short(about)}".rstrip()
        case {"type": "answered", "prompt": prompt, "by": by, "outcome": outcome}:
            return f"answered by {by}: {outcome or 'nothing shows how'}  {_short(_prompt(prompt))}".rstrip()
        case {"type": "stop", "result": result}:
            return f"stop {result}"
        case {"type": "resize", "cols": cols, "rows": rows}:
            return f"resized to {cols}×{rows}"
        case {"type": "shutdown", "grace_secs": int() | float() as grace}:
            return f"shutting down within {grace:g} s"
        case {"type": "exit", "code": code, "signal": number}:
            return f"ended with {f'code {code}' if number is None else f'signal {number}'}"
        case _:
            return str(message.get("type", "?"))


def _prompt(prompt: Any) -> str:
    match prompt:
        case {"type": "permission"}:
            return f"{prompt.get('tool', '')}: {prompt.get('input_preview', '')}".strip(": ")
        case {"type": "setup"}:
            return str(prompt.get("subtype") or prompt.get("summary") or "")
        case {"subtype": "unrecognized"}:
            return f"unrecognized: {prompt.get('question', '')}"
        case {**known}:
            return str(known.get("question") or known.get("summary") or "")
        case _:
            return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class Row:
    """What the two say at one time; `None` where one says nothing."""

    at: float
    one: str | None
    other: str | None

    @property
    def is_same(self) -> bool:
        return self.one == self.other


def side_by_side(one: Iterable[Published], other: Iterable[Published]) -> Iterator[Row]:
    """By time: both were told of the same items."""
    columns = tuple(_by_time(each) for each in (one, other))
    for at in sorted(columns[0].keys() | columns[1].keys()):
        yield from (Row(at, was, now) for was, now in zip_longest(*(column.get(at, []) for column in columns)))


def _by_time(published: Iterable[Published]) -> dict[float, list[str]]:
    found: dict[float, list[str]] = {}
    for each in published:
        found.setdefault(each.at, []).append(words(each.message))
    return found


def changed_fields(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Where two events of one kind differ."""
    for key in sorted(one.keys() | other.keys()):
        if one.get(key) != other.get(key):
            yield f"{key}: {_short(repr(one.get(key)))} → {_short(repr(other.get(key)))}"


def state_at(published: Iterable[Published], at: float) -> StateName:
    """What the agent was said to do then, by a coop that is to be believed: the one that runs."""
    changes = [each for each in published if each.message["type"] == "state_change" and each.at <= at]
    return cast("StateName", changes[-1].message["next"]) if changes else "starting"
