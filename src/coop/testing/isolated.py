"""`python -m coop.testing.isolated COMMAND…`: runs it where nothing can leave the machine, if the machine allows.

A network namespace with nothing but loopback. Where none can be had, it says so and runs the command as it is.
"""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys

INSIDE = "COOP_TEST_ISOLATED"
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1


def main() -> None:
    command = sys.argv[1:]
    if os.environ.get(INSIDE) == "1":
        _raise_loopback()
        os.execvp(command[0], command)
    unshare = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode == 0:
        again = [*unshare, sys.executable, "-m", "coop.testing.isolated", *command]
        os.execvpe(again[0], again, {**os.environ, INSIDE: "1"})
    print("no network namespace is to be had here: running without one", file=sys.stderr)
    os.execvp(command[0], command)


def _raise_loopback() -> None:
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


if __name__ == "__main__":
    main()
