"""A child on a pseudo-terminal of its own. The only module that starts processes on one."""

import contextlib
import errno
import fcntl
import os
import shutil
import signal
import struct
import termios

from coop.errors import LaunchFailed
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.model.state import ExitStatus

_READ = 8 * 1024  # the kernel gives 4 KB at most; a larger buffer only costs
_GONE = (errno.EIO, errno.EBADF)  # what Linux says when nobody holds the other side any more
_IUTF8 = 0o40000  # Python does not name it
_RESET_SIGNALS = [number for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP)]


class PtyBackend:
    """The native backend: own session, own process group, the argv as given."""

    is_ours = True
    has_more = False

    def __init__(self, launch: Launch) -> None:
        # The child's side stays open here too while it lives: a program may close its terminal and open it again.
        self.fd, self._childs_side = os.openpty()
        self.size = launch.size
        try:
            self.resize(launch.size)
            _erase_whole_characters(self._childs_side)
            os.set_blocking(self.fd, False)
            self.pid = _spawn(launch, os.ttyname(self._childs_side))
            self.exit_fd = os.pidfd_open(self.pid)
        except BaseException:
            os.close(self.fd)
            os.close(self._childs_side)
            raise
        self._status: ExitStatus | None = None

    def read(self) -> bytes | None:
        try:
            return os.read(self.fd, _READ)
        except BlockingIOError:
            return None
        except OSError as error:
            if error.errno in _GONE:
                return b""
            raise

    def write(self, data: bytes) -> int:
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno in _GONE:
                return len(data)  # nobody is left to read it
            raise

    def resize(self, size: Size) -> None:
        self.size = size
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))

    def signal(self, number: int) -> None:
        if self._status is None:
            # Not ours to signal: a child that became another user. Closing the terminal is what it will hear.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def exit_status(self) -> ExitStatus | None:
        """How the child ended; `None` while it runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self._status = _exit_status(status)
                os.close(self._childs_side)
        return self._status

    def stopped_by(self) -> int | None:
        with contextlib.suppress(ChildProcessError):  # it has exited
            if self._status is None and (found := os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG)) is not None:
                return found.si_status
        return None

    def makes_signals(self) -> bool:
        return bool(termios.tcgetattr(self.fd)[3] & termios.ISIG)

    def close(self) -> None:
        os.close(self.exit_fd)
        os.close(self.fd)
        if self._status is None:
            os.close(self._childs_side)


def _erase_whole_characters(tty: int) -> None:
    """In line mode, Backspace takes a UTF-8 character, not a byte."""
    attributes = termios.tcgetattr(tty)
    attributes[0] |= _IUTF8
    termios.tcsetattr(tty, termios.TCSANOW, attributes)


def _spawn(launch: Launch, tty: str) -> int:
    """Opening the terminal as the first one of a new session makes it the controlling one."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, tty, os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_DUP2, 0, 2),
    ]
    command = launch.argv[0]
    try:
        return os.posix_spawnp(
            command, launch.argv, launch.env, file_actions=actions, setsid=True, setsigmask=[], setsigdef=_RESET_SIGNALS
        )
    except OSError as error:
        raise LaunchFailed(_why(command, error)) from None


def _why(command: str, error: OSError) -> str:
    match error.errno:
        case errno.ENOENT if (path := shutil.which(command)) is not None:
            return f"cannot start {command!r}: {path} is there, but not the interpreter that it names (its #! line)"
        case errno.ENOENT if "/" not in command:
            return f"cannot start {command!r}: no such command on PATH"
        case errno.ENOENT:
            return f"cannot start {command!r}: no such file"
        case errno.EACCES:
            return f"cannot start {command!r}: not an executable file (chmod +x it?)"
        case errno.ENOEXEC:
            path = shutil.which(command) or command
            return f"cannot start {command!r}: {path} is not a program, and has no #! line naming its interpreter"
        case _:
            return f"cannot start {command!r}: {error.strerror}"


def _exit_status(status: int) -> ExitStatus:
    if os.WIFSIGNALED(status):
        return ExitStatus(signal=os.WTERMSIG(status))
    return ExitStatus(code=os.WEXITSTATUS(status))
