"""What cannot be asked of a session now, and why."""

from coop.agents import Agent
from coop.errors import CoopError, MessageTooLong
from coop.model.attach import Attachment
from coop.model.commands import (
    Command,
    ConfigureStop,
    Nudge,
    Reason,
    Refused,
    Resize,
    ResolveStop,
    Respond,
)
from coop.model.state import ExitStatus
from coop.model.stop import StopConfig, StopMode


def unfit(command: Command, agent: Agent, attachment: Attachment | None) -> Refused | None:
    """For this agent, or on this terminal, whenever it is asked."""
    if _has_no_driver(command, agent):
        return Refused(
            Reason.NO_DRIVER,
            f"agent {agent.name!r} cannot be nudged or answered; start coop with --agent, or use /api/v1/input",
        )
    if attachment is not None and (why := _belongs_to_others(command)):
        return Refused(Reason.NOT_OURS, f"{attachment.to}: {why}")
    return None


def ill_said(error: CoopError) -> Refused:
    """What an agent's own code finds wrong with the words of a command."""
    return Refused(Reason.TOO_LONG if isinstance(error, MessageTooLong) else Reason.BAD_COMMAND, error.message)


def _has_no_driver(command: Command, agent: Agent) -> bool:
    match command:
        case Nudge():
            return agent.type_nudge is None
        case Respond():
            return agent.type_answer is None
        case ConfigureStop():
            return agent.block_stop is None
        case _:
            return False


def _belongs_to_others(command: Command) -> str | None:
    """Why it cannot be asked of a terminal that is attached to; `None` when it can."""
    match command:
        case Resize():
            return "its size is for those it belongs to; coop follows"
        case ConfigureStop(StopConfig(mode=StopMode.GATE)):
            return "the gate needs hooks, and this agent was started without ours; start it with coop"
        case _:
            return None


def untimely(command: Command, *, has_started: bool, ended: ExitStatus | None) -> Refused | None:
    """Before the start, or after the end."""
    if isinstance(command, ConfigureStop | ResolveStop):
        return None
    if not has_started:
        return Refused(Reason.NOT_STARTED, "the child has not started yet; try again in a moment")
    return exited(ended) if ended is not None else None


def exited(status: ExitStatus) -> Refused:
    if status.why:
        return Refused(Reason.EXITED, f"the session has ended: {status.why}")
    how = f"by signal {status.signal}" if status.signal else f"with code {status.code}"
    return Refused(Reason.EXITED, f"the child has exited {how}")
