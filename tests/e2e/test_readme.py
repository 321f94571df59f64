"""The README's two commands, as a stranger runs them: in a fresh clone, with an empty HOME."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from coop.testing import eventually

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("clone") / "coop"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(target)], check=True)
    return target


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "CI") or name.startswith(("PIP_", "npm_"))}
    return {**kept, "HOME": str(tmp_path_factory.mktemp("home")), "LANG": "C.UTF-8"}


class Running:
    """`make run`, and what it has printed so far."""

    def __init__(self, clone: Path, env: dict[str, str]) -> None:
        self.output = clone / "run.log"
        with self.output.open("w") as log:
            self.process = subprocess.Popen(
                ["make", "run"], cwd=clone, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def text(self) -> str:
        return self.output.read_text()

    def printed(self, pattern: str) -> re.Match[str]:
        found = eventually(lambda: re.search(pattern, self.text()), within=240, what=f"{pattern} in {self.output}")
        assert found is not None
        return found

    def interrupt(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(timeout=30)


@pytest.fixture
def running(clone: Path, env: dict[str, str]) -> Generator[Running]:
    run = Running(clone, env)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            os.killpg(run.process.pid, signal.SIGKILL)
            run.process.wait()


def test_make_run_works_and_so_does_what_it_prints(running: Running, env: dict[str, str], clone: Path) -> None:
    command = running.printed(r"see it +(.+/api/v1/screen/text.*)")[1]

    def shown() -> str:
        return subprocess.run(command, shell=True, env=env, capture_output=True, text=True, check=True).stdout

    eventually(lambda: "Pretend agent" in shown())
    program, session = running.printed(r"sit at it +(\S+) attach (\S+)").groups()
    peeked = subprocess.run([program, "peek", session], cwd=clone, env=env, capture_output=True, text=True, check=True)
    assert "Pretend agent" in peeked.stdout
    typing = running.printed(r"type to it +(.+)")[1]
    typed = subprocess.run(typing, shell=True, env=env, capture_output=True, text=True, check=True).stdout
    assert typed.strip() == '{"bytes_written":6}'
    running.interrupt()
    assert running.text().rstrip().endswith("ended.")


def test_the_second_time_nothing_is_set_up(running: Running) -> None:
    running.printed("see it")
    assert "setting up" not in running.text()
    running.interrupt()


def test_the_python_one_liners_work_where_there_is_no_curl(running: Running, env: dict[str, str]) -> None:
    from coop_sim.demo import PYTHON

    url = running.printed(r"http://127\.0\.0\.1:\d+")[0]
    for before, path, after in (
        (PYTHON["get"], "/api/v1/agent/state", PYTHON["end"]),
        (PYTHON["post_before"], "/api/v1/input", PYTHON["post_after"]),
    ):
        done = subprocess.run(f"{before}{url}{path}{after}", shell=True, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    running.interrupt()


def test_make_check_passes_in_a_clean_clone(clone: Path, env: dict[str, str]) -> None:
    if shutil.which("npm") is None:
        pytest.skip("pyright comes from npm, which this machine lacks")
    done = subprocess.run(["make", "check"], cwd=clone, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    for tool in ("ruff format", "ruff check", "import-linter", "mypy strict", "pyright"):
        assert re.search(rf"^{tool} +ok$", done.stdout, re.MULTILINE), done.stdout
