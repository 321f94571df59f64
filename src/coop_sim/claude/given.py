"""What a tool is given, as the real model gives it."""

from dataclasses import replace
from pathlib import Path

from coop_sim.claude.session import Session
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text


def absolute(use: ToolUse, session: Session) -> ToolUse:
    """Paths as the real model gives them; ExitPlanMode gets the plan from its file, or leaves it there."""
    given = dict(use.input)
    if "file_path" in given:
        path = as_text(given["file_path"]).replace("{plan_file}", str(session.plan_file))
        given["file_path"] = str(session.cwd / path)
    if use.name == "ExitPlanMode":
        _keep_plan(given, session.plan_file)
    return replace(use, input=given)


def _keep_plan(given: Table, path: Path) -> None:
    if plan := as_text(given.get("plan")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plan)
    if path.exists():
        given |= {"plan": path.read_text(), "planFilePath": str(path)}
