"""The deed itself, once it may be done: the tool runs, in the turn or beside it."""

from coop_sim.claude.blocks import Block, Used
from coop_sim.claude.permissions import to_remember
from coop_sim.claude.plans import plan_rows
from coop_sim.claude.session import Session
from coop_sim.claude.tools import Ran, run_tool
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text


async def do(use: ToolUse, tool_id: str, session: Session) -> Ran:
    match use.name:
        case "ExitPlanMode":
            return _approved(use, session)
        case "Bash" if use.input.get("run_in_background") is True and session.background is not None:
            return session.background.start(use, tool_id, session.id)
        case _:
            return await run_tool(use, session.cwd)


def set_mode(mode: str | None, use: ToolUse, session: Session) -> None:
    if mode == "remember":
        session.remembered |= set(to_remember(as_text(use.input.get("command"))))
        # In 2.1.197 "always allow" also turned the session to accept edits.
        mode = None if session.version.offers_auto else "acceptEdits"
    if mode is not None and mode != session.mode:
        session.mode = mode
        session.log.note({"type": "permission-mode", "permissionMode": mode})


def _approved(use: ToolUse, session: Session) -> Ran:
    plan, path = as_text(use.input.get("plan")), session.plan_file
    response: Table = {"plan": plan, "isAgent": False, "filePath": str(path), "planWasEdited": False}
    return Ran(f"User has approved your plan. You can now start coding.\n\n{plan}", response)


def approved_block(use: ToolUse, session: Session) -> Block:
    path, home = session.plan_file, session.options.home
    shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else path
    told = (f"Plan saved to: {shown} · /plan to edit", *plan_rows(as_text(use.input.get("plan"))))
    return Used("User approved Claude's plan", told)
