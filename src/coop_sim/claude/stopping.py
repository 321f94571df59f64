"""The end of a turn, which Stop hooks may put off."""

from coop_sim.claude.blocks import Under
from coop_sim.claude.face import Face
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.log_lines import said_line, stop_hooks_line
from coop_sim.claude.session import Session
from coop_sim.shapes import Table


async def stop(session: Session, face: Face, said: str, *, active: bool) -> str | None:
    """Why the hooks let it not stop yet, which the model is told; `None` when it may. `active`: they did so before."""
    tasks: list[object] = list(session.background.running.values()) if session.background else []
    crons: list[object] = []
    told: Table = {"stop_hook_active": active, "last_assistant_message": said}
    answers = await session.fire("Stop", told | {"background_tasks": tasks, "session_crons": crons})
    complain(face, "Stop", answers)
    ends = any(answer.said.get("continue") is False for answer in answers)
    blocking = None if ends else next((answer for answer in answers if answer.blocks), None)
    feedback = f"Stop hook feedback:\n{blocking.reason}" if blocking else ""
    if blocking is not None:
        session.main.record(said_line(feedback, is_meta=True))
        face.show(Under((feedback,)))
    if answers:
        errors = [blocking.reason] if blocking else []
        session.log.chain(stop_hooks_line([answer.name for answer in answers], errors=errors))
    return blocking.reason if blocking else None


def complain(face: Face, event: str, answers: list[HookAnswer]) -> None:
    """Shows what went wrong with the hooks of an event."""
    face.show(*(Under((text,)) for answer in answers if (text := answer.complaint(event)) is not None))
