"""What the slash commands do that are more than a dialog."""

from coop_sim.claude.answers import Deny
from coop_sim.claude.blocks import Plain
from coop_sim.claude.menu import Menu
from coop_sim.claude.shapes import Table
from coop_sim.claude.stage import Stage
from coop_sim.claude.states import Idle, Working


async def cleared(stage: Stage) -> None:
    """A new session in the same process: new id, new log."""
    await stage.session.fire("SessionEnd", {"reason": "clear"}, subject="clear")
    stage.session.restart()
    stage.clear()
    await stage.session.fire("SessionStart", {"source": "clear"}, subject="clear")
    stage.session.become(Idle())


async def compacted(stage: Stage) -> None:
    """The id and the log stay."""
    session = stage.session
    session.become(Working())
    try:
        await session.fire("PreCompact", {"trigger": "manual", "custom_instructions": None}, subject="manual")
        metadata: Table = {"trigger": "manual", "preTokens": 32}
        told: Table = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "level": "info"}
        session.log.chain(told | {"isMeta": False, "compactMetadata": metadata})
        await session.fire("SessionStart", {"source": "compact", "model": session.version.model}, subject="compact")
        await session.fire("PostCompact", {"trigger": "manual", "compact_summary": "A summary."}, subject="manual")
        stage.show(Plain("✻ Conversation compacted (ctrl+o for history)"))
    finally:
        session.become(Idle())


def status_dialog(stage: Stage, *, heading: str = "Status") -> Menu:
    """It swallows every key until Esc."""
    rows = ("─" * stage.columns, f"  {heading}", "", f"  Session ID: {stage.session.id}", f"  cwd: {stage.session.cwd}", "")
    return Menu(rows, (), "Esc to cancel", Deny(), enter_confirms=False)
