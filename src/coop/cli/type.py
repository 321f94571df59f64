"""`coop type`: types text, whatever the program makes of it."""

import click

from coop.cli.reaching import Asking, Door, echo_json, named_session, words_from
from coop.wire.http import InputRequest


@click.command("type", cls=Asking)
@named_session
@click.argument("text")
@click.option("--enter", is_flag=True, help="And Enter behind it.")
def type_text(door: Door, text: str, *, as_json: bool, enter: bool) -> None:
    """Type text.

    For programs of which coop knows nothing; `coop nudge` is for agents. TEXT is `-` for standard input. SESSION is `.` for the
    session this runs in, or the only one.
    """
    reply = door.ask(lambda api: api.say("/api/v1/input", InputRequest(words_from(text), enter)))
    if as_json:
        echo_json(reply)
