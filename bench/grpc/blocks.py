"""The child of the campaign, and what it writes: numbered blocks of text that anybody can make again.

`python -m bench.grpc.blocks COUNT` writes them to a terminal, as they are.
"""

import random
import sys
import tty

SIZE = 64 * 1024
_NUMBER = 16


def body() -> bytes:
    rng = random.Random(0)
    lines = ("".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789 ", k=79)) for _ in range(SIZE // 80 + 1))
    return "\n".join(lines).encode()[: SIZE - _NUMBER]


BODY = body()


def block(number: int) -> bytes:
    return b"%0*x" % (_NUMBER, number) + BODY


def expected(offset: int, size: int) -> bytes:
    """What stands there in the stream."""
    first = offset // SIZE
    several = b"".join(block(number) for number in range(first, (offset + size - 1) // SIZE + 1))
    return several[offset - first * SIZE :][:size]


def main(count: int) -> None:
    tty.setraw(sys.stdout.fileno())
    for number in range(count):
        sys.stdout.buffer.write(block(number))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
