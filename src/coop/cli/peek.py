"""`coop peek`: the screen, as it is now."""

import sys

import click

from coop.cli.looks import harmless
from coop.cli.reaching import Door, Looking, echo_json, session
from coop.cli.whole import Whole
from coop.client.api import Api
from coop.wire.decode import Body


@click.command(cls=Looking)
@session
@click.option("--scrollback", type=Whole(0, 100_000), default=0, metavar="N", help="With the last N rows that scrolled away.")
@click.option("--color/--no-color", default=None, help="With its colours.  [default: on a terminal]")
@click.pass_context
def peek(ctx: click.Context, door: Door, *, as_json: bool, scrollback: int, color: bool | None) -> None:
    """Show the screen.

    With --json it is the body of GET /api/v1/screen.
    """
    if color is None:
        color = sys.stdout.isatty() and ctx.color is not False and not as_json

    async def asked(api: Api) -> Body:
        return await api.get("/api/v1/screen", format="ansi" if color else "text", scrollback=scrollback)

    screen = door.ask(asked)
    if as_json:
        echo_json(screen)
    else:
        click.echo("\n".join(rows(screen)), color=color)


def rows(screen: Body) -> list[str]:
    """From the top of what scrolled away to the last row that shows something."""
    lines = [*map(harmless, screen.get("scrollback", ())), *screen["lines"]]
    while lines and not click.unstyle(lines[-1]).strip():
        lines.pop()
    return lines
