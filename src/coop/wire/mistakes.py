"""What is wrong with a request, in words that say what was expected and what came instead.

msgspec tells the place, but of a choice not what there is to choose from, and of a number not which it was.
"""

import functools
import re
from collections.abc import Iterator, Sequence, Sized
from typing import Any

import msgspec
from msgspec import inspect

_AT = " - at `"
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")
_LONGEST = 60
Step = str | int


def told(error: msgspec.ValidationError, kind: Any, given: object) -> str:
    """`given` is what was to become one of that kind: as it was sent, where that is bytes or text."""
    what, at, place = str(error).rpartition(_AT)
    if not at:
        return place
    steps = tuple(_steps(place))
    body = _plain(given)
    value = _value(body, steps)
    if what.startswith("Invalid") and (choices := tuple(_choices(_described(kind), steps, body))):
        return f"Expected one of {', '.join(f'`{each}`' for each in choices)}, got {_shown(value)}{at}{place}"
    return f"{_with_value(what, value)}{at}{place}"


@functools.cache
def _described(kind: Any) -> inspect.Type:
    """There are few kinds, and to describe one takes a hundred times as long as to read it."""
    return inspect.type_info(kind)


def _with_value(what: str, value: object) -> str:
    """Lengths are told by a length: what is too long is too long to be told."""
    if ", got" in what or not what.startswith("Expected") or value is None:
        return what
    if " of length " in what:
        return f"{what}, got {len(value)}" if isinstance(value, Sized) else what
    return f"{what}, got {_shown(value)}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _steps(place: str) -> Iterator[Step]:
    for found in _STEP.finditer(place.removesuffix("`")):
        yield found["name"] if found["index"] is None else int(found["index"])


def _plain(given: object) -> object:
    """`None` for what cannot be read to its end: the mistake came first."""
    if not isinstance(given, bytes | str):
        return given
    try:
        return msgspec.json.decode(given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _value(body: Any, steps: Sequence[Step]) -> object:
    for step in steps:
        try:
            body = body[step]
        except (KeyError, IndexError, TypeError):
            return None
    return body


def _choices(kind: inspect.Type, steps: Sequence[Step], body: Any) -> Iterator[object]:
    """The values that there are at that place."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from _choices(inner, steps, body)
        case inspect.UnionType(types=types):
            for each in types:
                yield from _choices(each, steps, body)
        case inspect.LiteralType(values=values) if not steps:
            yield from values
        case inspect.StructType() if steps:
            yield from _in_struct(kind, steps, body)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item) if steps:
            yield from _choices(item, steps[1:], _value(body, steps[:1]))
        case _:
            pass


def _in_struct(kind: inspect.StructType, steps: Sequence[Step], body: Any) -> Iterator[object]:
    """Of several kinds of message only the one that was meant."""
    name, *rest = steps
    if name == kind.tag_field:
        yield kind.tag
    elif kind.tag_field is None or _value(body, [kind.tag_field]) == kind.tag:
        for field in kind.fields:
            if field.encode_name == name:
                yield from _choices(field.type, rest, _value(body, [name]))
