"""How many, as an option says it."""

from typing import Any

import click


class Whole(click.IntRange):
    """A whole number of a range. What is none is told what is expected, by the numbers."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a number from {self.min} to {self.max}, got {value}", param, ctx)
