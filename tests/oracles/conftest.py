"""The simulator's tests wait for a terminal most of the time: several run at once."""

import pytest

from tests.support.shards import Shards

SHARDS = Shards(
    lambda item: (
        item.path.name
        in (
            "test_sim_drift.py",
            "test_sim_facts.py",
            "test_codex_drift.py",
            "test_codex_facts.py",
            "test_gemini_drift.py",
            "test_gemini_facts.py",
        )
    )
)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    return SHARDS.protocol(item, nextitem)


def pytest_sessionfinish(session: pytest.Session) -> None:
    SHARDS.end(session.config)
