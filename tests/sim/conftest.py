"""The matrix of tests/live against the simulator: the same tests, the same laboratories, pretend agents."""

from collections.abc import Generator
from pathlib import Path

import pytest

from coop.testing.replaying import RunCoop, recorded
from tests.live.conftest import kept_recordings
from tests.sim.excluded import EXCLUDED
from tests.support.multiplexers import Multiplexer, own_screen, own_tmux
from tests.support.nursery import Nursery
from tests.support.shards import Shards

HERE = Path(__file__).parent


def _laboratory(item: pytest.Item) -> object:
    """Tests that share one are a group."""
    if "shared" not in getattr(item, "fixturenames", ()):
        return item.nodeid
    params: dict[str, object] = getattr(item, "callspec").params  # noqa: B009
    return item.path, params["shared"]


SHARDS = Shards(lambda item: item.path.parent.parent == HERE, _laboratory)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    return SHARDS.protocol(item, nextitem)


def pytest_sessionfinish(session: pytest.Session) -> None:
    SHARDS.end(session.config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without those that make no sense here."""
    dropped = [item for item in items if item.path.parent.parent == HERE and _name(item) in EXCLUDED]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]


def _name(item: pytest.Item) -> str:
    return f"{item.path.parent.name}/{item.path.name}::{item.name.partition('[')[0]}"


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
    yield recorded(nursery.running_coop, keep=kept_recordings())
    nursery.close()
