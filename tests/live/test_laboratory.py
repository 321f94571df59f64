"""The laboratory itself: the real agent runs, offline, and what it does can be seen from outside."""

import os
import socket

import pytest

from coop.testing.isolated import INSIDE


def test_nothing_can_leave_the_machine() -> None:
    if os.environ.get(INSIDE) != "1":
        pytest.skip("run by hand: `make live` runs this in a network namespace")
    with pytest.raises(OSError, match="unreachable"):
        socket.create_connection(("192.0.2.1", 443), timeout=2)
