"""What a project asks for before the first prompt: an MCP server of its own, and files outside that its CLAUDE.md imports."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from coop_sim.claude.answers import Allow, Deny
from coop_sim.claude.menu import Menu, Option
from coop_sim.claude.versions import Version
from coop_sim.shapes import as_list, as_table, as_text, read_table

_CONFIRM = "Enter to confirm · Esc to cancel"
_IMPORT = re.compile(r"^@(/\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    command: tuple[str, ...]

    def start(self, cwd: Path) -> None:
        """It ends when nobody holds the other end of its input any more."""
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        subprocess.Popen(self.command, cwd=cwd, stdin=pipe, stdout=null, stderr=null)


def server_of(folder: Path) -> Server | None:
    """The first that the project brings along."""
    servers = as_table(read_table(_text(folder / ".mcp.json")).get("mcpServers"))
    for name, table in servers.items():
        given = as_table(table)
        return Server(name, (as_text(given.get("command")), *map(as_text, as_list(given.get("args")))))
    return None


def imports_of(folder: Path) -> tuple[Path, ...]:
    """The files outside of the project that its CLAUDE.md imports."""
    named = (Path(found) for found in _IMPORT.findall(_text(folder / "CLAUDE.md")))
    return tuple(path for path in named if not path.is_relative_to(folder))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def server_dialog(name: str, version: Version) -> Menu:
    told = "  MCP servers may execute code or access system resources. All tool calls require approval."
    heading = (f"  New MCP server found in this project: {name}", "", told, "")
    options = (
        Option("Use this MCP server", Allow()),
        Option("Use this and all future MCP servers in this project", Allow()),
        Option("Continue without using this MCP server", Deny()),
    )
    focus, numbered = (2 if version.safe_start_default else 0), version.numbers_start_dialogs
    return Menu(heading, options, _CONFIRM, Deny(), focus=focus, numbered=numbered, indent=2)


def imports_dialog(paths: tuple[Path, ...], version: Version) -> Menu:
    heading = (
        "  Allow external CLAUDE.md file imports?",
        "",
        "  This project's CLAUDE.md imports files outside the current working directory.",
        "",
        "  External imports:",
        *(f"    {path}" for path in paths),
        "",
    )
    yes, no = Option("Yes, allow external imports", Allow()), Option("No, disable external imports", Deny())
    options = (no, yes) if version.safe_start_default else (yes, no)
    return Menu(heading, options, _CONFIRM, Deny(), numbered=version.numbers_start_dialogs, indent=2)
