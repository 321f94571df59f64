"""`coop send`: says something of the work from inside the session, through the door its hooks use."""

import json
import os
import sys
import urllib.error
import urllib.request
from typing import NoReturn, cast

import click

_WITHIN = 5.0


@click.command(short_help="From inside: say how the work stands.")
@click.argument("signal")
def send(signal: str) -> None:
    """Tells this session's coop how the work stands: '{"kind":"complete"}', or '{"kind":"escalate","message":"why"}'.

    To be run by the agent itself. COOP_URL and COOP_HOOK_TOKEN, which coop gives its child, say where to.
    """
    url, token = os.environ.get("COOP_URL"), os.environ.get("COOP_HOOK_TOKEN")
    if not url or not token:
        _fail("not inside of a session: COOP_URL and COOP_HOOK_TOKEN are not set; run this from what coop runs")
    try:
        body: object = json.loads(signal)
    except ValueError as error:
        _fail(f'expected JSON like \'{{"kind":"complete"}}\', got {signal!r}: {error}')
    if not isinstance(body, dict) or not isinstance(cast("dict[str, object]", body).get("kind"), str):
        _fail(f'expected an object with a kind, like \'{{"kind":"complete"}}\', got {signal!r}')
    click.echo(_post(f"{url}/api/v1/stop/resolve", token, signal))


def _post(url: str, token: str, body: str) -> str:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(url, body.encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=_WITHIN):
            return "noted"
    except urllib.error.HTTPError as error:
        _fail(f"coop refused: {_message(error.read())}")
    except OSError as error:
        _fail(f"coop cannot be reached at {url}: {error}")


def _message(reply: bytes) -> str:
    try:
        return str(json.loads(reply)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return reply.decode(errors="replace")[:200]


def _fail(message: str) -> NoReturn:
    click.echo(f"coop send: {message}", err=True)
    sys.exit(2)
