"""What is printed at the end: a summary, and how to come back."""

from coop_sim.gemini.boxes import box
from coop_sim.gemini.session import Session


def farewell(session: Session, columns: int, *, seconds: float, calls: int, successes: int) -> list[str]:
    rate = 100.0 * successes / calls if calls else 0.0
    rows = (
        "",
        " Agent powering down. Goodbye!",
        "",
        " Interaction Summary",
        f" Session ID:                 {session.id}",
        f" Tool Calls:                 {calls} ( ✓ {successes} x {calls - successes} )",
        f" Success Rate:               {rate:.1f}%",
        "",
        " Performance",
        f" Wall Time:                  {seconds:.1f}s",
        "",
        f" To resume this session: gemini --resume {session.id}",
    )
    return [*box(rows, columns), ""]
