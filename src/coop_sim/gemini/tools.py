"""What tools do when they may: run a command, change a file, read one."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.commands import Finished, run_command
from coop_sim.gemini import diffs
from coop_sim.gemini.blocks import Block, Boxed, Changed
from coop_sim.gemini.requests import NAMES, change, described
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text

DENIED = "[Operation Cancelled] Reason: User denied execution."
INTERRUPTED = "[Operation Cancelled] Reason: Operation cancelled by user"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a tool: `success`, `error` or `cancelled`."""

    use: ToolUse
    status: str
    response: Table
    shown: tuple[str, ...] = ()
    block: Block | None = None
    """Another way to show it."""
    display: object = field(default=None)

    def result(self) -> Table:
        return {"functionResponse": {"id": self.use.id, "name": self.use.name, "response": self.response}}

    def record(self, cwd: Path, stamp: str) -> Table:
        """As the log has it."""
        told: Table = {"id": self.use.id, "name": self.use.name, "args": dict(self.use.input), "result": [self.result()]}
        display: Table = {} if self.display is None else {"resultDisplay": self.display}
        named: Table = {"description": described(self.use, cwd), "displayName": NAMES.get(self.use.name, self.use.name)}
        return {**told, "status": self.status, "timestamp": stamp, **display, **named, "renderOutputAsMarkdown": False}


def blocks(done: list[Done], cwd: Path) -> list[Block]:
    """Changed files stand alone; the others share a box."""
    apart = [each.block for each in done if each.block is not None]
    boxed = tuple((_mark(each), _title(each, cwd), each.shown) for each in done if each.block is None)
    return [*apart, *([Boxed(boxed)] if boxed else [])]


def _mark(done: Done) -> str:
    return {"success": "✓", "error": "x"}.get(done.status, "-")


def _title(done: Done, cwd: Path) -> str:
    name = NAMES.get(done.use.name, done.use.name)
    return name if done.use.name == "ask_user" else f"{name} {described(done.use, cwd)}"


def failed(use: ToolUse, words: str) -> Done:
    return Done(use, "error", {"error": words}, (words,), display=words)


def cancelled(use: ToolUse, words: str = DENIED) -> Done:
    return Done(use, "cancelled", {"error": words})


async def run(use: ToolUse, cwd: Path) -> Done:
    """Cancelled, a command is ended."""
    match use.name:
        case "run_shell_command":
            return await _shell(use, cwd)
        case "write_file" | "replace":
            return _edit(use, cwd)
        case _:
            return _read(use, cwd)


async def _shell(use: ToolUse, cwd: Path) -> Done:
    ended = await run_shell(as_text(use.input.get("command")), cwd)
    output = ended.stdout + ended.stderr
    failure = f"Exit Code: {ended.code}\n" if ended.code else ""
    told = f"<untrusted_context>\nOutput: {output.strip() or '(empty)'}\n{failure}</untrusted_context>"
    return Done(use, "success", {"output": told}, (*output.rstrip().split("\n"), ""), display=output)


async def run_shell(command: str, cwd: Path) -> Finished:
    return await run_command(command, b"", {**os.environ, "GEMINI_CLI": "1"}, cwd)


def _edit(use: ToolUse, cwd: Path) -> Done:
    path = cwd / as_text(use.input.get("file_path"))
    before, after = change(use, cwd)
    if use.name == "replace" and before == after:
        return failed(use, f"Failed to edit, could not find the string to replace in {path}.")
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(after)
    name = path.name
    block = Changed(
        f"✓  {NAMES[use.name]}  {name} → Accepted ({diffs.counted(before, after)})", tuple(diffs.rows(before, after))
    )
    verb = "created and wrote to new file" if is_new else "overwrote file" if use.name == "write_file" else "modified file"
    told = f"Successfully {verb}: {path}. Here is the updated code:\n{after}"
    diff = diffs.unified(name, before, after, was="Original", becomes="Written")
    return Done(use, "success", {"output": told}, block=block, display={"fileDiff": diff, "fileName": name})


def _read(use: ToolUse, cwd: Path) -> Done:
    path = cwd / as_text(use.input.get("file_path"))
    if use.name != "read_file":
        return failed(use, f'Tool "{use.name}" not found.')
    if not path.is_file():
        return failed(use, f"Could not read file because no file was found at the specified path: {path}")
    return Done(use, "success", {"output": path.read_text()}, display="")
