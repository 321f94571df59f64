"""Which hooks there are, and which of them somebody has trusted: each by its place and its hash."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from coop_sim.codex.config import Config, layers
from coop_sim.codex.flags import Options
from coop_sim.shapes import Table, as_list, as_number, as_table, as_text

EVENTS = (
    "SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SubagentStart SubagentStop "
    "Stop Interrupt SessionEnd"
).split()
_SHORT = ("SessionEnd", "Interrupt")
_SHORTEST, _LONGEST = 3.0, 600.0
_INSIDE = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Hook:
    event: str
    key: str
    """Where it stands."""
    command: str
    timeout: float
    matcher: str | None
    is_trusted: bool

    def matches(self, subject: str) -> bool:
        return self.matcher is None or re.search(self.matcher, subject) is not None

    @property
    def source(self) -> str:
        return self.key.rsplit(":", 3)[0]


def read_hooks(config: Config, options: Options) -> tuple[Hook, ...]:
    """All of them; those that nobody trusts do not run."""
    trusted = {**as_table(_state(config.user)), **as_table(_state(config.given))}
    return tuple(
        hook
        for place, table in layers(config, options)
        for hook in _hooks(place, as_table(table.get("hooks")), trusted, trusts_all=options.bypasses_hook_trust)
    )


def _state(table: Table) -> object:
    return as_table(table.get("hooks")).get("state")


def _hooks(place: str, hooks: Table, trusted: Table, *, trusts_all: bool) -> Iterator[Hook]:
    for event in EVENTS:
        for outer, group in enumerate(as_list(hooks.get(event))):
            for inner, entry in enumerate(as_list(as_table(group).get("hooks"))):
                key = f"{place}:{snake(event)}:{outer}:{inner}"
                wanted = as_table(trusted.get(key)).get("trusted_hash")
                yield _hook(event, key, as_table(group), as_table(entry), wanted, trusts_all=trusts_all)


def _hook(event: str, key: str, group: Table, entry: Table, wanted: object, *, trusts_all: bool) -> Hook:
    longest = _SHORTEST if event in _SHORT else _LONGEST
    timeout = min(as_number(entry.get("timeout"), _LONGEST), longest)
    command = as_text(entry.get("command"))
    matcher = group.get("matcher")
    found = Hook(event, key, command, timeout, matcher if isinstance(matcher, str) else None, is_trusted=False)
    is_trusted = trusts_all or wanted == fingerprint(found, is_async=entry.get("async") is True)
    return Hook(event, key, command, timeout, found.matcher, is_trusted)


def fingerprint(hook: Hook, *, is_async: bool = False) -> str:
    """What it is trusted by: the definition with its defaults, in one spelling."""
    whole = {"type": "command", "command": hook.command, "timeout": int(hook.timeout), "async": is_async}
    named: Table = {"event_name": snake(hook.event), "hooks": [whole]}
    named |= {"matcher": hook.matcher} if hook.matcher is not None else {}
    spelled = json.dumps(named, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(spelled.encode()).hexdigest()


def snake(event: str) -> str:
    return _INSIDE.sub("_", event).lower()
