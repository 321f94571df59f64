"""Reading what an agent wrote: JSON of somebody else's, of which nothing is taken for granted."""

from collections.abc import Mapping
from datetime import datetime
from typing import cast

Record = Mapping[str, object]


def text_of(record: Record, key: str) -> str | None:
    """`None` when it is not there, empty or no text."""
    value = record.get(key)
    return value if isinstance(value, str) and value else None


def table_of(value: object) -> Record:
    return cast("Record", value) if isinstance(value, Mapping) else {}


def items_of(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def stamp_of(record: Record) -> float | None:
    """When it was written, by its own word."""
    try:
        return datetime.fromisoformat(str(record["timestamp"])).timestamp()
    except (KeyError, ValueError):
        return None
