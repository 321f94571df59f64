"""`coop nudge`: tells the agent something, and says what became of it."""

from typing import Any

import click

from coop.cli.looks import fields, one_line
from coop.cli.reaching import Asking, Door, echo_json, named_session, words_from
from coop.cli.seconds import Seconds
from coop.client.api import Api
from coop.wire.decode import Body
from coop.wire.http import NudgeRequest

WAIT = 3.0


@click.command(cls=Asking)
@named_session
@click.argument("message")
@click.option(
    "--when",
    type=click.Choice(["idle", "queue", "interrupt", "steer"]),
    default="idle",
    show_default=True,
    help="A busy agent: refuse, keep it for the end of the turn, stop the agent first, or tell it in the middle of its turn.",
)
@click.option("--raw", is_flag=True, help="Run /commands and !shell instead of making them harmless.")
@click.option("--keep-draft", is_flag=True, help="Refuse rather than clear what somebody has begun to type.")
@click.option("--wait", type=Seconds(0, 60), default=WAIT, metavar="SECS", show_default=True, help="For proof.")
@click.option("--key", metavar="KEY", help="The same key again does not tell it again.")
def nudge(door: Door, message: str, *, as_json: bool, wait: float, key: str | None, **how: Any) -> None:
    """Tell the agent something.

    MESSAGE is `-` for standard input. Done when the agent itself has shown that it took the message; the receipt says how.
    SESSION is `.` for the session this runs in, or the only one.
    """
    request = NudgeRequest(words_from(message).rstrip("\n"), wait=wait, idempotency_key=key, **how)

    async def asked(api: Api) -> Body:
        return await api.say("/api/v1/agent/nudge", request, wait=wait)

    reply = door.ask(asked)
    if as_json:
        echo_json(reply)
    else:
        click.echo("\n".join(told(reply.get("receipt") or {})))


def told(receipt: Body) -> list[str]:
    heard = receipt.get("received_as")
    return fields(
        [
            ("receipt", f"{receipt.get('id', '')} {receipt.get('progress', '')}".strip()),
            ("proof", one_line(receipt.get("evidence") or "")),
            ("heard as", one_line(heard) if heard and heard != receipt.get("message") else ""),
            ("queued", "for the end of the turn" if receipt.get("queued") else ""),
            ("cleared", one_line(receipt.get("cleared_draft") or "")),
        ]
    )
