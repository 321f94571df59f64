"""Gemini's own folder: who is trusted, and where a workspace's sessions are."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coop_sim.gemini.flags import Options
from coop_sim.gemini.settings import Settings, read_settings
from coop_sim.shapes import Table, as_table, as_text, read_table

TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST = "TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST"


@dataclass(frozen=True, slots=True)
class Home:
    options: Options

    @property
    def folder(self) -> Path:
        env = self.options.env
        return Path(env.get("GEMINI_CLI_HOME") or env.get("HOME", "/"), ".gemini")

    def settings(self) -> Settings:
        return read_settings(self.options.env, self.folder, self.options.cwd, is_trusted=self.trust() is True)

    def trust(self) -> bool | None:
        """`None`: nobody has said."""
        env = self.options.env
        own = read_settings(env, self.folder, self.options.cwd, is_trusted=False)
        if self.options.skips_trust or env.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
            return True
        if own.get("security", "folderTrust", "enabled") is False:
            return True
        return _trusted(self.options.cwd, _table(self.folder / "trustedFolders.json"))

    def say_trust(self, word: str) -> None:
        path = self.folder / "trustedFolders.json"
        _write(path, {**_table(path), str(self.options.cwd): word})

    def say_auth(self, kind: str) -> None:
        path = self.folder / "settings.json"
        before = _table(path)
        security = as_table(before.get("security"))
        auth = {**as_table(security.get("auth")), "selectedType": kind}
        _write(path, {**before, "security": {**security, "auth": auth}})

    def slug(self) -> str:
        """The name of the workspace's folder here; the first who comes gets the plain one."""
        path, cwd = self.folder / "projects.json", str(self.options.cwd)
        known = {each: as_text(name) for each, name in as_table(_table(path).get("projects")).items()}
        if cwd not in known:
            known[cwd] = _free(re.sub(r"[^a-z0-9]+", "-", self.options.cwd.name.lower()).strip("-"), known.values())
            _write(path, {"projects": dict(known)})
        return known[cwd]

    @property
    def sessions(self) -> Path:
        return self.folder / "tmp" / self.slug()

    def chats(self) -> list[Path]:
        """The oldest first; of several of one session, the first: what comes after it is never written to."""
        found: dict[str, Path] = {}
        for path in sorted((self.sessions / "chats").glob("session-*.jsonl")):
            found.setdefault(path.stem[-8:], path)
        return list(found.values())

    def chat(self, name: str) -> Path | None:
        """That of a session's id, of its number in the list, or the latest."""
        chats = self.chats()
        if name == "latest":
            return chats[-1] if chats else None
        if name.isdigit():
            return chats[int(name) - 1] if 0 < int(name) <= len(chats) else None
        return next((path for path in chats if path.stem.endswith(f"-{name[:8].lower()}")), None)


def _trusted(cwd: Path, known: Table) -> bool | None:
    for path in (cwd, *cwd.parents):
        match known.get(str(path)):
            case "TRUST_FOLDER":
                return True
            case "DO_NOT_TRUST":
                return False
            case _:
                pass
    parents = {Path(path).parent for path, word in known.items() if word == TRUST_PARENT}
    return True if parents & {cwd, *cwd.parents} else None


def _free(slug: str, taken: Iterable[str]) -> str:
    names = set(taken)
    return next(name for name in (slug, *(f"{slug}-{n}" for n in range(1, len(names) + 2))) if name not in names)


def _table(path: Path) -> Table:
    try:
        return read_table(path.read_text())
    except OSError:
        return {}


def _write(path: Path, table: Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(table, indent=2))
