"""What the slash commands do that are more than a dialog."""

from coop_sim.claude.answers import Deny
from coop_sim.claude.blocks import Plain
from coop_sim.claude.log_lines import said_line
from coop_sim.claude.menu import Menu
from coop_sim.claude.model import Call, Model
from coop_sim.claude.rounds import TOOLS
from coop_sim.claude.session import Session
from coop_sim.claude.stage import Stage
from coop_sim.claude.states import Idle, Working
from coop_sim.scenario import Refused
from coop_sim.shapes import Table

_SUMMARIZE = "Your task is to create a detailed summary of the conversation so far."
_CONTINUED = "This session is being continued from a previous conversation that ran out of context."


async def cleared(stage: Stage) -> None:
    """A new session in the same process: new id, new log."""
    stage.session.become(Working())
    await stage.session.fire("SessionEnd", {"reason": "clear"}, subject="clear")
    stage.session.restart()
    stage.clear()
    await stage.session.fire("SessionStart", {"source": "clear"}, subject="clear")
    stage.session.become(Idle())


async def compacted(stage: Stage, model: Model) -> None:
    """The id and the log stay; what was said becomes a summary."""
    session = stage.session
    before = session.state
    session.become(Working())
    try:
        await session.fire("PreCompact", {"trigger": "manual", "custom_instructions": None}, subject="manual")
        asked: Table = {"role": "user", "content": [{"type": "text", "text": _SUMMARIZE}]}
        summary = await model.summary(Call([*session.main.history.messages, asked], session.reminder(), TOOLS))
        for _ in range(session.version.compacting_agents):
            await session.fire("SubagentStop", {"stop_hook_active": False}, besides={"agent_id": "", "agent_type": ""})
        _record(session, summary)
        await session.fire("PostCompact", {"trigger": "manual", "compact_summary": summary}, subject="manual")
        await session.fire("SessionStart", {"source": "compact", "model": session.version.model}, subject="compact")
        stage.show(Plain("✻ Conversation compacted (ctrl+o for history)"))
    except Refused as refused:
        stage.show(Plain(f"Error: Error during compaction: {refused.error.message}"))
    finally:
        session.become(before)


def _record(session: Session, summary: str) -> None:
    metadata: Table = {"trigger": "manual", "preTokens": 32}
    told: Table = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "level": "info"}
    session.log.chain(told | {"isMeta": False, "compactMetadata": metadata})
    session.main.history.clear()
    session.main.record(said_line(f"{_CONTINUED}\n\n{summary}", isCompactSummary=True, isVisibleInTranscriptOnly=True))


def status_dialog(stage: Stage, *, heading: str = "Status") -> Menu:
    """It swallows every key until Esc."""
    session = stage.session
    told = {
        "Version": session.version.number,
        "Session ID": session.id,
        "cwd": session.cwd,
        "Model": f"Default ({session.version.model})",
    }
    rows = [f"  {name + ':':<21}{value}" for name, value in told.items()]
    title = "  Settings  Status   Config   Usage   Stats" if heading == "Status" else f"  {heading}"
    return Menu(("─" * stage.columns, title, "", *rows, ""), (), "Esc to cancel", Deny(), enter_confirms=False, indent=2)
