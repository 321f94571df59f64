"""What every test may use."""

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("gate" if os.environ.get("CI") == "true" else "search")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"use_uvloop": True}


def pytest_configure() -> None:
    """A gate that was started in the background ignores Ctrl-C, and so would everything it starts: many a test presses it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_ci() -> bool:
    return os.environ.get("CI") == "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes milliseconds runs first."""
    order = ("unit", "playbooks", "properties", "docs", "contracts", "integration", "sim", "fuzz", "oracles", "e2e")

    def rank(item: pytest.Item) -> int:
        parts = item.path.parts
        return next((n for n, name in enumerate(order) if name in parts), len(order))

    items.sort(key=rank)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """In CI a skip is a failure: a machine that lacks something must be given it, not excused."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and _is_ci() and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
