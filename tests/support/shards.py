"""Tests that mostly wait, run by several processes at once; the one that was started tells what came of them, in order.

A folder's conftest gives `protocol` its tests, and calls `end`. A few tests, those under a debugger, and all with `SHARDS=1`
run as ever. Those that share something that is slow to begin stay together, in their order.
"""

import json
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol

PER_CORE = 4
FEW = 3
DURATIONS = "shards/durations"
UNKNOWN = 2.0


@dataclass
class Shards:
    takes: Callable[[pytest.Item], bool]
    together: Callable[[pytest.Item], object] = lambda item: item.nodeid
    """Tests for which it is the same are run by one process, one after the other."""
    _reports: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _workers: dict[int, str] = field(default_factory=dict[int, str])
    """What each of them is doing: by its process, the test."""
    _begun: bool = False

    def protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if not self.takes(item):
            return None
        if not self._begun:
            self._begun = True
            self._begin(item)
        if not self._reports and not self._workers:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self._of(item):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        item.session._setupstate.teardown_exact(nextitem)  # of what was set up here, before these
        return True

    def _begin(self, item: pytest.Item) -> None:
        items = [each for each in item.session.items if self.takes(each)]
        count = int(os.environ.get("SHARDS", PER_CORE * (os.cpu_count() or 1)))
        if len(items) <= FEW or count < 2 or item.config.getoption("usepdb"):
            return
        item.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all
        groups = self._groups(items)
        turn_read, turn_write = os.pipe()
        os.write(turn_write, b"\0\0")
        sys.stdout.flush()
        for _ in range(count):
            self._fork(groups, (turn_read, turn_write))
        os.close(turn_read)
        os.close(turn_write)

    def _groups(self, items: Sequence[pytest.Item]) -> list[list[pytest.Item]]:
        groups: dict[object, list[pytest.Item]] = {}
        for item in items:
            groups.setdefault(self.together(item), []).append(item)
        took = _durations(items[0].config)
        return sorted(groups.values(), key=lambda group: -sum(took.get(each.nodeid, UNKNOWN) for each in group))

    def _fork(self, groups: Sequence[Sequence[pytest.Item]], turn: tuple[int, int]) -> None:
        ours, theirs = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads that a fork leaves behind: ours only listen
            pid = os.fork()
        if pid == 0:
            os.close(ours)
            _work(groups, turn, theirs)
        os.close(theirs)
        self._workers[pid] = ""
        threading.Thread(target=self._listen, args=(pid, ours, groups[0][0].config), daemon=True).start()

    def _listen(self, pid: int, descriptor: int, config: pytest.Config) -> None:
        with os.fdopen(descriptor) as lines:
            for line in lines:
                told = json.loads(line)
                with self._arrived:
                    if "began" in told:
                        self._workers[pid] = told["began"]
                    else:
                        report = config.hook.pytest_report_from_serializable(config=config, data=told)
                        self._reports.setdefault(report.nodeid, []).append(report)
                    self._arrived.notify_all()
        os.waitpid(pid, 0)
        with self._arrived:
            del self._workers[pid]
            self._arrived.notify_all()

    def _of(self, item: pytest.Item) -> list[Any]:
        def is_there() -> bool:
            return any(report.when == "teardown" for report in self._reports.get(item.nodeid, ())) or not self._workers

        with self._arrived:
            self._arrived.wait_for(is_there)
            return self._reports.get(item.nodeid) or [_lost(item)]

    def end(self, config: pytest.Config) -> None:
        """All of them have ended, or do so now."""
        took = {name: sum(report.duration for report in reports) for name, reports in self._reports.items()}
        cache: pytest.Cache | None = getattr(config, "cache", None)
        if took and cache is not None:
            cache.set(DURATIONS, {**_durations(config), **took})
        for pid in tuple(self._workers):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        with self._arrived:
            self._arrived.wait_for(lambda: not self._workers, timeout=30)


def _durations(config: pytest.Config) -> dict[str, float]:
    """How long each test took the last time: the longest begin first, so that none is left alone at the end."""
    cache: pytest.Cache | None = getattr(config, "cache", None)
    found: dict[str, float] = cache.get(DURATIONS, {}) if cache is not None else {}
    return found


def _lost(item: pytest.Item) -> pytest.TestReport:
    return pytest.TestReport(
        item.nodeid, item.location, {}, "failed", "the process that ran it has died", "teardown", duration=0.0
    )


def _work(groups: Sequence[Sequence[pytest.Item]], turn: tuple[int, int], descriptor: int) -> NoReturn:
    """In a process of its own: takes one group of tests after the other until there are none left."""
    code, session = 1, groups[0][0].session
    try:
        config = session.config
        capture = config.pluginmanager.getplugin("capturemanager")
        if capture is not None:  # what is captured goes to files, and those were the parent's
            capture.stop_global_capturing()
            capture.start_global_capturing()
        with os.fdopen(descriptor, "w", buffering=1) as out:
            while (number := _next(turn)) < len(groups):
                for item in groups[number]:
                    _run(item, out, config)
        session._setupstate.teardown_exact(None)
        code = 0
    except KeyboardInterrupt:
        pass
    finally:
        with suppress(BaseException):
            session._setupstate.teardown_exact(None)
        os._exit(code)


def _run(item: pytest.Item, out: Any, config: pytest.Config) -> None:
    print(json.dumps({"began": item.nodeid}), file=out)
    item.session._setupstate.teardown_exact(item)
    siblings = item.session.items
    nextitem = next((each for each in siblings if each is not item and each.parent is item.parent), None)
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        data = config.hook.pytest_report_to_serializable(config=config, report=report)
        print(json.dumps(data), file=out)


def _next(turn: tuple[int, int]) -> int:
    """The number of the next group; it goes round from hand to hand."""
    number = int.from_bytes(os.read(turn[0], 2), "little")
    os.write(turn[1], (number + 1).to_bytes(2, "little"))
    return number
