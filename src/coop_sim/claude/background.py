"""Shells that go on after their tool use has returned; each tells of its end as if somebody had typed it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from coop_sim.claude.tools import Ran, run_shell
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text
from coop_sim.tasks import Tasks


@dataclass
class Background:
    tasks: Tasks
    cwd: Path
    folder: Path
    """For what they print."""
    on_end: Callable[[str], None]
    running: dict[str, Table] = field(default_factory=dict[str, Table])

    def start(self, use: ToolUse, tool_id: str, session_id: str) -> Ran:
        name, command = f"b{uuid4().hex[:8]}", as_text(use.input.get("command"))
        output = self.folder / session_id / "tasks" / f"{name}.output"
        described = as_text(use.input.get("description"), command)
        self.running[name] = {
            "id": name,
            "type": "shell",
            "status": "running",
            "description": described,
            "command": command,
        }
        self.tasks.begin(self._run(name, tool_id, output))
        told = f"Command running in background with ID: {name}. Output is being written to: {output}."
        response: Table = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
        return Ran(f"{told} You will be notified when it completes.", response | {"backgroundTaskId": name})

    async def _run(self, name: str, tool_id: str, output: Path) -> None:
        described, command = (as_text(self.running[name][key]) for key in ("description", "command"))
        ran = await run_shell(command, self.cwd)
        _write(output, ran.content)
        del self.running[name]
        status, code = ("failed", 1) if ran.failed else ("completed", 0)
        summary = f'Background command "{described}" {status} {"with" if code else ""} (exit code {code})'.replace("  ", " ")
        self.on_end(_notification(name, tool_id, output, status, summary))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _notification(name: str, tool_id: str, output: Path, status: str, summary: str) -> str:
    parts = {"task-id": name, "tool-use-id": tool_id, "output-file": output, "status": status, "summary": summary}
    return "\n".join(
        ["<task-notification>", *(f"<{key}>{value}</{key}>" for key, value in parts.items()), "</task-notification>"]
    )
