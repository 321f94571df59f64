"""How wide text is on a terminal, and how it is broken into rows."""

import unicodedata
from collections.abc import Iterator


def width(text: str) -> int:
    """Columns taken. A character joined to the one before takes none; U+FE0F makes that one wide."""
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
