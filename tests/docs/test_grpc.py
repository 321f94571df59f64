"""The examples of the page about gRPC are run, against the simulator, and print what the page says."""

import os
import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from coop.client import Idle, blocking
from coop.testing import CoopProcess, running_coop
from coop.testing.claude import seeded_home
from coop.v1.coop_pb2 import DESCRIPTOR
from coop_sim.claude.versions import LATEST
from coop_sim.shims import write_shim

PAGE = (Path(__file__).parents[2] / "docs/grpc.md").read_text()
SCENARIO = Path(__file__).parent / "client_scenario.toml"
EXAMPLES = re.findall(r"```python\n(.+?)```\n\n```text\n(.+?)```", PAGE, re.DOTALL)


@pytest.fixture
def coop(tmp_path: Path) -> Generator[CoopProcess]:
    write_shim(tmp_path / "bin", "claude", sim_version=LATEST.number, scenario=SCENARIO)
    place = seeded_home(tmp_path)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**place.environment("http://127.0.0.1:9"), "PATH": path, "COOP_AUTH_TOKEN": "secret", "COOP_GRPC_PORT": "0"}
    with running_coop(
        "--agent", "claude", command=("claude", "--permission-mode", "default"), env=env, cwd=place.workspace
    ) as coop:
        with blocking.connect(coop.url, token="secret") as session:
            session.wait_for(Idle, 60)
        yield coop


@pytest.mark.parametrize(("example", "prints"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_example_works(example: str, prints: str, coop: CoopProcess) -> None:
    script = example.replace("127.0.0.1:9090", coop.grpc_target)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=90, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", prints)


def test_every_rpc_is_on_the_page() -> None:
    documented = set(
        re.findall(r"`([A-Z][a-z]+[A-Za-z]*)`", "\n".join(line for line in PAGE.splitlines() if line.startswith("| `")))
    )
    assert documented == {rpc.name for rpc in DESCRIPTOR.services_by_name["Coop"].methods}
    assert len(EXAMPLES) == PAGE.count("```python")
