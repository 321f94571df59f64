"""How to start a child, as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from coop.model.screen import Size


@dataclass(frozen=True, slots=True)
class Launch:
    argv: tuple[str, ...]
    env: Mapping[str, str]
    size: Size
