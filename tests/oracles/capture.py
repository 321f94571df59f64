"""Reads what `tmux capture-pane -e` prints: text with SGR between, and shift-out around line drawing."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from coop.model.screen import PLAIN, Cell, Color, Style

_TOKEN = re.compile(r"\x1b\[(?P<sgr>[\d;:]*)m|(?P<char>.)", re.DOTALL)
_GRAPHICS = str.maketrans("`afgjklmnopqrstuvwxyz{|}~", "◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
_COLOR_FIELDS = {38: "fg", 48: "bg", 58: "underline_color"}

_FLAGS: dict[str, dict[str, Any]] = {
    "1": {"bold": True},
    "2": {"faint": True},
    "3": {"italic": True},
    "4": {"underline": 1},
    "5": {"blink": True},
    "7": {"inverse": True},
    "8": {"invisible": True},
    "9": {"strikethrough": True},
    **{f"4:{n}": {"underline": n} for n in range(6)},
    "5:3": {"overline": True},  # how tmux 3.3 spells 53
    "53": {"overline": True},
    "39": {"fg": None},
    "49": {"bg": None},
    "59": {"underline_color": None},
}


def read_capture(text: str) -> list[list[Cell]]:
    """The rows; the widths are not told, so every character counts one."""
    rows: list[list[Cell]] = [[]]
    style, graphics = PLAIN, False
    for token in _TOKEN.finditer(text):
        match token["char"]:
            case None:
                style = read_sgr(token["sgr"], style)
            case "\n":
                rows.append([])
            case "\x0e" | "\x0f" as shift:
                graphics = shift == "\x0e"
            case char:
                rows[-1].append(Cell(char.translate(_GRAPHICS) if graphics else char, 1, style))
    return rows


def read_sgr(parameters: str, style: Style) -> Style:
    values = iter(parameters.split(";"))
    for value in values:
        base, _, rest = value.partition(":")
        if value in ("", "0"):
            style = PLAIN
        elif value in _FLAGS:
            style = replace(style, **_FLAGS[value])
        elif int(base) in _COLOR_FIELDS:
            numbers = iter(part for part in rest.split(":") if part) if rest else values
            style = _colored(style, _COLOR_FIELDS[int(base)], _extended(numbers))
        else:
            style = _colored(style, *_basic(int(value)))
    return style


def _extended(numbers: Iterator[str]) -> Color:
    if next(numbers) == "5":
        return int(next(numbers))
    return (int(next(numbers)), int(next(numbers)), int(next(numbers)))


def _basic(value: int) -> tuple[str, Color]:
    """The sixteen colours: 30–37 and 40–47, bright from 90 and 100."""
    bright = 8 if value >= 90 else 0
    return ("bg" if value // 10 in (4, 10) else "fg"), value % 10 + bright


def _colored(style: Style, field: str, color: Color) -> Style:
    colors: dict[str, Any] = {field: color}
    return replace(style, **colors)
