"""How long, as an option says it."""

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """Of a range, and finite: NaN is neither above nor below anything, and so within every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"expected a number of seconds, got {value}", param, ctx)
        return seconds
