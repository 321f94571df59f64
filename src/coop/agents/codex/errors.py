"""What kind of error ended a turn, by Codex's own name for it, and by its words where it has none."""

import re
from collections.abc import Mapping
from typing import cast

from coop.model.state import ErrorKind, Failed

_NAMED = {
    "unauthorized": ErrorKind.UNAUTHORIZED,
    "rate_limit_exceeded": ErrorKind.RATE_LIMITED,
    "usage_limit_exceeded": ErrorKind.RATE_LIMITED,
    "server_overloaded": ErrorKind.OVERLOADED,
}
_BY_STATUS = {
    401: ErrorKind.UNAUTHORIZED,
    403: ErrorKind.UNAUTHORIZED,
    402: ErrorKind.OUT_OF_CREDITS,
    429: ErrorKind.RATE_LIMITED,
    503: ErrorKind.OVERLOADED,
    529: ErrorKind.OVERLOADED,
}
_STATUS = re.compile(r"status:? (\d{3})\b")
_SIGNS = (
    ("quota", ErrorKind.OUT_OF_CREDITS),
    ("error sending request", ErrorKind.NO_NETWORK),
    ("connection refused", ErrorKind.NO_NETWORK),
    ("connection failed", ErrorKind.NO_NETWORK),
    ("dns error", ErrorKind.NO_NETWORK),
    ("usage limit", ErrorKind.RATE_LIMITED),
)
_RESETS = re.compile(r"(?:try again|resets?) (?:at|in) ([^.]+)", re.IGNORECASE)


def failure(message: str, info: object = None) -> Failed:
    resets = _RESETS.search(message)
    return Failed(message or "the turn ended with an error", _kind(message, info), resets[1].strip() if resets else None)


def _kind(message: str, info: object) -> ErrorKind:
    named = cast("Mapping[str, object]", info) if isinstance(info, Mapping) else {str(info): None}
    name, details = next(iter(named.items()), ("", None))
    lower = message.lower()
    said = next((kind for sign, kind in _SIGNS if sign in lower), None)
    return _by_status(details, message) or said or _NAMED.get(name, ErrorKind.OTHER)


def _by_status(details: object, message: str) -> ErrorKind | None:
    match details:
        case {"http_status_code": int(status)}:
            return _BY_STATUS.get(status)
        case _:
            found = _STATUS.search(message)
            return _BY_STATUS.get(int(found[1])) if found else None
