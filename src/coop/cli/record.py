"""`coop record`: begins to write a session down, or stops."""

from pathlib import Path
from typing import Literal

import click

from coop.cli.reaching import Asking, Door, echo_json, session
from coop.client.api import Api
from coop.wire.decode import Body
from coop.wire.http import RecordingRequest

PATH = "/api/v1/recording"


@click.command(cls=Asking)
@session
@click.option("--stop", "wish", flag_value="stop", help="Write no more.")
@click.option("--status", "wish", flag_value="status", help="Only say whether it is written down, and where.")
def record(door: Door, *, as_json: bool, wish: Literal["stop", "status"] | None) -> None:
    """Write a session down from now on, or stop.

    The file is new, on the machine of the session, beside that of --record, and holds all that is typed and shown. What begins in
    the middle is replayed for the screen only. With --json it is the body of GET /api/v1/recording.
    """

    async def asked(api: Api) -> Body:
        if wish == "status":
            return await api.get(PATH)
        return await api.say(PATH, RecordingRequest(on=wish is None), method="PUT")

    reply = door.ask(asked)
    if as_json:
        echo_json(reply)
    else:
        click.echo(told(reply))


def told(reply: Body) -> str:
    path, size = reply.get("path"), f"{reply.get('bytes_written', 0):,} bytes"
    if not path:
        return "not recording, and nothing was recorded"
    where = f"{Path(path)}, {size}"
    if not reply.get("on"):
        return f"{where}; it is over: {reply.get('ended') or 'stopped'}"
    return (
        f"{where}; {'from its beginning' if reply.get('begins') == 'start' else 'from the middle: it replays the screen only'}"
    )
