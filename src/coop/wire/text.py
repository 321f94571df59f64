"""JSON of whatever is at hand: paths and words of a command line may be bytes that are no UTF-8, and JSON has no way to say them."""

import re
from typing import cast

import msgspec

_LONE = re.compile("[\ud800-\udfff]")
"""As Python keeps such bytes."""


def encode(body: object) -> bytes:
    """Each such byte is `�`: one path that cannot be told does not keep all else from being told."""
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return msgspec.json.encode(_legible(msgspec.to_builtins(body)))


def _legible(body: object) -> object:
    match body:
        case str():
            return _LONE.sub("�", body)
        case dict():
            return {_legible(key): _legible(value) for key, value in cast("dict[object, object]", body).items()}
        case list() | tuple():
            return [_legible(each) for each in cast("list[object]", body)]
        case _:
            return body
