"""JSON of whatever is at hand: paths and words of a command line may be bytes that are no UTF-8, and JSON has no way to say them."""

import re
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode
_LONE = re.compile("[\ud800-\udfff]")
"""As Python keeps such bytes."""


def encode(body: object) -> bytes:
    """Each such byte is `�`: one path that cannot be told does not keep all else from being told."""
    try:
        return _encode(body)
    except UnicodeEncodeError:
        return _encode(_legible(msgspec.to_builtins(body)))


def _legible(body: Any) -> Any:
    match body:
        case str():
            return _LONE.sub("�", body)
        case {**named}:
            return {_legible(name): _legible(each) for name, each in named.items()}
        case [*several]:
            return [_legible(each) for each in several]
        case _:
            return body
