"""How wide text is on a terminal, and how it is broken into rows."""

import re
import unicodedata
from collections.abc import Iterator

CURSOR = "\x1b[7m"
_PLAIN = "\x1b[27m"
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def width(text: str) -> int:
    """Columns taken. A character joined to the one before takes none; U+FE0F makes that one wide; styles take none."""
    if "\x1b" in text:
        text = _STYLE.sub("", text)
    if text.isascii():
        return len(text)
    columns, last, joined = 0, 0, False
    for character in text:
        if character == "\ufe0f":
            columns, last = columns + 2 - last, 2
            continue
        last = 0 if joined else _one(character)
        columns, joined = columns + last, character == "\u200d"
    return columns


def _one(character: str) -> int:
    if unicodedata.combining(character) or character == "\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, columns: int, *, first: str = "", rest: str = "") -> list[str]:
    """Rows of at most `columns`, broken between words; `first` and `rest` are put before the rows."""
    rows: list[str] = []
    for paragraph in text.split("\n"):
        for row in _broken(paragraph, max(columns - width(rest), 1)):
            rows.append((rest if rows else first) + row)
    return rows


def _broken(paragraph: str, columns: int) -> Iterator[str]:
    row: str | None = None
    for word in paragraph.split(" "):
        if row is not None and row.strip() and width(row) + 1 + width(word) > columns:
            yield row
            row = None
        row = word if row is None else f"{row} {word}"
        while width(row) > columns:
            yield row[:columns]
            row = row[columns:]
    yield row or ""


def cut(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-1]
    return text


def with_cursor(rows: list[str], columns: int) -> list[str]:
    """The cursor after the last character: a blank in reverse."""
    last = rows[-1]
    if width(last) >= columns:
        return [*rows, f"  {CURSOR} {_PLAIN}"]
    return [*rows[:-1], f"{last}{CURSOR} {_PLAIN}"]


def under_cursor(text: str) -> str:
    """The cursor on its first character, or on a blank at the end of a line."""
    there, rest = (" ", text) if text.startswith("\n") else (text[0], text[1:])
    return f"{CURSOR}{there}{_PLAIN}{rest}"


def placeholder(text: str) -> str:
    """The cursor on the first character of what nobody typed; the rest is faint."""
    words = " ".join(f"\x1b[2m{word}\x1b[22m" for word in text[1:].split(" "))
    return f"{CURSOR}{text[0]}{_PLAIN}{words}"
