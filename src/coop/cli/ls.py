"""`coop ls`: the sessions of this user on this machine."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence

import click

from coop.cli.listing import Row, listed, look
from coop.cli.reaching import Asking, echo_json
from coop.cli.unread import while_read
from coop.cli.watching import Paper, Screen, watch
from coop.client.finding import sessions

NONE = "no session runs here; start one with: coop -- COMMAND"


@click.command(cls=Asking)
@click.option("-w", "--watch", "is_watching", is_flag=True, help="Go on, and tell again what changes. Ctrl-C ends it.")
def ls(token: str | None, *, as_json: bool, is_watching: bool) -> None:
    """List the sessions of this machine.

    Those of this user, with what they do and for how long. With --json: a list of what GET /api/v1/agent/state says, with the
    name, socket, age and folder of each. --watch --json prints such a list on a line whenever something has changed.
    """
    env = os.environ
    if is_watching:
        surface = Screen(env) if sys.stdout.isatty() and not as_json else Paper(env, as_json=as_json)
        asyncio.run(while_read(watch(env, token, surface)))
        return
    rows = asyncio.run(_looked(env, token))
    now = time.monotonic()
    if as_json:
        echo_json([row.body(now) for row in rows])
    elif rows:
        click.echo("\n".join(listed(rows, now, home=env.get("HOME"), width=width_of_terminal())))
    else:
        click.echo(NONE, err=True)


async def _looked(env: Mapping[str, str], token: str | None) -> Sequence[Row]:
    return await asyncio.gather(*(look(found, token, time.monotonic()) for found in sessions(env)))


def width_of_terminal() -> int | None:
    """`None` where nothing is cut: in a pipe, or a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
