"""Hooks of ours on Codex's command line, trusted by their hash: ours alone, and nobody else's.

Codex runs only hooks whose hash somebody has trusted, and keeps those hashes by where a hook stands. The command line is
such a place, with a name of its own, so what we say there about trust can only be about what we put there ourselves.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

COMMAND_LINE = "/<session-flags>/config.toml"
_INSIDE = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Hook:
    command: str
    timeout: int
    """In seconds; Codex kills what takes longer, and goes on."""


def flags(hooks: Mapping[str, Hook]) -> tuple[str, ...]:
    """The arguments that install them by their event, and say that they are trusted."""
    installed = (f"hooks.{event}=[{{hooks=[{_entry(hook)}]}}]" for event, hook in hooks.items())
    state = ",".join(f'{_text(_key(event))}={{trusted_hash="{trusted_hash(event, hook)}"}}' for event, hook in hooks.items())
    return tuple(word for setting in (*installed, f"hooks.state={{{state}}}") for word in ("-c", setting))


def trusted_hash(event: str, hook: Hook) -> str:
    """As Codex computes it: of the definition with its defaults, as JSON with sorted keys and no blanks."""
    whole = {"type": "command", "command": hook.command, "timeout": hook.timeout, "async": False}
    identity = {"event_name": _snake(event), "hooks": [whole]}
    spelled = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(spelled.encode()).hexdigest()}"


def _entry(hook: Hook) -> str:
    return f'{{type="command",command={_text(hook.command)},timeout={hook.timeout}}}'


def _key(event: str) -> str:
    return f"{COMMAND_LINE}:{_snake(event)}:0:0"


def _snake(event: str) -> str:
    return _INSIDE.sub("_", event).lower()


def _text(value: str) -> str:
    """A TOML string."""
    return json.dumps(value, ensure_ascii=False)
