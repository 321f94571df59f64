"""How a tool use is shown: before it runs, and after."""

from pathlib import Path

from coop_sim.claude.blocks import Block, Plain, Under, Used
from coop_sim.claude.diffs import changes, counted
from coop_sim.claude.tools import Ran
from coop_sim.claude.versions import Version
from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_table, as_text

_LINES = 4


def pending_block(use: ToolUse, version: Version, cwd: Path, outcome: tuple[str, ...]) -> Block:
    if use.name == "Bash" and version.is_fullscreen:
        return Used(_doing(as_text(use.input.get("description"), "Running a command")), (f"$ {_command(use)}",))
    return Used(title(use, cwd), outcome)


def title(use: ToolUse, cwd: Path) -> str:
    match use.name:
        case "Bash":
            return f"Bash({_command(use)})"
        case "Edit" | "Write" | "Read":
            name = "Update" if use.name == "Edit" else use.name
            return f"{name}({_shown(use, cwd)})"
        case _:
            return f"{use.name}({', '.join(str(value) for value in use.input.values())})"


def finished_blocks(use: ToolUse, ran: Ran, version: Version, cwd: Path, plan_file: Path) -> list[Block]:
    hint = "" if version.is_fullscreen else " (ctrl+o to expand)"
    if ran.failed:
        return [Used(title(use, cwd), _short(f"Error: {ran.content}"))]
    match use.name:
        case "Bash":
            return [Plain("  Ran 1 shell command")] if version.is_fullscreen else [Used(title(use, cwd), _short(ran.content))]
        case "Read":
            return [Plain(f"  Read 1 file{hint}")]
        case "Edit":
            return [Used(title(use, cwd), _edited(use, ran))]
        case "Write":
            return [_written(use, cwd, plan_file)]
        case _:
            return [Used(title(use, cwd), _short(ran.content))]


def answered_blocks(answers: dict[str, str]) -> list[Block]:
    lines = tuple(f"· {question} → {answer}" for question, answer in answers.items())
    return [Plain("●\u00a0User answered Claude's questions:"), Under(lines)]


def _edited(use: ToolUse, ran: Ran) -> tuple[str, ...]:
    before = as_text(as_table(ran.response).get("originalFile"))
    after = before.replace(as_text(use.input.get("old_string")), as_text(use.input.get("new_string")), 1)
    added, removed = counted(before, after)
    told = f"Added {added} line{'s' * (added != 1)}, removed {removed} line{'s' * (removed != 1)}"
    return told, *(f" {number} {sign}{line}" for number, sign, line in changes(before, after))


def _written(use: ToolUse, cwd: Path, plan_file: Path) -> Block:
    if cwd / as_text(use.input.get("file_path")) == plan_file:
        return Used("Updated plan", ("/plan to preview",))
    lines = as_text(use.input.get("content")).rstrip("\n").count("\n") + 1
    return Used(title(use, cwd), (f"Wrote {lines} line{'s' * (lines != 1)} to {_shown(use, cwd)}",))


def _short(text: str) -> tuple[str, ...]:
    lines = text.split("\n")
    return tuple(lines) if len(lines) <= _LINES else (*lines[:3], f"… +{len(lines) - 3} lines (ctrl+o to expand)")


def _command(use: ToolUse) -> str:
    return as_text(use.input.get("command"))


def _shown(use: ToolUse, cwd: Path) -> str:
    path = Path(as_text(use.input.get("file_path")))
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else str(path)


def _doing(description: str) -> str:
    """ "Create a folder" as "Creating a folder"."""
    verb, _, rest = description.partition(" ")
    return f"{verb.removesuffix('e')}ing {rest}".rstrip()
