"""Screens and steps in one line of Markdown."""

from dataclasses import fields

from coop.model.screen import Size, Style

from .case import Step
from .seen import Run, Seen
from .verdicts import Verdict


def show_steps(steps: tuple[Step, ...]) -> str:
    return " ".join(f"→{step.cols}×{step.rows}" if isinstance(step, Size) else f"`{_escaped(step)}`" for step in steps if step)


def show(seen: Seen, verdict: Verdict) -> str:
    """The rows with `⏎` between and `·` for blanks, then the cursor; styles and titles only where they differ."""
    differing = {*verdict.from_xterm, *verdict.from_tmux}
    rows = [_row(row, styled="style" in differing) for row in seen.rows]
    while rows and not rows[-1]:
        rows.pop()
    facts = [f"cursor {seen.cursor[0]},{seen.cursor[1]}"]
    if "width" in differing and seen.widths:
        facts.append("widths " + " ".join(filter(None, seen.widths)))
    if "screen" in differing:
        facts.append("alternate" if seen.alternate else "main")
    if "title" in differing:
        facts.append(f"title {seen.title!r}")
    return f"`{'⏎'.join(rows) or '(empty)'}` {', '.join(facts)}"


def _row(row: tuple[Run, ...], *, styled: bool) -> str:
    text = "".join((_style(run.style) if styled else "") + _text(run.text) for run in row)
    return text if styled else text.rstrip("·")


def _text(text: str) -> str:
    return text.encode("unicode_escape").decode().replace(" ", "·")


def _style(style: Style) -> str:
    told = [(field.name, getattr(style, field.name)) for field in fields(style) if getattr(style, field.name) != field.default]
    return "{" + " ".join(name if value is True else f"{name}={value}" for name, value in told) + "}"


def _escaped(data: bytes) -> str:
    return repr(data)[2:-1].replace("\\x1b", "ESC ").replace("`", "\\x60")
