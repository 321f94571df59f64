"""`python -m scripts.agents_page`: writes the table in docs/agents.md anew, from what the agents of this package are."""

import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from coop.agents import UNKNOWN, Agent
from coop.agents.generic import configured
from coop.errors import ConfigError
from coop.model.launch import Launch, SessionPlaces
from coop.model.screen import Size
from coop.model.state import Tier
from coop.session.disk import RealDisk

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "agents.md"
BEGIN, END = "<!-- made by python -m scripts.agents_page -->\n", "<!-- until here -->\n"
NAMES = {
    Tier.HOOKS: "hooks",
    Tier.SESSION_LOG: "session log",
    Tier.STATUS_FILE: "status file",
    Tier.STDOUT_JSONL: "printed JSON lines",
    Tier.TERMINAL_REPORT: "terminal reports",
    Tier.SCREEN: "screen",
    Tier.PROCESS: "process",
}
EVERYTHING = '[screen]\nprompt = "x"\n[report]\napp = "x"\n[nudge]\n[respond]\n'


def agents() -> Mapping[str, Agent]:
    """Those of this package, by its pyproject.toml: what else is installed here is none of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    points: dict[str, str] = project["entry-points"]["coop.agents"]
    known = {f"`{name}`": _made(point) for name, point in sorted(points.items())}
    return {
        **known,
        "`unknown`": UNKNOWN,
        "`unknown` with [patterns](agent-config.md)": configured(tomllib.loads(EVERYTHING), source=""),
    }


def _made(point: str) -> Agent:
    module, _, name = point.partition(":")
    made: Agent = getattr(import_module(module), name)()
    return made


def table() -> str:
    found = agents()
    rows = {
        "commands of `--agent auto`": [", ".join(f"`{each}`" for each in agent.commands) for agent in found.values()],
        "versions of the live matrix": [", ".join(agent.tested) for agent in found.values()],
        "its state comes from": [", ".join(NAMES[tier] for tier in agent.tiers) for agent in found.values()],
        "prompts are answered by": [answered(agent) for agent in found.values()],
        "a nudge is delivered when": [proven(agent) for agent in found.values()],
        "stops can be gated": [_yes(agent.block_stop is not None) for agent in found.values()],
        "sessions can be resumed": [_yes(resumes(agent)) for agent in found.values()],
    }
    lines = [["", *found], ["---"] * (len(found) + 1), *([name, *cells] for name, cells in rows.items())]
    return "".join(
        f"| {' | '.join(cell or '–' for cell in line) if n else ' | '.join(line)} |\n" for n, line in enumerate(lines)
    )


def answered(agent: Agent) -> str:
    ways = [agent.reply_to_hook and "the hook that asked", agent.type_answer and "keys, by the label on the screen"]
    return ", else ".join(way for way in ways if way)


def proven(agent: Agent) -> str:
    if agent.type_nudge is None:
        return ""
    return "the agent itself tells what it heard" if agent.is_same else "the screen shows it taken, or the state changes"


def resumes(agent: Agent) -> bool:
    """One that can says so of what is not there."""
    if agent.prepare is None:
        return False
    with TemporaryDirectory() as home:
        launch = Launch((agent.commands[0],), {"HOME": home}, Size(80, 24), home)
        try:
            agent.prepare(
                launch, SessionPlaces(home, "http://127.0.0.1:1", "TOKEN", "id", resume="no such session"), RealDisk()
            )
        except ConfigError:
            return True
    return False


def _yes(is_so: bool, /) -> str:
    return "yes" if is_so else ""


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
