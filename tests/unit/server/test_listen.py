import multiprocessing
import socket
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BrokenBarrierError
from typing import Any

import pytest

from coop.errors import ConfigError
from coop.server.listen import bind_unix

WITHIN = 30.0
STARTS = 3000


def _start(path: Path, together: Any, tell: Connection) -> None:
    """Takes the name again and again, and leaves it each time as one who was killed does."""
    taken: list[bool] = []
    try:
        for _ in range(STARTS):
            together.wait(WITHIN)
            try:
                listening = bind_unix(path)
            except ConfigError:
                listening = None
            taken.append(listening is not None)
            together.wait(WITHIN)
            if listening is not None:
                listening.close()
    except BrokenBarrierError:
        pass  # the other one has failed
    tell.send(taken)


def test_of_two_that_start_together_over_a_stale_socket_one_has_it(tmp_path: Path) -> None:
    here = multiprocessing.get_context("spawn")
    together = here.Barrier(2)
    told, processes = [], []
    for _ in range(2):
        hear, tell = here.Pipe(duplex=False)
        processes.append(here.Process(target=_start, args=(tmp_path / "s", together, tell)))
        processes[-1].start()
        told.append(hear)
    assert all(hear.poll(WITHIN) for hear in told)
    first, second = (hear.recv() for hear in told)
    for process in processes:
        process.join(WITHIN)
    assert len(first) == len(second) == STARTS
    assert [one + other for one, other in zip(first, second, strict=True)] == [1] * STARTS


def test_a_live_socket_is_left_alone_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    with bind_unix(tmp_path / "s"), socket.socket(socket.AF_UNIX) as client:
        with pytest.raises(ConfigError, match="in use by a running session"):
            bind_unix(tmp_path / "s")
        client.connect(str(tmp_path / "s"))
        assert [path.name for path in tmp_path.iterdir()] == ["s"]
