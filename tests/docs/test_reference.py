"""The documentation cannot rot: what exists is documented, and what is documented exists."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import click
import pytest

from coop.agents.generic import KEYS, NUDGE_KEYS, REPORT_KEYS, RESPOND_KEYS, configured
from coop.cli.command import command
from coop.server.app import ROUTES
from coop.server.metrics import FIGURES
from coop.wire import ws
from coop.wire.errors import GRPC_STATUS, HTTP_STATUS
from coop.wire.states import StateName

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = (DOCS / "reference.md").read_text()
AGENT_CONFIG = (DOCS / "agent-config.md").read_text()


def types_of(union: object) -> list[str]:
    return [str(kind.__struct_config__.tag) for kind in get_args(union)]


def test_every_route_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| `((?:GET|POST|PUT) /[^`]+)` \|", REFERENCE, re.MULTILINE))
    assert documented == {f"{route.method} {route.path}" for route in ROUTES}


@pytest.mark.parametrize("kind", types_of(ws.FromClient) + types_of(ws.ToClient))
def test_every_message_is_documented(kind: str) -> None:
    assert f"`{kind}`" in REFERENCE


def test_every_error_is_documented_with_its_status_and_no_other() -> None:
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| (\d{3}) \|", REFERENCE, re.MULTILINE))
    assert documented == {code: str(status) for code, status in HTTP_STATUS.items()}


def test_every_error_is_documented_with_its_grpc_status_and_no_other() -> None:
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| (?:\d{3}|–) \| `([A-Z_]+)` \|", REFERENCE, re.MULTILINE))
    assert documented == GRPC_STATUS


def test_every_flag_is_documented_with_its_default_and_no_other() -> None:
    documented = dict(re.findall(r"^\| `(--[a-z-]+)` \| ([^|]+?) \|", REFERENCE, re.MULTILINE))
    options = {option.opts[0]: option for option in command.params if isinstance(option, click.Option)}
    shown = {name: option for name, option in options.items() if not option.hidden and option.envvar}
    assert set(documented) == set(shown)
    for name, option in shown.items():
        if isinstance(option.default, str | int | float) and not option.is_flag and option.default:
            assert documented[name].strip("`") == str(option.default)


def test_every_figure_is_documented_as_it_is_served_and_no_other() -> None:
    rows = re.findall(r"^\| `(coop_[a-z_]+)` \| (\w+) \| ([^|]*?) ?\| ([^|]+) \|$", REFERENCE, re.MULTILINE)
    documented = {(name, kind, tuple(re.findall(r"`(\w+)`", labels)), text) for name, kind, labels, text in rows}
    assert documented == {(each.name, each.kind, each.labels, each.help) for each in FIGURES}


@pytest.mark.parametrize("state", get_args(StateName))
def test_every_state_is_documented(state: str) -> None:
    assert re.search(rf"^\|.*`{state}`.*\|", REFERENCE, re.MULTILINE)


def test_every_key_of_an_agent_configuration_is_documented() -> None:
    documented = dict(re.findall(r"^\| `([a-z]+)` \| (.+) \|$", AGENT_CONFIG, re.MULTILINE))
    assert {key: text.replace("`", "") for key, text in documented.items()} == KEYS | REPORT_KEYS | NUDGE_KEYS | RESPOND_KEYS


def test_the_example_of_an_agent_configuration_works() -> None:
    examples = "\n".join(re.findall(r"```toml\n(.+?)```", AGENT_CONFIG, re.DOTALL))
    agent = configured(tomllib.loads(examples), source="docs")
    assert (agent.quiet, agent.type_nudge is None, agent.type_answer is None) == (0.5, False, False)


@pytest.mark.parametrize(
    "page", [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
