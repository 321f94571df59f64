"""Our own OpenAPI, held against the running coop by schemathesis."""

import subprocess
import sys
from pathlib import Path

import httpx

from coop.server.app import ROUTES
from coop.testing import running_coop

CHILD = ("sh", "-c", "stty raw -echo; exec cat >/dev/null")


def test_every_route_is_described() -> None:
    with running_coop(command=CHILD) as coop:
        document = httpx.get(f"{coop.url}/openapi.json").json()
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(route.method, route.path) for route in ROUTES}
    assert document["openapi"].startswith("3.1")


def test_schemathesis_finds_nothing_that_contradicts_it(tmp_path: Path) -> None:
    # /events never ends by itself, a random signal may end the child, and a shutdown ends coop: those are left to other tests.
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    with running_coop("--keep-alive", command=CHILD) as coop:
        command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{coop.url}/openapi.json", "--checks", checks]
        command += [
            "--max-examples",
            "40",
            "--exclude-path",
            "/api/v1/events",
            "--exclude-path",
            "/api/v1/signal",
            "--exclude-path",
            "/api/v1/shutdown",
            "--seed",
            "1",
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
