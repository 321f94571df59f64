"""What the tools do once they may: a small and honest part of what the real ones do."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_text


@dataclass(frozen=True, slots=True)
class Ran:
    """`content` is for the model, `response` for hooks and the log."""

    content: str
    response: object
    failed: bool = False


async def run_tool(use: ToolUse, cwd: Path) -> Ran:
    match use.name:
        case "Bash":
            return await run_shell(as_text(use.input.get("command")), cwd)
        case "Write":
            return _acted(lambda: _write(_path(use, cwd), as_text(use.input.get("content"))))
        case "Edit":
            return _acted(lambda: _edit(_path(use, cwd), use))
        case "NotebookEdit":
            return _acted(lambda: _edit_cell(cwd / as_text(use.input.get("notebook_path")), use))
        case "Read":
            return _acted(lambda: _read(_path(use, cwd)))
        case _:
            return Ran(f"{use.name} completed", dict(use.input))


def _acted(act: Callable[[], Ran]) -> Ran:
    try:
        return act()
    except (OSError, ValueError) as problem:
        return Ran(str(problem), str(problem), failed=True)


async def run_shell(command: str, cwd: Path) -> Ran:
    """Cancelled, it ends the command and what it started."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", command, cwd=cwd, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        out, err = await process.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        raise
    stdout, stderr = out.decode(errors="replace").rstrip("\n"), err.decode(errors="replace").rstrip("\n")
    if process.returncode:
        told = f"Exit code {process.returncode}\n{stdout}{stderr}".rstrip("\n")
        return Ran(told, f"Error: {told}", failed=True)
    response = {"stdout": stdout, "stderr": stderr, "interrupted": False, "isImage": False, "noOutputExpected": not stdout}
    return Ran(stdout or stderr or "(Bash completed with no output)", response)


def _path(use: ToolUse, cwd: Path) -> Path:
    return cwd / as_text(use.input.get("file_path"))


def _write(path: Path, content: str) -> Ran:
    before = path.read_text() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    kind = "create" if before is None else "update"
    told = f"File created successfully at: {path}" if before is None else f"The file {path} has been updated."
    return Ran(told, {"type": kind, "filePath": str(path), "content": content, "structuredPatch": [], "originalFile": before})


def _edit(path: Path, use: ToolUse) -> Ran:
    before, old, new = path.read_text(), as_text(use.input.get("old_string")), as_text(use.input.get("new_string"))
    if old not in before:
        raise ValueError(f"String to replace not found in file.\nString: {old}")
    everywhere = use.input.get("replace_all") is True
    path.write_text(before.replace(old, new, -1 if everywhere else 1))
    response = {"filePath": str(path), "oldString": old, "newString": new, "originalFile": before, "replaceAll": everywhere}
    return Ran(f"The file {path} has been updated successfully.", response)


def _edit_cell(path: Path, use: ToolUse) -> Ran:
    book, cell_id, source = json.loads(path.read_text()), use.input.get("cell_id"), as_text(use.input.get("new_source"))
    cell = next((each for each in book["cells"] if each.get("id") == cell_id), None)
    if cell is None:
        raise ValueError(f'Cell with ID "{cell_id}" not found in notebook.')
    cell["source"] = source
    path.write_text(json.dumps(book))
    return Ran(f"Updated cell {cell_id} with {source}", {"new_source": source, "cell_id": cell_id, "notebook_path": str(path)})


def _read(path: Path) -> Ran:
    text = path.read_text()
    lines = text.splitlines()
    numbered = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
    file = {"filePath": str(path), "content": text, "numLines": len(lines), "startLine": 1, "totalLines": len(lines)}
    return Ran(numbered, {"type": "text", "file": file})
