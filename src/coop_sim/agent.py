"""A pretend agent: a prompt, a spinner, an answer, a question. Small, honest about its states, and quick."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

PROMPT = "❯ "
SPINNER = "✶✸✹✺✹✷"
WELCOME = """\
╭──────────────────────────────────────────────────────────╮
│ ✻ Pretend agent: says what it would do, and does nothing │
╰──────────────────────────────────────────────────────────╯
  Type anything. "ask" asks back, "fail" fails, "exit" ends.
"""
_DIM, _BOLD, _RED, _CYAN, _RESET = "\x1b[2m", "\x1b[1m", "\x1b[31m", "\x1b[36m", "\x1b[0m"


@dataclass
class Terminal:
    """Reads keys and writes text; time passes only here."""

    read: int = 0
    write: int = 1
    clock: Callable[[], float] = time.monotonic
    pending: bytearray = field(default_factory=bytearray)

    def say(self, text: str) -> None:
        os.write(self.write, text.replace("\n", "\r\n").encode())

    def key(self, within: float | None = None) -> str | None:
        """The next character typed; `None` when none came in time. The end of input is Ctrl-D."""
        while True:
            character = self._next_character()
            if character is not None:
                return character
            ready, _, _ = select.select([self.read], [], [], within)
            if not ready:
                return None
            self.pending += os.read(self.read, 4096) or b"\x04"

    def _next_character(self) -> str | None:
        for length in range(1, min(4, len(self.pending)) + 1):
            try:
                character = self.pending[:length].decode()
            except UnicodeDecodeError:
                continue
            del self.pending[:length]
            return character
        return None

    def line(self, prompt: str) -> str | None:
        """What was typed up to Enter; `None` when the person ends the session."""
        self.say(prompt)
        typed = ""
        while True:
            match self.key():
                case "\r" | "\n":
                    self.say("\n")
                    return typed
                case "\x03":
                    typed = ""
                    self.say(f"\r\x1b[K{prompt}")
                case "\x04" | None:
                    return None
                case "\x7f" | "\x08":
                    typed = typed[:-1]
                    self.say(f"\r\x1b[K{prompt}{typed}")
                case character if character.isprintable():
                    typed += character
                    self.say(character)
                case _:
                    pass


def run(terminal: Terminal, *, pace: float = 0.06) -> int:
    """Talks until told to stop. `pace` is the time of one frame."""
    terminal.say(WELCOME)
    while (message := terminal.line(f"\n{PROMPT}")) is not None:
        match message.strip().lower():
            case "":
                continue
            case "exit" | "quit":
                break
            case "fail":
                _work(terminal, frames=6, pace=pace)
                terminal.say(f"{_RED}✘ The model is overloaded; try again later.{_RESET}\n")
            case "ask":
                _ask(terminal, pace)
            case _:
                _answer(terminal, message, pace)
    terminal.say(f"{_DIM}Bye.{_RESET}\n")
    return 0


def _work(terminal: Terminal, *, frames: int, pace: float) -> bool:
    """Spins; false when interrupted with Escape."""
    terminal.say("\x1b[?25l")
    interrupted = False
    for frame in range(frames):
        terminal.say(f"\r\x1b[K{_CYAN}{SPINNER[frame % len(SPINNER)]} Pondering… {_DIM}(esc to interrupt){_RESET}")
        if terminal.key(within=pace) == "\x1b":
            interrupted = True
            break
    terminal.say("\r\x1b[K\x1b[?25h")
    if interrupted:
        terminal.say(f"{_DIM}⎿ Interrupted.{_RESET}\n")
    return not interrupted


def _words(message: str) -> Iterator[str]:
    yield from f"You said “{message}”. I would now read the code, change it and run the tests; being pretend, I leave it as it is.".split()


def _answer(terminal: Terminal, message: str, pace: float) -> None:
    if not _work(terminal, frames=20, pace=pace):
        return
    terminal.say(f"{_BOLD}●{_RESET}")
    for word in _words(message):
        terminal.say(f" {word}")
        terminal.key(within=pace / 4)
    terminal.say("\n")


def _ask(terminal: Terminal, pace: float) -> None:
    if not _work(terminal, frames=8, pace=pace):
        return
    options = ("PostgreSQL", "SQLite", "A text file")
    numbered = "".join(f"  {number}. {option}\n" for number, option in enumerate(options, 1))
    terminal.say(f"{_BOLD}Which database should we use?{_RESET}\n{numbered}{_DIM}  Press a number.{_RESET}")
    while (key := terminal.key()) not in ("1", "2", "3"):
        if key in (None, "\x04", "\x1b"):
            terminal.say(f"\r\x1b[K{_DIM}⎿ No answer.{_RESET}\n")
            return
    terminal.say(f"\x1b[4A\r\x1b[J● {options[int(key or 1) - 1]} it is.\n")


def main() -> int:
    if not sys.stdin.isatty():
        print("coop_sim: needs a terminal; run it under coop: coop -- python -m coop_sim", file=sys.stderr)
        return 2
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        return run(Terminal())
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
