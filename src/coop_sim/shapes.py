"""Values from outside as what they should be; what is something else is empty. Nothing here raises."""

import json
from typing import cast

Table = dict[str, object]


def as_table(value: object) -> Table:
    return cast("Table", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def as_text(value: object, default: str = "") -> str:
    return value if isinstance(value, str) else default


def as_number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def read_table(text: str) -> Table:
    try:
        return as_table(json.loads(text))
    except ValueError:
        return {}
