"""A real coop in a process of its own, with a home of its own, gone when the test is."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_START_WITHIN = 20.0
_STOP_WITHIN = 15.0


@dataclass
class CoopProcess:
    process: "subprocess.Popen[str]"
    home: Path
    log: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    stderr: list[str] = field(default_factory=list[str])
    listening: threading.Event = field(default_factory=threading.Event)

    @property
    def announced(self) -> dict[str, object]:
        """What coop said when it began to listen."""
        return next(entry for entry in self.log if entry.get("event") == "listening")

    @property
    def url(self) -> str:
        return str(self.announced["url"])

    @property
    def grpc_target(self) -> str:
        """Where gRPC is, with `--grpc-port 0`."""
        return str(self.announced["grpc_url"]).removeprefix("http://")

    @property
    def socket(self) -> str:
        return str(self.announced["socket"])

    @property
    def child_pid(self) -> int:
        return int(str(self.announced["pid"]))

    def wait(self, within: float = _STOP_WITHIN) -> int:
        return self.process.wait(timeout=within)

    def follow(self) -> None:
        """Collects the log; runs in a thread of its own."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr.append(line)
            if not line.startswith("{"):
                continue
            entry: dict[str, object] = json.loads(line)
            self.log.append(entry)
            if entry.get("event") == "listening":
                self.listening.set()
        self.listening.set()


@contextmanager
def running_coop(
    *options: str, command: Sequence[str] = (), env: Mapping[str, str] | None = None, port: bool = True, cwd: Path | None = None
) -> Generator[CoopProcess]:
    """Starts `coop OPTIONS -- COMMAND`, waits until it listens, and ends it. No command is for `--attach`."""
    with tempfile.TemporaryDirectory(prefix="coop-") as home:
        words = ["--", *command] if command else []
        coop = _start([*(["--port", "0"] if port else []), *options, *words], Path(home), env or {}, cwd)
        follower = threading.Thread(target=coop.follow, daemon=True)
        follower.start()
        try:
            if not coop.listening.wait(_START_WITHIN) or not coop.log:
                raise AssertionError(f"coop did not start: {''.join(coop.stderr)}")
            yield coop
        finally:
            _stop(coop.process)
            follower.join(_STOP_WITHIN)
            assert coop.process.stderr is not None
            coop.process.stderr.close()


def _start(arguments: list[str], home: Path, env: Mapping[str, str], cwd: Path | None) -> CoopProcess:
    clean = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "coop.cli.main", *arguments]
    process = subprocess.Popen(
        command,
        env={**clean, **env},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    return CoopProcess(process, home)


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(timeout=_STOP_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
