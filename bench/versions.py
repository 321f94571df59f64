"""What was measured with what."""

import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Sequence

from bench.peers.node import MODULES


def versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("uvloop", "pyghostty", "uvicorn", "websockets")},
        "tmux": first_line("tmux", "-V").removeprefix("tmux "),
        "GNU screen": first_line("screen", "--version").removeprefix("Screen version "),
        "node": first_line("node", "--version").removeprefix("v"),
        "@lydell/node-pty": npm_version("@lydell/node-pty"),
        "@xterm/headless": npm_version("@xterm/headless"),
        "kernel": platform.release(),
        "cores": str(os.cpu_count()),
    }


def first_line(*command: str) -> str:
    """What a program says first; empty when it is not there."""
    try:
        said = run(command)
    except FileNotFoundError:
        return ""
    return said.splitlines()[0].strip() if said else ""


def run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def npm_version(package: str) -> str:
    path = MODULES / package / "package.json"
    return str(json.loads(path.read_text())["version"]) if path.exists() else ""
