"""One table of a scenario file, read key by key: a mistake names the key, what was expected and what came."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast, overload

from coop_sim.scenario import BadScenario

_T = TypeVar("_T", None, bool)
_NAMES = {str: "text", bool: "true or false", int: "a whole number", float: "a number", dict: "a table", list: "a list"}


class TableReader:
    """Remembers what was asked for, so that `finish` can name the keys nobody knows."""

    def __init__(self, where: str, values: Mapping[str, object]) -> None:
        self.where = where
        self._values = values
        self._known: list[str] = []
        self._opened: dict[str, list[TableReader]] = {}

    def name(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def has(self, key: str) -> bool:
        return key in self._values

    def ignore(self, *keys: str) -> None:
        self._known += keys

    def _get(self, key: str, *types: type) -> object | None:
        self._known.append(key)
        value = self._values.get(key)
        # In Python a bool is an int; in a scenario it is not.
        fits = isinstance(value, types) and (bool in types or not isinstance(value, bool))
        if value is not None and not fits:
            expected = " or ".join(_NAMES[type_] for type_ in types)
            raise BadScenario(f"{self.name(key)}: expected {expected}, got {value!r}")
        return value

    @overload
    def text(self, key: str, default: str) -> str: ...
    @overload
    def text(self, key: str, default: None) -> str | None: ...
    def text(self, key: str, default: str | None) -> str | None:
        value = self._get(key, str)
        return default if value is None else str(value)

    @overload
    def integer(self, key: str, default: int) -> int: ...
    @overload
    def integer(self, key: str, default: None) -> int | None: ...
    def integer(self, key: str, default: int | None) -> int | None:
        value = self._get(key, int)
        return value if isinstance(value, int) else default

    def number(self, key: str, default: float) -> float:
        value = self._get(key, float, int)
        if isinstance(value, int | float) and value < 0:
            raise BadScenario(f"{self.name(key)}: expected a number of at least 0, got {value!r}")
        return float(value) if isinstance(value, int | float) else default

    def flag(self, key: str, default: _T) -> bool | _T:
        value = self._get(key, bool)
        return value if isinstance(value, bool) else default

    def required(self, key: str) -> str:
        if not self.has(key):
            raise BadScenario(f"{self.name(key)}: expected text, got nothing")
        return self.text(key, "")

    def choice(self, key: str, choices: Sequence[str]) -> str:
        value = self.required(key)
        if value not in choices:
            raise BadScenario(f"{self.name(key)}: expected one of {', '.join(choices)}, got {value!r}")
        return value

    def table(self, key: str) -> "TableReader":
        return TableReader(self.name(key), self.anything(key))

    def anything(self, key: str) -> Mapping[str, object]:
        """A table whose keys are somebody else's business."""
        return cast("Mapping[str, object]", self._get(key, dict) or {})

    def tables(self, key: str, *, shorthand: str | None = None) -> "list[TableReader]":
        """A list of tables; one alone may stand for the list, and a text for a table with only `shorthand`."""
        value = self._get(key, list, dict, *([str] if shorthand else []))
        listed = cast("list[object]", value) if isinstance(value, list) else [] if value is None else [value]
        readers = [self._reader(f"{self.name(key)}[{n}]", one, shorthand) for n, one in enumerate(listed)]
        self._opened[key] = readers
        return readers

    def _reader(self, where: str, value: object, shorthand: str | None) -> "TableReader":
        if isinstance(value, str) and shorthand:
            return TableReader(where, {shorthand: value})
        if not isinstance(value, dict):
            raise BadScenario(f"{where}: expected a table, got {value!r}")
        return TableReader(where, cast("dict[str, object]", value))

    def opened(self, key: str) -> "list[TableReader]":
        """The tables that `tables` gave for this key."""
        return self._opened.get(key, [])

    def finish(self) -> None:
        for key in self._values:
            if key not in self._known:
                expected = ", ".join(sorted(set(self._known)))
                raise BadScenario(f"{self.name(key)}: not a key here; expected one of {expected}")
