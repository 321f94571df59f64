"""What an error of Gemini CLI means: `[API Error: {…}]`, or words."""

import re

from coop.model.state import ErrorKind, Failed

_CODE = re.compile(r'"code"\s*:\s*(\d{3})|\bstatus:? (\d{3})\b|\bcode:? (\d{3})\b')
_KINDS = {
    401: ErrorKind.UNAUTHORIZED,
    403: ErrorKind.UNAUTHORIZED,
    429: ErrorKind.RATE_LIMITED,
    503: ErrorKind.OVERLOADED,
    529: ErrorKind.OVERLOADED,
}
_WORDS = (
    (("api key not valid", "api_key_invalid", "unauthenticated"), ErrorKind.UNAUTHORIZED),
    (("resource_exhausted", "quota", "rate limit", "capacity"), ErrorKind.RATE_LIMITED),
    (("overloaded", "unavailable"), ErrorKind.OVERLOADED),
    (("fetch failed", "econnrefused", "enotfound", "econnreset", "etimedout", "network"), ErrorKind.NO_NETWORK),
)


def failure(words: str) -> Failed:
    """By its number where it has one, else by its words."""
    found, lower = _CODE.search(words), words.lower()
    code = int(next(filter(None, found.groups()))) if found else 0
    named = next((kind for signs, kind in _WORDS if any(sign in lower for sign in signs)), ErrorKind.OTHER)
    return Failed(words, _KINDS.get(code, named if code in (0, 400) else ErrorKind.OTHER))
