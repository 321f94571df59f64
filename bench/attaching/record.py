"""`python -m bench.attaching.record`: real programs on a terminal, worked with and resized → bench/attaching/recorded/*.cast."""

import codecs
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from coop.model.screen import Size
from tests.oracles.on_pty import OnPty, on_pty

RECORDED = Path(__file__).with_name("recorded")
SIZE = Size(80, 24)
QUIET, AT_MOST = 0.6, 4.0
"""A program that has written nothing for so long has drawn what it wants to; one that draws for ever is left after the second."""

Step = str | Size
"""Keys to press, or a size to change to."""

TEXT = "".join(f"{n:4} " + "the quick brown fox jumps over the lazy dog "[: 10 + n * 7 % 60] + "\n" for n in range(1, 200))
CODE = (
    'import os\n\n\ndef greet(name: str) -> str:\n    """Says hello."""\n    return f"Hello, {name}!"  # café 你好 👍\n\n\n'
    * 12
)
CURSES = """
import curses
def main(screen):
    curses.start_color(); curses.use_default_colors()
    for n in range(1, 8): curses.init_pair(n, n, n % 3 - 1)
    while True:
        screen.erase(); screen.border()
        rows, cols = screen.getmaxyx()
        for n in range(1, min(rows - 2, 16)):
            screen.addnstr(n, 2, f"row {n} of {rows}×{cols} 你好 ─═ ░▒▓ é", cols - 4, curses.color_pair(n % 8) | (curses.A_BOLD if n % 2 else curses.A_REVERSE))
        screen.refresh()
        if screen.getch() == ord("q"): return
curses.wrapper(main)
"""
UNICODE = "".join(
    (
        "Ångström ﬁ ½ ≤ ∞ → ⌘\r\n",
        "你好，世界 こんにちは 안녕하세요\r\n",
        "👍 👩‍💻 🏳️‍🌈 🇩🇪 ❤️ ☺ ✈️\r\n",
        "e\u0301 a\u0308 n\u0303 combining\r\n",
        "│┌─┬─┐│ ╔═╗ ░▒▓█\r\n",
        "x" * 79 + "你 at the edge\r\n",
        "\x1b[1mbold\x1b[22;3m italic\x1b[23;4m under\x1b[24;9m struck\x1b[0m \x1b[38;2;255;100;0mrgb\x1b[48;5;22m on green\x1b[0m\r\n",
    )
)


@dataclass(frozen=True, slots=True)
class Play:
    command: str
    """For a shell, in a folder that has `text` and `code.py`."""
    steps: tuple[Step, ...] = ()


VIM = "vim -u NONE -i NONE -N -n --cmd 'set ruler showcmd incsearch hlsearch'"
PLAYS: Mapping[str, Play] = {
    "vim-edit": Play(f"{VIM} text", ("GoA new last line\x1b", "gg", "dd", "/lazy\r", "n", "v3jd", ":set nu\r")),
    "vim-resize": Play(f"{VIM} text", ("50G", Size(60, 16), "20j", Size(110, 30), "gg", ":vsplit code.py\r")),
    "vim-windows": Play(f"{VIM} -c 'syntax on' code.py", (":split text\r", "\x17v", "\x17l", "10j", ":resize 5\r")),
    "vim-then-shell": Play(f"printf 'before\\n'; {VIM} text; printf 'after\\n'; cat", ("10j", ":q\r")),
    "vim-insert-wide": Play(f"{VIM} code.py", ("o你好 👍 é" + "─" * 50 + "\x1b", "yyp", "0i\t\x1b")),
    "less-page": Play("less text", (" ", " ", "b", "/fox\r", "n")),
    "less-resize": Play("less text", ("G", Size(50, 12), "g", Size(100, 28), " ")),
    "less-then-shell": Play("printf 'before\\n'; less text; printf 'after\\n'; cat", (" ", "q", "typed at the end")),
    "top": Play("exec top -d 1 -p $$", ("1", "z", "h", "q")),
    "top-resize": Play("exec top -d 1 -p $$", (Size(60, 14), "x", Size(100, 30))),
    "curses": Play(f"exec {sys.executable} -c '{CURSES}'", ("x", Size(50, 12), "x", Size(90, 26), "x")),
    "shell": Play(
        "exec bash --norc --noprofile -i",
        ("echo hello\r", "ls -1\r", "\x12ech\r", "echo " + "long " * 30 + "\x01\x05\x17\x17\r", "clear\r"),
    ),
    "shell-scrolls": Play(
        "exec bash --norc --noprofile -i", ("cat text\r", "seq 50\r", "printf '\\033[5;10r'; seq 20; printf '\\033[r'\r")
    ),
    "python": Play(f"exec {sys.executable} -q", ("for n in range(30): print(n, 'x' * n)\r\r", "1/0\r", "help(len)\r", "q")),
    "unicode": Play(f"printf '%s' '{UNICODE}'; cat", ("typed 你\r",)),
    "tmux-in-it": Play(
        "tmux -S ./t -f ./conf -u new 'cat text; cat'",
        ("\x02%", '\x02"', "\x02o", "typed\r", Size(100, 30)),
    ),
    "progress": Play("for n in $(seq 60); do printf '\\r\\033[K%3d %s' $n \"$(printf '%*s' $n | tr ' ' '#')\"; done; cat", ()),
}


class Recording:
    def __init__(self, running: OnPty, size: Size) -> None:
        self._running = running
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._began = time.monotonic()
        self.lines = [json.dumps({"version": 2, "width": size.cols, "height": size.rows, "env": {"TERM": "xterm-256color"}})]

    def rest(self) -> None:
        """Writes down what comes until nothing does."""
        deadline = time.monotonic() + AT_MOST
        while time.monotonic() < deadline and select.select([self._running.fd], [], [], QUIET)[0]:
            before = len(self._running.output)
            if not self._running._pump(0):
                return
            self._note("o", self._decoder.decode(self._running.output[before:]))

    def take(self, step: Step) -> None:
        if isinstance(step, Size):
            self._note("r", f"{step.cols}x{step.rows}")
            self._running.resize(step)
        else:
            self._note("i", step)
            self._running.press(step)
        self.rest()

    def _note(self, kind: str, text: str) -> None:
        if text:
            self.lines.append(json.dumps([round(time.monotonic() - self._began, 3), kind, text], ensure_ascii=False))


def record(play: Play) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "text").write_text(TEXT)
        (folder / "code.py").write_text(CODE)
        (folder / "conf").write_text("set -g default-command cat\nset -g status-right ''\n")
        env = {"HOME": name, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "PS1": "$ "}
        with on_pty(
            ("sh", "-c", play.command), cwd=folder, env=env, size=SIZE, answers={b"\x1b[c": b"\x1b[?62;22c"}
        ) as running:
            recording = Recording(running, SIZE)
            recording.rest()
            for step in play.steps:
                recording.take(step)
            yield from recording.lines
        if (folder / "t").exists():
            subprocess.run(["tmux", "-S", str(folder / "t"), "kill-server"], check=True, timeout=AT_MOST)


def main(names: list[str]) -> None:
    RECORDED.mkdir(exist_ok=True)
    for name in names or PLAYS:
        (RECORDED / f"{name}.cast").write_text("\n".join(record(PLAYS[name])) + "\n")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
