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


os.environ["PYTHON_BASIC_REPL"] = "1"  # the one of 3.13 draws its prompt by other rules
sys.ps1 = FreshLine(">>> ")
