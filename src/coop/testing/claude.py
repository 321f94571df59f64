"""What the real Claude Code needs to run offline: a seeded HOME, a made-up key, and a model that is ours."""

import json
from dataclasses import dataclass
from pathlib import Path

KEY = "sk-ant-made-up-key-for-tests-0000000001"
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
}


@dataclass(frozen=True, slots=True)
class ClaudeHome:
    """A HOME and a workspace of its own; nothing of the person's is read."""

    home: Path
    workspace: Path

    def environment(self, url: str) -> dict[str, str]:
        return {"HOME": str(self.home), "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY, "TERM": "xterm-256color", **_QUIET}

    def also_trusting(self, folder: Path) -> "ClaudeHome":
        """The same HOME with another workspace, which is made."""
        folder.mkdir()
        seed = self.home / ".claude.json"
        told = json.loads(seed.read_text())
        told["projects"][str(folder)] = {"hasTrustDialogAccepted": True}
        seed.write_text(json.dumps(told))
        return ClaudeHome(self.home, folder)


def seeded_home(root: Path, *, trusted: bool = True, key_approved: bool = True, onboarded: bool = True) -> ClaudeHome:
    """Past the onboarding, which cannot be done offline to its end, and past the dialogs that are not asked for."""
    made = ClaudeHome(root / "home", root / "workspace")
    made.home.mkdir()
    made.workspace.mkdir()
    approved = [KEY[-20:]] if key_approved else []
    seed: dict[str, object] = {
        **({"hasCompletedOnboarding": True, "theme": "dark"} if onboarded else {}),
        "customApiKeyResponses": {"approved": approved, "rejected": []},
        "projects": {str(made.workspace): {"hasTrustDialogAccepted": trusted}},
    }
    (made.home / ".claude.json").write_text(json.dumps(seed))
    return made
