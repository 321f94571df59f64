"""A session and the model that answers in it, from the command line and the configuration."""

from dataclasses import dataclass, replace

from coop_sim.codex.config import Config
from coop_sim.codex.flags import BadFlags, Options
from coop_sim.codex.history import History, history_of
from coop_sim.codex.hook_config import read_hooks
from coop_sim.codex.hooks import Hooks
from coop_sim.codex.model import Model
from coop_sim.codex.remote import Remote
from coop_sim.codex.rollout import Rollout, find_rollout, first_of, lines, new_rollout
from coop_sim.codex.scripted import Scripted
from coop_sim.codex.session import Session
from coop_sim.scenario import Scenario
from coop_sim.script import Script
from coop_sim.shapes import as_text


@dataclass(frozen=True, slots=True)
class Opened:
    session: Session
    model: Model
    retries: int


def open_session(options: Options, config: Config, scenario: Scenario) -> Opened:
    """Raises `BadFlags` when there is nothing to go on with."""
    hooks = Hooks(read_hooks(config, options), options.env, options.cwd)
    rollout, history, source = _conversation(options, config)
    session = Session(options, config, hooks, rollout, history, source, misfortunes=scenario.faults)
    provider = None if options.scenario else config.provider(options.env)
    model: Model = Remote(provider, config.model) if provider else Scripted(Script(scenario))
    return Opened(session, model, provider.stream_retries if provider else 0)


def _conversation(options: Options, config: Config) -> tuple[Rollout, History, str]:
    if not options.goes_on:
        return new_rollout(config.home), History(), "startup"
    path = find_rollout(config.home, options.session, options.cwd)
    if path is None:
        raise BadFlags(f"ERROR: No saved session found with ID {options.session}.")
    history = history_of(lines(path))
    if options.forks:
        return new_rollout(config.home), history, "fork"
    rollout = Rollout(path, as_text(first_of(path).get("id")))
    rollout.go_on()
    return rollout, history, "resume"


def renewed(opened: Opened, config: Config) -> Opened:
    """After the start-up dialogs: hooks may be trusted now, and the model another one."""
    session, model = opened.session, opened.model
    session.config = config
    session.hooks = Hooks(read_hooks(config, session.options), session.options.env, session.options.cwd)
    return replace(opened, model=replace(model, model=config.model) if isinstance(model, Remote) else model)
