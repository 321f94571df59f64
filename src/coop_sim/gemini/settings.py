"""Gemini's settings: four layers, of which the administrator's are only read when nobody but root can change them."""

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.shapes import Table, as_list, as_table, read_table

_SYSTEM = "/etc/gemini-cli/settings.json"
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}|\$(\w+)")


@dataclass(frozen=True, slots=True)
class Settings:
    values: Table = field(default_factory=dict[str, object])
    warnings: tuple[str, ...] = ()

    def get(self, *path: str) -> object:
        """`None` when it is not set."""
        value: object = self.values
        for key in path:
            value = as_table(value).get(key)
        return value


def read_settings(env: Mapping[str, str], home: Path, cwd: Path, *, is_trusted: bool) -> Settings:
    """Later layers win; hooks of all of them run."""
    system = Path(env.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH") or _SYSTEM)
    defaults = Path(env.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH") or system.parent / "system-defaults.json")
    project = [(cwd / ".gemini/settings.json", "")] if is_trusted else []
    merged, warnings = Settings().values, list[str]()
    for path, kind in [(defaults, "system defaults"), (home / "settings.json", ""), *project, (system, "system settings")]:
        if kind and path.exists() and not is_roots_alone(path):
            warnings.append(f"Security Warning: Skipping {kind} file {path}: it or a folder above it can be changed by others.")
            continue
        merged = _merged(merged, as_table(_resolved(_read(path), env)))
    return Settings(merged, tuple(warnings))


def is_roots_alone(path: Path) -> bool:
    """Are the file and every folder above it root's, and closed to all others?"""
    for each in (path.absolute(), *path.absolute().parents):
        found = each.stat()
        if found.st_uid != 0 or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return False
    return True


def _read(path: Path) -> Table:
    try:
        return read_table(path.read_text())
    except OSError:
        return {}


def _resolved(value: object, env: Mapping[str, str]) -> object:
    """With the variables in its texts replaced; one that is not set and has no default stays as it is written."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: env.get(found[1] or found[3]) or (found[0] if found[2] is None else found[2]), value)
    if listed := as_list(value):
        return [_resolved(each, env) for each in listed]
    if table := as_table(value):
        return {key: _resolved(each, env) for key, each in table.items()}
    return value


def _merged(before: Table, after: Table, *, is_hooks: bool = False) -> Table:
    merged = dict(before)
    for key, value in after.items():
        if isinstance(value, dict):
            merged[key] = _merged(as_table(before.get(key)), as_table(after[key]), is_hooks=key == "hooks")
        elif is_hooks:
            merged[key] = as_list(before.get(key)) + as_list(value)
        else:
            merged[key] = value
    return merged
