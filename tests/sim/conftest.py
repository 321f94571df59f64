"""The matrix of tests/live against the simulator: the same tests, the same laboratory, a pretend Claude Code."""

from collections.abc import Generator
from pathlib import Path

import pytest

from coop_sim.shims import write_shim
from tests.live.conftest import RunCoop, start_lab, version
from tests.sim.excluded import EXCLUDED
from tests.support.multiplexers import Multiplexer, own_screen, own_tmux
from tests.support.nursery import Nursery
from tests.support.shards import Shards

__all__ = ["start_lab", "version"]

SHARDS = Shards(lambda item: item.path.parent == Path(__file__).parent)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    return SHARDS.protocol(item, nextitem)


def pytest_sessionfinish(session: pytest.Session) -> None:
    SHARDS.end(session.config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without those that make no sense here."""
    here = Path(__file__).parent
    dropped = [item for item in items if item.path.parent == here and f"{item.path.name}::{_name(item)}" in EXCLUDED]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]


def _name(item: pytest.Item) -> str:
    return item.name.partition("[")[0]


@pytest.fixture
def claude(version: str, shims: Path) -> str:
    return str(write_shim(shims / version, sim_version=version, scenario=None))


@pytest.fixture(params=[own_tmux, own_screen], ids=["tmux", "screen"])
def terminal(request: pytest.FixtureRequest) -> Generator[Multiplexer]:
    with request.param() as found:
        yield found


@pytest.fixture(scope="session")
def shims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shims")


@pytest.fixture(scope="session")
def run_coop() -> Generator[RunCoop]:
    nursery = Nursery()
    yield nursery.running_coop
    nursery.close()
