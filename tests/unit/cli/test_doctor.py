import json
from pathlib import Path

import click
from click.testing import CliRunner

from coop.cli.checks import Finding
from coop.cli.doctor import doctor, told


def test_what_to_do_stands_below_what_is_wrong() -> None:
    findings = [Finding("ok", "python", "3.13"), Finding("fail", "runtime", "/run/coop has mode 0755", "chmod 0700 /run/coop")]
    assert [click.unstyle(line) for line in told(findings)] == [
        "ok    python   3.13",
        "fail  runtime  /run/coop has mode 0755",
        "               → chmod 0700 /run/coop",
    ]


def test_it_exits_with_1_when_something_is_broken_and_says_so_in_json(tmp_path: Path) -> None:
    env = {"XDG_RUNTIME_DIR": str(tmp_path), "PATH": str(tmp_path), "COOP_PORT": ""}
    assert CliRunner().invoke(doctor, [], env=env).exit_code == 0
    (tmp_path / "coop").mkdir()
    (tmp_path / "coop").chmod(0o777)
    result = CliRunner().invoke(doctor, ["--json"], env=env)
    assert result.exit_code == 1
    broken = [each for each in json.loads(result.stdout) if each["level"] == "fail"]
    assert [(each["subject"], each["do"]) for each in broken] == [("runtime", f"chmod 0700 {tmp_path}/coop")]
