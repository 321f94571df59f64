"""Recordings of the laboratories, looked at with the command that people use."""

import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

from coop.errors import CoopError
from tests.support.lab import IDLE, Lab

COOP = (sys.executable, "-m", "coop.cli.main")


def coop(*arguments: str | Path, cwd: Path | None = None, code: int = 0) -> str:
    """What a command prints; it must end with that code."""
    done = subprocess.run([*COOP, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False, timeout=60)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def dialogs_without(agent: str, subtype: str, path: Path) -> Path:
    """The agent's own, but one kind of dialog is not in them."""
    text = files(f"coop.agents.{agent}").joinpath("dialogs.toml").read_text()
    head, *tables = text.split("[[dialog]]")
    kept = [table for table in tables if f'subtype = "{subtype}"' not in table]
    path.write_text("[[dialog]]".join((head, *kept)))
    if len(kept) == len(tables) or not tomllib.loads(path.read_text()):
        raise CoopError(f"{agent} has no dialog of subtype {subtype}")
    return path


def shows_what_a_broken_dialog_file_would_have_said(lab: Lab, agent: str, folder: Path) -> None:
    """Of a session that begins with the question whether its folder is trusted."""
    lab.asked("setup_prompt")
    lab.respond(accept=True)
    lab.until(IDLE)
    recording = Path(lab.wire.request("PUT", "/api/v1/recording", json={"on": False}).json()["path"])
    assert coop("replay", recording).startswith("same: ")
    broken = dialogs_without(agent, "trust", folder / "broken.toml")
    shown = coop("replay", "--rules", broken, "--diff", recording, code=1)
    asked = [row for row in shown.splitlines() if "setup_prompt  trust" in row]
    assert asked, shown
    assert all(row.startswith("*") for row in asked), shown
    assert not any("setup_prompt  trust" in row[70:] for row in shown.splitlines()), shown
    assert "answered by api: accepted  trust" in shown, shown
