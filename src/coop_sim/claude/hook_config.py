"""The hooks of the settings, in the real schema: event, matcher, then a list of hooks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coop_sim.shapes import Table, as_list, as_number, as_table, as_text

_TIMEOUTS = {"UserPromptSubmit": 30.0, "SessionEnd": 1.5}
_TIMEOUT = 600.0
_NO_HTTP = ("SessionStart", "Setup")


@dataclass(frozen=True, slots=True)
class CommandHook:
    command: str
    timeout: float


@dataclass(frozen=True, slots=True)
class HttpHook:
    url: str
    headers: Mapping[str, str]
    allowed_env: frozenset[str]
    timeout: float

    def expanded(self, env: Mapping[str, str]) -> dict[str, str]:
        """The headers, with `$NAME` and `${NAME}` of the allowed names replaced; the others become empty."""

        def value(found: "re.Match[str]") -> str:
            name = found[1] or found[2]
            return env.get(name, "") if name in self.allowed_env else ""

        return {name: re.sub(r"\$\{(\w+)\}|\$(\w+)", value, text) for name, text in self.headers.items()}


Hook = CommandHook | HttpHook


@dataclass(frozen=True, slots=True)
class HookConfig:
    entries: tuple[tuple[str, str, Hook], ...] = ()
    """Event, matcher, hook."""
    problem: str | None = None
    """Why the settings are refused at the start; `None` when they are fine."""

    def hooks(self, event: str, subject: str) -> list[Hook]:
        return [hook for name, matcher, hook in self.entries if name == event and _matches(matcher, subject)]


def read_hooks(settings: Sequence[Table]) -> HookConfig:
    """A file with an error is left out as a whole."""
    problems = [problem for one in settings if (problem := _problem(one)) is not None]
    entries: list[tuple[str, str, Hook]] = []
    for event, group in (each for one in settings if _problem(one) is None for each in _groups(one)):
        listed = [as_table(hook) for hook in as_list(group["hooks"])]
        read = [hook for table in listed if (hook := _hook(event, table)) is not None]
        entries += [(event, as_text(group.get("matcher")), hook) for hook in read]
    return HookConfig(tuple(entries), problems[0] if problems else None)


def _problem(one: Table) -> str | None:
    allowed = as_table(one.get("permissions")).get("allow")
    if allowed is not None and not isinstance(allowed, list):
        return "permissions.allow: Expected array, but received string"
    flat = (event for event, group in _groups(one) if "hooks" not in group)
    return next((f"hooks.{event}: Expected array, but received undefined" for event in flat), None)


def _groups(one: Table) -> list[tuple[str, Table]]:
    return [(event, as_table(group)) for event, groups in as_table(one.get("hooks")).items() for group in as_list(groups)]


def _hook(event: str, table: Table) -> Hook | None:
    timeout = as_number(table.get("timeout"), _TIMEOUTS.get(event, _TIMEOUT))
    match table.get("type"):
        case "command":
            return CommandHook(as_text(table.get("command")), timeout)
        case "http" if event not in _NO_HTTP:
            headers = {name: as_text(value) for name, value in as_table(table.get("headers")).items()}
            allowed = frozenset(as_text(name) for name in as_list(table.get("allowedEnvVars")))
            return HttpHook(as_text(table.get("url")), headers, allowed, timeout)
        case _:
            return None


def _matches(matcher: str, subject: str) -> bool:
    return matcher in ("", "*") or re.fullmatch(matcher, subject) is not None
