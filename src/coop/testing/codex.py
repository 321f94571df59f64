"""What the real Codex needs to run offline: a seeded HOME, a made-up key, and a model that is ours."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

KEY = "sk-made-up-key-for-tests-0000000001"
MODEL = "gpt-5.5"
"""Its tools are functions; later ones write programs instead."""
_PROVIDER = """\
model_provider = "pretend"
check_for_update_on_startup = false

[model_providers.pretend]
name = "pretend"
base_url = "{url}/v1"
env_key = "PRETEND_API_KEY"
wire_api = "responses"
request_max_retries = {retries}
stream_max_retries = {retries}
"""


@dataclass(frozen=True, slots=True)
class CodexHome:
    """A HOME and a workspace of its own; nothing of the person's is read."""

    home: Path
    workspace: Path

    @property
    def config(self) -> Path:
        return self.home / ".codex/config.toml"

    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PRETEND_API_KEY": KEY, "TERM": "xterm-256color", "SHELL": "/bin/bash"}


def seeded_home(
    root: Path, url: str, *, trusted: bool = True, migrated: bool = True, retries: int = 0, more: str = ""
) -> CodexHome:
    """Past the dialogs that are not asked for. `more` is put at the end of the configuration.

    Codex asks for trust where there is a repository, so there is one when nobody has given it.
    """
    made = CodexHome(root / "home", root / "workspace")
    for folder in (made.config.parent, made.workspace):
        folder.mkdir(parents=True)
    made.config.write_text("\n".join((f'model = "{MODEL}"', _PROVIDER.format(url=url, retries=retries), more)))
    if migrated:
        _append(made, "notice.model_migrations", {MODEL: "gpt-6-sol"})
    if not trusted:
        subprocess.run(("git", "init", "--quiet", made.workspace), check=True)
    else:
        _append(made, f"projects.{json.dumps(str(made.workspace))}", {"trust_level": "trusted"})
    return made


def _append(made: CodexHome, table: str, values: Mapping[str, str]) -> None:
    lines = [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in values.items()]
    with made.config.open("a") as config:
        config.write("\n".join((f"\n[{table}]", *lines, "")))
