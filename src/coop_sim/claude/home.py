"""What Claude keeps in its HOME: who is trusted, which key is approved, and the settings files."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from coop_sim.claude.flags import Options
from coop_sim.shapes import Table, as_list, as_table, read_table

_SLUG_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Home:
    options: Options

    @property
    def seed_path(self) -> Path:
        inside = "CLAUDE_CONFIG_DIR" in self.options.env
        return (self.options.config_dir if inside else self.options.home) / ".claude.json"

    def seed(self) -> Table:
        return _read(self.seed_path)

    def is_onboarded(self) -> bool:
        return self.seed().get("hasCompletedOnboarding") is True

    def trusts(self, folder: Path) -> bool:
        """An ancestor's trust counts."""
        projects = as_table(self.seed().get("projects"))
        places = (folder, *folder.parents)
        return any(as_table(projects.get(str(place))).get("hasTrustDialogAccepted") is True for place in places)

    def trust(self, folder: Path) -> None:
        seed = self.seed()
        projects = as_table(seed.get("projects"))
        project = as_table(projects.get(str(folder))) | {"hasTrustDialogAccepted": True}
        self._write(seed | {"projects": projects | {str(folder): project}})

    def key_verdict(self, key: str) -> bool | None:
        """Was the key approved or rejected? `None`: never asked."""
        responses = as_table(self.seed().get("customApiKeyResponses"))
        if key[-20:] in as_list(responses.get("approved")):
            return True
        return False if key[-20:] in as_list(responses.get("rejected")) else None

    def judge_key(self, key: str, *, approved: bool) -> None:
        seed = self.seed()
        responses = as_table(seed.get("customApiKeyResponses"))
        place = "approved" if approved else "rejected"
        responses[place] = [*as_list(responses.get(place)), key[-20:]]
        self._write(seed | {"customApiKeyResponses": responses})

    def _write(self, seed: Table) -> None:
        self.seed_path.parent.mkdir(parents=True, exist_ok=True)
        self.seed_path.write_text(json.dumps(seed))

    def settings(self) -> list[Table]:
        """The settings files and flags, weakest first."""
        project = self.options.cwd / ".claude"
        files = [self.options.config_dir / "settings.json", project / "settings.json", project / "settings.local.json"]
        return [_read(path) for path in files] + [_given(text) for text in self.options.settings]

    def setting(self, name: str) -> object | None:
        return next((settings[name] for settings in reversed(self.settings()) if name in settings), None)

    def project_dir(self) -> Path:
        return self.options.config_dir / "projects" / slug(str(self.options.cwd.resolve()))


def slug(path: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]", "-", path)
    return plain if len(plain) <= _SLUG_LENGTH else f"{plain[:_SLUG_LENGTH]}-{sum(map(ord, path)):x}"


def _read(path: Path) -> Table:
    try:
        return read_table(path.read_text())
    except (OSError, UnicodeDecodeError):
        return {}


def _given(text: str) -> Table:
    """`--settings` is a file or the JSON itself."""
    return read_table(text) if text.lstrip().startswith("{") else _read(Path(text))
