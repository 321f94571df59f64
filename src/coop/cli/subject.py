"""What a session serves: a command of its own, or what runs already on somebody else's terminal."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from coop.agents import Agent
from coop.errors import ConfigError
from coop.model.attach import Attachment, Found, Process
from coop.model.launch import Launch, Prepared
from coop.model.state import Tier
from coop.session.disk import RealDisk
from coop.session.processes import beneath
from coop.terminal.backend import Backend
from coop.terminal.pty import PtyBackend

if TYPE_CHECKING:
    from coop.session.attaching import Place

NO_HOOKS = "hooks are installed when an agent is started; this one was running already"
NO_LOG = "the agent's session log was not found when coop attached: it has none yet, or nothing tells which it is"
NO_PIPE = "its terminal shows what it prints; a program that prints JSON is started by coop itself"


@dataclass(frozen=True, slots=True)
class Subject:
    prepared: Prepared
    open: Callable[[], Backend]
    """Raises `LaunchFailed`."""
    attachment: Attachment | None = None


def launched(prepared: Prepared) -> Subject:
    return Subject(prepared, lambda: PtyBackend(prepared.launch))


def attached(place: "Place", agent: Agent, *, resume: str | None) -> Subject:
    """Raises `ConfigError`."""
    if resume is not None:
        raise ConfigError("--resume starts an agent, and --attach finds one that runs: leave one of the two out")
    processes = beneath(place.pid)
    found = agent.attach(processes, place.size, RealDisk()) if agent.attach is not None else None
    found = found or _itself(processes[0], place)
    prepared = replace(found.prepared, absent=_absent(agent, found))
    return Subject(prepared, lambda: place.open(found.pid), Attachment(place.to, place.output))


def running(place: "Place", known: Collection[str]) -> tuple[str, ...]:
    """What is on that terminal, as a command: one of the known ones, else what the terminal was made for."""
    processes = beneath(place.pid)
    found = next((each for each in processes if name_of(each.argv, known) in known), processes[0])
    return (name_of(found.argv, known) or place.to,)


def name_of(argv: Sequence[str], known: Collection[str]) -> str:
    """The second word, where the first is an interpreter's."""
    names = [os.path.basename(word) for word in argv[:2]]
    return next((name for name in names if name in known), names[0] if names else "")


def _itself(process: Process, place: "Place") -> Found:
    return Found(process.pid, Prepared(Launch(process.argv, process.env, place.size, process.cwd)))


def _absent(agent: Agent, found: Found) -> Mapping[Tier, str]:
    missing = {Tier.HOOKS: NO_HOOKS, Tier.STDOUT_JSONL: NO_PIPE}
    if found.prepared.status_files is None:
        missing[Tier.STATUS_FILE] = f"no {agent.name} was found on this terminal when coop attached"
    if found.prepared.log is None:
        missing[Tier.SESSION_LOG] = NO_LOG
    return {tier: why for tier, why in missing.items() if tier in agent.tiers}
