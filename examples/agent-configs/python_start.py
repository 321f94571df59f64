"""The prompt of python.toml: a row of blanks first puts it on a line of its own when the last output did not end its line."""

import os
import sys


class FreshLine:
    def __init__(self, prompt: str) -> None:
        self.prompt = prompt

    def __str__(self) -> str:
        sys.stdout.write(" " * os.get_terminal_size().columns + "\r\x1b[K")
        sys.stdout.flush()
        return self.prompt


sys.ps1 = FreshLine(">>> ")
