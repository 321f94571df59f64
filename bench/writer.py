"""The child of every peer in every flood: writes what its control socket orders, and says when the terminal took it.

Run as a script by its path; needs the standard library only and imports little, since it starts with every peer.
"""

import json
import os
import select
import socket
import sys
import time

BLOCK = 1 << 16
STDOUT = 1


def write_all(data: memoryview) -> None:
    while data:
        data = data[os.write(STDOUT, data) :]


def flood(payload: bytes, control: socket.socket, *, times: int, rate: float | None) -> int:
    """Writes the payload `times` over, at `rate` bytes a second; a word on the control socket ends it early."""
    start = time.monotonic()
    written = 0
    view = memoryview(payload)
    for _ in range(times):
        for at in range(0, len(payload), BLOCK):
            write_all(view[at : at + BLOCK])
            written += min(BLOCK, len(payload) - at)
            ahead = 0.0 if rate is None else written / rate - (time.monotonic() - start)
            if select.select([control], [], [], max(0.0, ahead))[0]:
                return written
    return written


def carry_out(control: socket.socket, *, path: str, times: int, rate: float | None, marker: str) -> dict[str, float]:
    """`lines` is how many newlines were written: the terminal makes two bytes of each."""
    with open(path, "rb") as file:
        payload = file.read()
    # Counted before the clock runs and not after: the answer must not come late.
    newlines = payload.count(b"\n")
    start = time.monotonic()
    written = flood(payload, control, times=times, rate=rate)
    tail = f"\r\n{marker}\r\n".encode() if marker else b""
    write_all(memoryview(tail))
    end = time.monotonic()
    whole, rest = divmod(written, len(payload))
    lines = newlines * whole + payload.count(b"\n", 0, rest) + tail.count(b"\n")
    return {"start": start, "end": end, "written": written + len(tail), "lines": lines}


def main(address: str) -> None:
    control = socket.socket(socket.AF_UNIX)
    control.connect(address)
    orders = control.makefile("r")
    for line in orders:
        order = json.loads(line)
        if order:
            control.sendall(json.dumps(carry_out(control, **order)).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
