"""Which session a command line means: a new one, an old one, or a copy of one."""

from dataclasses import dataclass
from uuid import uuid4

from coop_sim.claude.blocks import Block, Prompted, Said
from coop_sim.claude.flags import BadFlags, Options
from coop_sim.claude.history import history_of
from coop_sim.claude.home import Home
from coop_sim.claude.hook_config import HookConfig
from coop_sim.claude.hooks import Hooks
from coop_sim.claude.log import read_lines
from coop_sim.claude.session import Session
from coop_sim.claude.session_files import new_log, new_status_file
from coop_sim.claude.strand import Strand
from coop_sim.scenario import Scenario
from coop_sim.shapes import Table, as_list, as_table, as_text


@dataclass(frozen=True, slots=True)
class Opened:
    session: Session
    source: str
    """For the SessionStart hook."""
    past: tuple[Block, ...] = ()


def open_session(options: Options, scenario: Scenario, hooks: HookConfig) -> Opened:
    old = _old_id(options)
    new = options.session_id or str(uuid4())
    project = Home(options).project_dir()
    if old is None and (project / f"{new}.jsonl").exists():
        raise BadFlags(f"Error: Session ID {new} is already in use.")
    if old is not None and options.forks:
        (project / f"{new}.jsonl").write_bytes((project / f"{old}.jsonl").read_bytes())
    log = new_log(options, new if old is None or options.forks else old)
    runner = Hooks(hooks, options.env)
    lines = read_lines(log.path)
    main = Strand(log, history_of(lines))
    session = Session(options, scenario, runner, main, new_status_file(options), _mode(options), scenario.faults)
    session.status.is_absent = scenario.faults.no_status_file
    is_fork = old is not None and options.forks and options.version.forks_with_new_id
    source = "startup" if old is None else "fork" if is_fork else "resume"
    return Opened(session, source, _past(lines))


def _old_id(options: Options) -> str | None:
    """The session to go on with; `None` for a new one."""
    project = Home(options).project_dir()
    if options.continues or options.resume == "":
        logs = sorted(project.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        if not logs:
            raise BadFlags("No conversation found to continue")
        return logs[-1].stem
    if options.resume is not None and not (project / f"{options.resume}.jsonl").exists():
        raise BadFlags(f"No conversation found with session ID: {options.resume}")
    return options.resume


def _mode(options: Options) -> str:
    if options.mode is not None:
        return options.mode
    home = Home(options)
    permissions = as_table(home.setting("permissions"))
    if wanted := as_text(permissions.get("defaultMode")):
        return wanted
    is_disabled = "disable" in (permissions.get("disableAutoMode"), home.setting("disableAutoMode"))
    return "default" if is_disabled or options.prints else options.version.default_mode


def _past(lines: list[Table]) -> tuple[Block, ...]:
    """The conversation so far, as far as it was text."""
    blocks: list[Block] = []
    for line in lines:
        content = as_table(line.get("message")).get("content")
        match line.get("type"), content:
            case "user", str(text):
                blocks.append(Prompted(text))
            case "assistant", _:
                texts = [as_text(as_table(part).get("text")) for part in as_list(content)]
                blocks += [Said(text) for text in texts if text]
            case _:
                pass
    return tuple(blocks)
