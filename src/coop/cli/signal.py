"""`coop signal`: sends a signal to the child."""

import signal as signals

import click
from click.shell_completion import CompletionItem

from coop.cli.reaching import Asking, Door, echo_json, named_session
from coop.wire.http import SignalRequest


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(each.name) for each in signals.Signals if each.name.startswith(incomplete.upper())]


@click.command("signal", cls=Asking)
@named_session
@click.argument("signal", shell_complete=_complete)
def send_signal(door: Door, signal: str, *, as_json: bool) -> None:
    """Send a signal to the child.

    SIGNAL is SIGINT, INT or 2, and goes to the child's process group. SESSION is `.` for the session this runs in, or the only
    one.
    """
    reply = door.ask(lambda api: api.say("/api/v1/signal", SignalRequest(signal)))
    if as_json:
        echo_json(reply)
