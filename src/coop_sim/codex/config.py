"""The configuration: `config.toml` of the home, what a trusted folder adds, and `-c` on the command line."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from coop_sim.codex.flags import BadFlags, Options
from coop_sim.shapes import Table, as_list, as_number, as_table, as_text

COMMAND_LINE = "/<session-flags>/config.toml"
"""What the command line is called where a hook's place is told."""
MIGRATIONS = {"gpt-5.5": "gpt-6-sol"}
NAMES = {"gpt-5.5": "GPT-5.5", "gpt-6-sol": "GPT-6 Sol"}
_MODEL = "gpt-5.5"


@dataclass(frozen=True, slots=True)
class Provider:
    url: str
    key: str
    name: str
    request_retries: int = 4
    stream_retries: int = 5


@dataclass(frozen=True, slots=True)
class Config:
    home: Path
    """The folder of `config.toml`."""
    user: Table
    given: Table
    """From the command line."""

    def get(self, *path: str) -> object:
        """The command line comes first."""
        found = _at(self.given, path)
        return found if found is not None else _at(self.user, path)

    @property
    def model(self) -> str:
        return as_text(self.get("model"), _MODEL)

    @property
    def needs_login(self) -> bool:
        return self.get("model_provider") is None and not (self.home / "auth.json").exists()

    @property
    def notify(self) -> list[str]:
        return [as_text(word) for word in as_list(self.get("notify"))]

    @property
    def bursts_are_pastes(self) -> bool:
        return self.get("disable_paste_burst") is not True

    def provider(self, env: Mapping[str, str]) -> Provider | None:
        """`None` when none is described."""
        name = as_text(self.get("model_provider"))
        table = as_table(self.get("model_providers", name)) if name else {}
        if not table:
            return None
        return Provider(
            as_text(table.get("base_url")),
            env.get(as_text(table.get("env_key")), ""),
            name,
            int(as_number(table.get("request_max_retries"), 4)),
            int(as_number(table.get("stream_max_retries"), 5)),
        )

    def trusts(self, folder: Path) -> bool:
        places = (str(folder), str(repository(folder) or folder))
        return any(as_table(self.get("projects", place)).get("trust_level") == "trusted" for place in places)

    def migration(self) -> str | None:
        """The model that should be offered in place of this one; `None` when that was answered."""
        newer = MIGRATIONS.get(self.model)
        return None if newer is None or self.get("notice", "model_migrations", self.model) == newer else newer

    def write(self, table: str, key: str, value: str) -> None:
        """Adds to the file, as the dialogs do."""
        with (self.home / "config.toml").open("a") as file:
            file.write(f"\n[{table}]\n{json.dumps(key)} = {json.dumps(value)}\n")


def repository(folder: Path) -> Path | None:
    """The repository a folder is in."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def read_config(options: Options) -> Config:
    """Raises `BadFlags` when a file or an argument is not TOML."""
    given: Table = {}
    for setting in options.settings:
        _merge(given, _setting(setting))
    if options.model:
        given["model"] = options.model
    return Config(options.codex_home, read_file(options.codex_home / "config.toml"), given)


def read_file(path: Path) -> Table:
    """Empty when there is none."""
    try:
        return tomllib.loads(path.read_text())
    except OSError:
        return {}
    except tomllib.TOMLDecodeError as problem:
        raise BadFlags(f"Error loading config.toml: {path}: {problem}") from problem


def _setting(text: str) -> Table:
    """`key.of.it=value`; a value that is not TOML is a text."""
    key, separator, value = text.partition("=")
    if not separator:
        raise BadFlags(f"Invalid override (missing '='): {text}")
    try:
        found: object = tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        found = value
    for part in reversed(key.strip().split(".")):
        found = {part: found}
    return as_table(found)


def _merge(into: Table, more: Table) -> None:
    for key, value in more.items():
        inner = as_table(into.get(key))
        if inner and as_table(value):
            _merge(inner, as_table(value))
        else:
            into[key] = value


def _at(table: Table, path: tuple[str, ...]) -> object:
    found: object = table
    for key in path:
        found = as_table(found).get(key)
    return found


def layers(config: Config, options: Options) -> Iterator[tuple[str, Table]]:
    """Where hooks can stand: the place's name, and what is there."""
    yield str(config.home / "config.toml"), config.user
    own = options.cwd / ".codex/config.toml"
    if config.trusts(options.cwd) and own != config.home / "config.toml":
        yield str(own), read_file(own)
    yield COMMAND_LINE, config.given
