"""Every example of the page about the client is run, against the simulator, and prints what the page says."""

import os
import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

import coop.client
from coop.client import Session, blocking
from coop.testing import eventually, running_coop
from coop.testing.claude import ClaudeHome, seeded_home
from coop_sim.claude.versions import LATEST
from coop_sim.shims import write_shim

PAGE = (Path(__file__).parents[2] / "docs/client.md").read_text()
SCENARIO = Path(__file__).parent / "client_scenario.toml"
URL = "http://127.0.0.1:8080"
EXAMPLES = re.findall(r"```python\n(.+?)```(?:\n\n```text\n(.+?)```)?", PAGE, re.DOTALL)
METHODS = {name for name in vars(Session) if not name.startswith("_")} - {"close", "address"}


@pytest.fixture
def place(tmp_path: Path) -> ClaudeHome:
    write_shim(tmp_path / "bin", "claude", sim_version=LATEST.number, scenario=SCENARIO)
    return seeded_home(tmp_path)


@pytest.fixture
def env(place: ClaudeHome, tmp_path: Path) -> dict[str, str]:
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    (tmp_path / "run").mkdir(mode=0o700)
    return {**place.environment("http://127.0.0.1:9"), "PATH": path, "XDG_RUNTIME_DIR": str(tmp_path / "run")}


@pytest.fixture
def url(env: dict[str, str], place: ClaudeHome) -> Generator[str]:
    guarded = {**env, "COOP_AUTH_TOKEN": "secret"}
    command = ("claude", "--permission-mode", "default")
    with running_coop("--agent", "claude", command=command, env=guarded, cwd=place.workspace) as running:
        with blocking.connect(running.url, token="secret") as session:
            session.wait_for(coop.client.Idle, 30)
        yield running.url


@pytest.mark.parametrize(("example", "prints"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_example_works(
    example: str, prints: str, env: dict[str, str], place: ClaudeHome, request: pytest.FixtureRequest
) -> None:
    if URL in example:
        example = example.replace(URL, request.getfixturevalue("url"))
    done = subprocess.run(
        [sys.executable, "-c", example], env=env, cwd=place.workspace, capture_output=True, text=True, timeout=90, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    if prints:
        assert done.stdout == prints
    if "touch login-fixed" in prints:
        eventually((place.workspace / "login-fixed").exists)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_is_documented(method: str) -> None:
    assert re.search(rf"\b{method}\(", PAGE)


def test_the_blocking_face_has_every_method() -> None:
    assert {name for name in METHODS if not hasattr(blocking.Session, name)} == set()


@pytest.mark.parametrize("item", ["Event", "Snapshot", "Restarted", "Lagged", "UnknownEvent"])
def test_every_item_of_the_stream_is_documented(item: str) -> None:
    assert re.search(rf"^\| `{item}[(`]", PAGE, re.MULTILINE)
