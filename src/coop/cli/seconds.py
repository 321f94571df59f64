"""How long, as an option says it."""

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """Of a range, and finite: NaN is neither above nor below anything, and so within every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            is_number = math.isfinite(float(value))
        except ValueError:
            is_number = False
        if not is_number:
            self.fail(f"expected a number of seconds, got {value}", param, ctx)
        return super().convert(value, param, ctx)
