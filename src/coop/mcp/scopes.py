"""What the caller of `coop mcp` may do."""

from enum import Enum

from coop.errors import ConfigError


class Scope(Enum):
    READ = "read"
    NUDGE = "nudge"
    RESPOND = "respond"
    START = "start"
    """Runs programs: only those that were named."""


def scopes_of(text: str) -> frozenset[Scope]:
    """`read,nudge` as scopes. Raises `ConfigError`."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = {scope.value: scope for scope in Scope}
    unknown = [word for word in words if word not in known]
    if unknown or not words:
        raise ConfigError(f"--allow {text!r}: expected some of {', '.join(known)}, with commas between them")
    return frozenset(known[word] for word in words)
