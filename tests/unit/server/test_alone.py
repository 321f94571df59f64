import fcntl
import os
from pathlib import Path

import pytest

from coop.server import alone
from coop.server.alone import alone_in


def is_free(directory: Path) -> bool:
    opened = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(opened)
    return True


def test_nobody_else_is_there_meanwhile_and_nothing_is_left(tmp_path: Path) -> None:
    with alone_in(tmp_path):
        assert not is_free(tmp_path)
    assert is_free(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_it_to_others(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), alone_in(tmp_path):
        raise ZeroDivisionError
    assert is_free(tmp_path)


def test_a_directory_that_is_kept_by_somebody_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone, "WITHIN", 0.02)
    with alone_in(tmp_path), alone_in(tmp_path):
        assert not is_free(tmp_path)


def test_what_cannot_be_locked_is_gone_on_with(tmp_path: Path) -> None:
    with alone_in(tmp_path / "not there"):
        pass
