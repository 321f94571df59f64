"""Draws docs/images/*.svg: an agent under a real coop, and what the API says of it at that moment.

`coop.svg` shows the pretend agent; `attach.svg` the same through `coop attach`; `claude.svg` the real Claude Code, offline, where
`make live` has installed it. `python scripts/picture.py attach` draws only that one.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path

from coop.model.screen import XTERM, Cell, Color, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.testing import CoopProcess, eventually, running_coop
from coop.testing.anthropic import FakeAnthropic, use
from coop.testing.claude import seeded_home
from tests.oracles.on_pty import on_pty

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs/images"
SIZE = Size(66, 16)
CLAUDE_SIZE = Size(66, 22)
ATTACH_SIZE = Size(86, 17)
WIDE, HIGH, FONT = 8.43, 19, 14
PALETTE = ("#1d2021", "#e06c5c", "#98be65", "#d9a45b", "#61afef", "#c678dd", "#56b6c2", "#d5d5d5")
INK, DIM, PAPER, PANEL = "#d5d5d5", "#8a8f98", "#16181d", "#1f2229"


def get(coop: CoopProcess, path: str) -> dict[str, object]:
    reply: dict[str, object] = json.load(urllib.request.urlopen(coop.url + path))
    return reply


def post(coop: CoopProcess, path: str, body: object) -> None:
    urllib.request.urlopen(coop.url + path, json.dumps(body).encode()).read()


def is_in(coop: CoopProcess, state: str) -> bool:
    return get(coop, "/api/v1/agent/state")["state"] == state


def scene() -> tuple[GhosttyScreen, dict[str, object]]:
    """The screen and the state of an agent that has worked and now asks."""
    config = str(files("coop_sim") / "agent.toml")
    options = ("--agent-config", config, "--cols", str(SIZE.cols), "--rows", str(SIZE.rows))
    with running_coop(*options, command=(sys.executable, "-m", "coop_sim")) as coop:
        eventually(lambda: is_in(coop, "waiting_for_input"))
        for message, then in (("tidy up", "waiting_for_input"), ("ask", "ask_user")):
            post(coop, "/api/v1/input", {"text": message, "enter": True})
            eventually(lambda: is_in(coop, "working"))
            eventually(lambda then=then: is_in(coop, then))  # type: ignore[misc]
        screen = GhosttyScreen(SIZE, XTERM)
        screen.feed(base64.b64decode(str(get(coop, "/api/v1/output")["data"])))
        return screen, get(coop, "/api/v1/agent/state")


def claude_scene() -> tuple[GhosttyScreen, dict[str, object]]:
    """The real one, which wants to run a command."""
    agents = subprocess.run(
        [ROOT / "scripts/install-live-agents", ROOT / "tests/live"], capture_output=True, text=True, check=True
    )
    claude = f"{agents.stdout.strip()}/node_modules/claude-2.1.325/claude"
    size = ("--cols", str(CLAUDE_SIZE.cols), "--rows", str(CLAUDE_SIZE.rows))
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="demo-") as root, FakeAnthropic().serving() as api:
        place = seeded_home(Path(root))
        api.script(use("Bash", command="rm -rf build && make", description="Build from scratch"))
        command, env = (claude, "--permission-mode", "default"), place.environment(api.url)
        with running_coop("--agent", "claude", *size, command=command, env=env, cwd=place.workspace) as coop:
            eventually(lambda: is_in(coop, "waiting_for_input"))
            post(coop, "/api/v1/agent/nudge", {"message": "build it from scratch"})
            eventually(lambda: is_in(coop, "permission_prompt") and "screen_lines" in str(get(coop, "/api/v1/agent/state")))
            screen = GhosttyScreen(CLAUDE_SIZE, XTERM)
            screen.feed(base64.b64decode(str(get(coop, "/api/v1/output")["data"])))
            return screen, get(coop, "/api/v1/agent/state")


def attach_scene() -> GhosttyScreen:
    """The terminal of somebody who has come to that agent with `coop attach`."""
    config = str(files("coop_sim") / "agent.toml")
    with running_coop("--name", "fix-login", "--agent-config", config, command=(sys.executable, "-m", "coop_sim")) as coop:
        env = {"HOME": str(coop.home), "XDG_RUNTIME_DIR": str(coop.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        words = (sys.executable, "-m", "coop.cli.main", "attach", "fix-login")
        with on_pty(words, cwd=coop.home, env={**env, "TERM": "xterm-256color"}, size=ATTACH_SIZE, answers={}) as terminal:
            for message, then in (("tidy up", "● idle"), ("ask", "● asks")):
                terminal.shows("● idle", within=30)
                terminal.press(message)
                terminal.press("\r")
                terminal.shows("● working", within=30)
                terminal.shows(then, within=30)
            return terminal.screen


def color(value: Color) -> str:
    if isinstance(value, int) and value >= 16:
        return cube(value)
    if isinstance(value, int):
        return PALETTE[value % 8]
    return INK if value is None else "#{:02x}{:02x}{:02x}".format(*value)


def cube(index: int) -> str:
    """The colour of xterm's palette past the first sixteen."""
    if index >= 232:
        return color((8 + 10 * (index - 232),) * 3)
    steps = (0, 95, 135, 175, 215, 255)
    index -= 16
    return color((steps[index // 36], steps[index // 6 % 6], steps[index % 6]))


def row(cells: tuple[Cell, ...], y: float) -> Iterator[str]:
    for column, cell in enumerate(cells):
        if cell.style.bg is not None:
            paper = f'width="{WIDE + 0.3:.1f}" height="{HIGH}" fill="{color(cell.style.bg)}"'
            yield f'<rect x="{24 + column * WIDE:.1f}" y="{y - 14}" {paper}/>'
        if not cell.text:
            continue
        weight = ' font-weight="bold"' if cell.style.bold else ""
        fill = DIM if cell.style.faint else color(cell.style.fg)
        yield f'<text x="{24 + column * WIDE:.1f}" y="{y}" fill="{fill}"{weight}>{escape(cell.text)}</text>'


def panel(x: float, y: float, width: float, height: float, title: str) -> str:
    dots = "".join(f'<circle cx="{x + 16 + 15 * n}" cy="{y + 15}" r="4.5" fill="#3a3f4b"/>' for n in range(3))
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="9" fill="{PANEL}"/>{dots}'
        f'<text x="{x + 66}" y="{y + 20}" fill="{DIM}" font-size="12">{escape(title)}</text>'
    )


def told(state: dict[str, object]) -> list[str]:
    """The part of the state that a person would look at first."""
    shown = {key: state[key] for key in ("agent", "state", "detection_tier")}
    prompt = state["prompt"] if isinstance(state["prompt"], dict) else {}
    parts = {key: prompt[key] for key in ("type", "tool", "input", "question", "options") if key in prompt}
    parts["options"] = [option if len(option) < 40 else f"{option[:38]}…" for option in parts.get("options", [])]
    return json.dumps({**shown, "prompt": parts}, indent=2, ensure_ascii=False).splitlines()


def draw(screen: GhosttyScreen, state: dict[str, object], command: str) -> str:
    left = 590
    lines = ["$ curl -s localhost:8080/api/v1/agent/state", *told(state)]
    height = 74 + HIGH * max(screen.size.rows, len(lines))
    cells = [piece for n, cells in enumerate(screen.cells()) for piece in row(cells, 62 + n * HIGH)]
    spoken = "".join(
        f'<text x="{left + 32}" y="{62 + n * HIGH}" fill="{PALETTE[2] if n == 0 else INK}" xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1100 {height}" font-family="DejaVu Sans Mono, Menlo, monospace" '
        f'font-size="{FONT}"><rect width="1100" height="{height}" fill="{PAPER}"/>'
        f"{panel(12, 12, left - 14, height - 24, command)}{''.join(cells)}"
        f"{panel(left + 16, 12, 1100 - left - 28, height - 24, 'another terminal, a script, a browser')}{spoken}</svg>\n"
    )


def draw_alone(screen: GhosttyScreen, command: str) -> str:
    width, height = 48 + WIDE * screen.size.cols, 74 + HIGH * screen.size.rows
    cells = [piece for n, cells in enumerate(screen.cells()) for piece in row(cells, 62 + n * HIGH)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, monospace" font-size="{FONT}">'
        f'<rect width="{width:.0f}" height="{height}" fill="{PAPER}"/>'
        f"{panel(12, 12, width - 24, height - 24, command)}{''.join(cells)}</svg>\n"
    )


if __name__ == "__main__":
    (IMAGES / "attach.svg").write_text(draw_alone(attach_scene(), "coop attach fix-login"))
    if sys.argv[1:] == ["attach"]:
        sys.exit()
    (IMAGES / "coop.svg").write_text(draw(*scene(), "coop --port 8080 -- agent"))
    (IMAGES / "claude.svg").write_text(draw(*claude_scene(), "coop --port 8080 --agent claude -- claude"))
    print(f"wrote {IMAGES.relative_to(Path.cwd())}/*.svg")
