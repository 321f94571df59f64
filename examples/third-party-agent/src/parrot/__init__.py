"""Parrot: an agent that repeats what it is told, into a file, if it may. It knows nothing of coop."""

import json
import os
import sys
import time
from pathlib import Path

VERSION = "1.0"
SQUAWKS = 8


def main() -> None:
    print("Parrot, who repeats things. Ctrl-D ends.")
    while True:
        _tell("idle", rests=True, version=VERSION)
        print("parrot> ", end="", flush=True)
        message = sys.stdin.readline()
        if not message:
            return
        if message.strip():
            _repeat(message.strip())


def _repeat(message: str) -> None:
    _tell("working", heard=message)
    _squawk()
    _tell("blocked:kind=permission")
    print("May I write said.txt? [y/n] ", end="", flush=True)
    answer = sys.stdin.readline().strip()
    _tell("working")
    _squawk()
    if answer == "y":
        with Path("said.txt").open("a") as file:
            file.write(f"{message}\n")
    print(f"{message}!" if answer == "y" else "Then not.")


def _squawk() -> None:
    for _ in range(SQUAWKS):
        print("squawk ", end="", flush=True)
        time.sleep(0.1)
    print()


def _tell(state: str, **record: object) -> None:
    """To the terminal (OSC 7501), and to the session log where there is one."""
    print(f"\x1b]7501;state={state}:app=parrot\x07", end="", flush=True)
    if record and (log := os.environ.get("PARROT_LOG")):
        with Path(log).open("a") as file:
            file.write(json.dumps(record) + "\n")
