import os
import select
import signal
from pathlib import Path

import pytest

from coop.errors import LaunchFailed
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.model.state import ExitStatus
from coop.terminal.pty import PtyBackend
from coop.testing import eventually

LIBC_INTERNAL = 0b11 << 31
"""Signals 32 and 33, which no program can set."""


def spawn(*argv: str, env: dict[str, str] | None = None) -> PtyBackend:
    return PtyBackend(Launch(argv, env or {"PATH": os.environ["PATH"]}, Size(100, 30)))


def read_all(backend: PtyBackend) -> bytes:
    output = b""
    while True:
        select.select([backend.fd, backend.exit_fd], [], [], 10)
        backend.exit_status()
        data = backend.read()
        if data == b"":
            return output
        output += data or b""


def test_the_child_has_the_terminal_its_size_and_a_session_of_its_own() -> None:
    backend = spawn("sh", "-c", "stty size; exec 3>/dev/tty && echo controls it; cut -d' ' -f1,5,6 /proc/$$/stat")
    size, controls, ids = read_all(backend).decode().splitlines()
    assert (size, controls) == ("30 100", "controls it")
    assert set(ids.split()) == {str(backend.pid)}
    backend.close()


@pytest.mark.parametrize(
    ("script", "status"), [("exit 3", ExitStatus(code=3)), ("kill -9 $$", ExitStatus(signal=signal.SIGKILL))]
)
def test_how_the_child_ended_is_told(script: str, status: ExitStatus) -> None:
    backend = spawn("sh", "-c", script)
    assert eventually(backend.exit_status) == status
    backend.close()


def test_a_stopped_child_is_told_of_once_by_its_signal() -> None:
    backend = spawn("sh", "-c", "kill -STOP $$; kill -STOP $$; exit 3")
    for _ in range(2):
        assert eventually(backend.stopped_by) == signal.SIGSTOP
        assert backend.stopped_by() is None
        backend.signal(signal.SIGCONT)
    os.waitid(os.P_PID, backend.pid, os.WEXITED | os.WNOWAIT)
    assert backend.stopped_by() is None
    assert eventually(backend.exit_status) == ExitStatus(code=3)
    assert backend.stopped_by() is None
    backend.close()


def test_a_child_that_reads_keys_gets_no_signals_of_them() -> None:
    backend = spawn("sh", "-c", "stty raw; read x; stty sane; exit 0")
    assert eventually(lambda: not backend.makes_signals())
    backend.write(b"\n")
    assert eventually(backend.makes_signals)
    assert eventually(backend.exit_status) == ExitStatus(code=0)
    assert backend.makes_signals()
    backend.close()


def test_signals_blocked_or_ignored_here_are_not_so_in_the_child() -> None:
    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    try:
        backend = spawn("sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status")
    finally:
        signal.signal(signal.SIGUSR1, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    sets = [int(line.split()[1], 16) & ~LIBC_INTERNAL for line in read_all(backend).decode().splitlines()]
    assert sets == [0, 0]
    backend.close()


def test_the_argv_is_given_as_it_is_without_a_shell() -> None:
    backend = spawn("printf", "%s|", "a b", "$HOME", "*")
    assert read_all(backend) == b"a b|$HOME|*|"
    backend.close()


def test_what_cannot_be_started_says_why(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo hi")
    with pytest.raises(LaunchFailed, match="no such command on PATH"):
        spawn("surely-not-a-command")
    with pytest.raises(LaunchFailed, match="no such file"):
        spawn(str(tmp_path / "nothing"))
    with pytest.raises(LaunchFailed, match="not an executable file"):
        spawn(str(script))
    script.chmod(0o755)
    with pytest.raises(LaunchFailed, match="no #! line"):
        spawn(str(script))
    script.write_text("#!/nowhere/at/all\n")
    with pytest.raises(LaunchFailed, match="not the interpreter that it names"):
        spawn(str(script))


def test_a_program_may_close_its_terminal_and_open_it_again() -> None:
    backend = spawn("sh", "-c", "echo first; exec </dev/null >/dev/null 2>&1; sleep 0.2; echo second >/dev/tty")
    assert read_all(backend) == b"first\r\nsecond\r\n"
    backend.close()


def test_a_failed_start_leaves_no_file_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(LaunchFailed):
        spawn("surely-not-a-command")
    assert len(os.listdir("/proc/self/fd")) == before
