"""Two agents at once, through `coop mcp`: starts them, gives each its task, answers what they ask, collects what they say.

    python examples/orchestrate/orchestrate.py

They are pretend ones, with a home of their own. For real ones give `main` your own program and environment.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from coop.testing.claude import seeded_home
from coop_sim.shims import write_shim

ASKING = ("--permission-mode", "default")
TASKS = {
    "frontend": "Add a greeting to the page",
    "backend": "Which database should the service use?",
}


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What the tool says. A refusal is raised."""
    result = await client.call_tool(tool, arguments)
    told = result.structured_content or {}
    if result.is_error:
        raise RuntimeError(told["error"])
    return told


def answer_to(prompt: dict[str, Any]) -> dict[str, Any]:
    """What the orchestrator decides: here, to take the last thing on offer, or else to say yes."""
    if prompt["type"] == "question":
        return {"option": len(prompt["options"])}
    return {"accept": True}


async def work(client: Client, name: str, task: str, program: str, folder: Path) -> str:
    """The agent's last words on its task."""
    await call(client, "start_session", command=[program, *ASKING], agent="claude", name=name, cwd=str(folder))
    await call(client, "wait_for", session=name, until=["idle"], timeout_secs=120)
    await call(client, "nudge", session=name, message=task, wait_secs=30)
    while True:
        seen = await call(client, "wait_for", session=name, timeout_secs=120)
        if seen["reached"] != "prompt":
            return str(seen.get("last_message", seen["state"]))
        prompt = seen["prompt"]
        given = await call(client, "respond", session=name, prompt_id=prompt["id"], **answer_to(prompt))
        print(f"{name} asked: {prompt.get('question') or prompt['tool']} → {given['effect']}")


async def main(program: str, folder: Path, env: dict[str, str]) -> None:
    arguments = ["-m", "coop.cli.main", "mcp", "--allow", "read,nudge,respond,start", "--program", program]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=env)) as client:
        async with asyncio.TaskGroup() as both:
            at_work = {name: both.create_task(work(client, name, task, program, folder)) for name, task in TASKS.items()}
        for name, done in at_work.items():
            print(f"{name}: {done.result()}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="orchestrate-") as root:
        place = seeded_home(Path(root))
        claude = write_shim(Path(root, "bin"), "claude", scenario=Path(__file__).with_name("scenario.toml"))
        made = {**place.environment("http://127.0.0.1:9"), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": root}
        asyncio.run(main(str(claude), place.workspace, made))
        print("written:", ", ".join(sorted(path.name for path in place.workspace.glob("*.html"))))
