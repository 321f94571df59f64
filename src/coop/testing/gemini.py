"""What the real Gemini CLI needs to run offline: a seeded HOME, a made-up key, and a model that is ours."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

KEY = "made-up-gemini-key-for-tests-0001"
SETTINGS: Mapping[str, object] = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "ui": {"hideTips": True},
}


@dataclass(frozen=True, slots=True)
class GeminiHome:
    """A HOME and a workspace of its own; nothing of the person's is read."""

    home: Path
    workspace: Path

    def environment(self, url: str) -> dict[str, str]:
        return {"HOME": str(self.home), "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": KEY, "TERM": "xterm-256color"}

    @property
    def settings(self) -> Path:
        return self.home / ".gemini/settings.json"


def seeded_home(root: Path, *, trusted: bool = True, signed_in: bool = True) -> GeminiHome:
    """Past the dialogs that are not asked for."""
    made = GeminiHome(root / "home", root / "workspace")
    (made.home / ".gemini").mkdir(parents=True)
    made.workspace.mkdir()
    seed = {key: value for key, value in SETTINGS.items() if signed_in or key != "security"}
    made.settings.write_text(json.dumps(seed))
    if trusted:
        (made.home / ".gemini/trustedFolders.json").write_text(json.dumps({str(made.workspace): "TRUST_FOLDER"}))
    return made
