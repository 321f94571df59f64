import os
import subprocess
import sys
from pathlib import Path

from coop.session.processes import beneath
from coop.testing import eventually


def test_what_runs_beneath_a_process_is_found_with_what_it_was_started_with(tmp_path: Path) -> None:
    inner = [sys.executable, "-c", "input()"]
    outer = f"import subprocess; subprocess.run({inner!r}, cwd={str(tmp_path)!r})"
    with subprocess.Popen([sys.executable, "-c", outer], env={"COLOUR": "blue"}, stdin=subprocess.PIPE) as process:
        found = eventually(lambda: len(seen := beneath(process.pid)) == 2 and seen[1].argv == tuple(inner) and seen)
        assert process.stdin is not None
        process.stdin.write(b"\n")
    assert found
    assert found[0].pid == process.pid
    assert found[0].began is not None
    assert found[1].began is not None
    assert found[0].began <= found[1].began
    assert (found[1].argv, found[1].env["COLOUR"], found[1].cwd) == (tuple(inner), "blue", str(tmp_path))


def test_what_else_runs_in_the_same_folder_is_beside_it(tmp_path: Path) -> None:
    with (
        subprocess.Popen(["cat"], cwd=tmp_path, stdin=subprocess.PIPE) as one,
        subprocess.Popen(["cat", "-"], cwd=tmp_path, stdin=subprocess.PIPE) as two,
    ):
        (found,) = (
            eventually(lambda: (seen := beneath(one.pid)) and [each.pid for each in seen[0].beside] == [two.pid] and seen) or ()
        )
        assert found.beside[0].cwd == str(tmp_path)
        assert found.beside[0].argv == ("cat", "-")
        assert found.beside[0].began is not None
        for each in (one, two):
            assert each.stdin is not None
            each.stdin.close()


def test_of_a_process_that_is_gone_nothing_is_known() -> None:
    with subprocess.Popen(["true"]) as process:
        pass
    (found,) = beneath(process.pid)
    assert (found.pid, found.argv, dict(found.env), found.cwd) == (process.pid, (), {}, "/")
    assert (found.began, found.opened) == (None, ())


def test_what_a_process_has_open_is_known_and_when_it_began(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w"):
        me = beneath(os.getpid())[0]
    assert str(path) in me.opened
    assert all(each.startswith("/") for each in me.opened)
    assert me.began is not None
    made = path.stat().st_mtime
    assert made - 24 * 3600 < me.began < made


def test_we_are_beneath_ourselves() -> None:
    assert beneath(os.getpid())[0].pid == os.getpid()
