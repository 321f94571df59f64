"""A child that plays a recording to its terminal, as far as it is told to: `player.py STEPS ORDERS DONE`.

STEPS is a file of JSON strings (base64), one a line. Every line of ORDERS, a pipe, is a number: it plays up to that step, and
answers on DONE, another pipe, with the size its terminal has then.
"""

import base64
import json
import os
import sys
import tty
from pathlib import Path


def main(steps_path: str, orders_path: str, done_path: str) -> None:
    steps = [base64.b64decode(json.loads(line)) for line in Path(steps_path).read_text().splitlines()]
    tty.setraw(1)
    played = 0
    with open(orders_path) as orders, open(done_path, "w", buffering=1) as done:
        for order in orders:
            for step in steps[played : int(order)]:
                write(step)
            played = max(played, int(order))
            size = os.get_terminal_size(1)
            done.write(f"{size.columns}x{size.lines}\n")


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main(*sys.argv[1:])
