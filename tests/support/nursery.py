"""Coops that are born quickly: forked from a process that has loaded everything, not started from nothing.

What runs is coop's own `main`, in a process of its own, with the arguments, environment and folder it was given. Only the
loading is shared. `python -m tests.support.nursery FD` is the process that has loaded everything.
"""

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, cast

from coop.testing.process import CoopProcess

WITHIN = 20.0


@dataclass
class Born:
    """As much of a `Popen` as is needed."""

    nursery: "Nursery"
    pid: int
    stderr: TextIO
    returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            descriptor = os.pidfd_open(self.pid)
            try:
                if not select.select([descriptor], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired("coop", timeout or 0.0)
            finally:
                os.close(descriptor)
            self.returncode = self.nursery.ask({"reap": self.pid})
        return self.returncode


class Nursery:
    """Ends, and all that it bore with it, when its socket is closed."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.support.nursery", str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()

    def ask(self, request: Mapping[str, object], *descriptors: int) -> int:
        socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
        return int(json.loads(self._socket.recv(100)))

    def bear(self, arguments: Sequence[str], env: Mapping[str, str], cwd: Path | None) -> Born:
        ours, theirs = os.pipe()
        request = {"arguments": list(arguments), "env": dict(env), "cwd": str(cwd or Path.cwd())}
        pid = self.ask(request, theirs)
        os.close(theirs)
        return Born(self, pid, os.fdopen(ours))

    def close(self) -> None:
        self._socket.close()
        self._process.wait()

    @contextmanager
    def running_coop(
        self, *options: str, command: Sequence[str] = (), env: Mapping[str, str], cwd: Path | None = None, port: bool = True
    ) -> Generator[CoopProcess]:
        """As `coop.testing.running_coop`."""
        with tempfile.TemporaryDirectory(prefix="coop-") as home:
            clean = {"HOME": home, "XDG_RUNTIME_DIR": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
            arguments = [*(["--port", "0"] if port else []), *options, *(["--", *command] if command else [])]
            born = self.bear(arguments, {**clean, **env}, cwd)
            coop = CoopProcess(cast("subprocess.Popen[str]", born), Path(home))
            follower = threading.Thread(target=coop.follow, daemon=True)
            follower.start()
            try:
                if not coop.listening.wait(WITHIN) or not coop.log:
                    raise AssertionError(f"coop did not start: {''.join(coop.stderr)}")
                yield coop
            finally:
                _stop(born)
                follower.join(WITHIN)
                born.stderr.close()


def _stop(born: Born) -> None:
    born.terminate()
    try:
        born.wait(timeout=WITHIN)
    except subprocess.TimeoutExpired:
        born.kill()
        born.wait()


# The process that has loaded everything


def _serve(connection: socket.socket) -> None:
    children: set[int] = set()
    while True:
        request, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 1)
        if not request:
            break
        match json.loads(request):
            case {"reap": int(pid)}:
                _, status = os.waitpid(pid, 0)
                children.discard(pid)
                connection.send(json.dumps(os.waitstatus_to_exitcode(status)).encode())
            case {"arguments": [*arguments], "env": dict(env), "cwd": str(cwd)}:
                if (pid := os.fork()) == 0:
                    connection.close()
                    _live(arguments, env, cwd, descriptors[0])
                os.close(descriptors[0])
                children.add(pid)
                connection.send(json.dumps(pid).encode())
            case other:
                raise ValueError(other)
    for pid in children:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _live(arguments: list[str], env: dict[str, str], cwd: str, stderr: int) -> None:
    from coop.cli.main import main

    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, target in ((null, 0), (null, 1), (stderr, 2)):
        os.dup2(descriptor, target)
    os.close(stderr)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["coop", *arguments]
    code = 1
    try:
        main()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    import coop.cli.command
    import coop.cli.run  # noqa: F401

    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
