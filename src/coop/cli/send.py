"""`coop send`: says something of the work from inside the session, through the door its hooks use."""

import os
import urllib.error
import urllib.request
from typing import Any, cast

import click
import msgspec

from coop.cli.reaching import ForScripts, echo_json
from coop.errors import BadRequest, ConfigError, CoopError, Unreachable
from coop.wire.errors import decode_error

_WITHIN = 5.0
_STRAIGHT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""By no proxy, whatever the environment says: coop is on this machine, and its token is nobody else's."""


@click.command(cls=ForScripts, short_help="From inside: say how the work stands.")
@click.argument("signal")
def send(signal: str, *, as_json: bool) -> None:
    """Tells this session's coop how the work stands: '{"kind":"complete"}', or '{"kind":"escalate","message":"why"}'.

    To be run by the agent itself. COOP_URL and COOP_HOOK_TOKEN, which coop gives its child, say where to. With --json it is
    {}: the door of the hooks tells nothing of the session.
    """
    url, token = os.environ.get("COOP_URL"), os.environ.get("COOP_HOOK_TOKEN")
    if not url or not token:
        raise ConfigError("not inside of a session: COOP_URL and COOP_HOOK_TOKEN are not set; run this from what coop runs")
    _refuse_other_than_signal(signal)
    reply = _post(f"{url}/api/v1/stop/resolve", token, signal)
    if as_json:
        echo_json(reply)
    else:
        click.echo("noted")


def _refuse_other_than_signal(text: str) -> None:
    try:
        body: object = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise BadRequest(f'expected JSON like \'{{"kind":"complete"}}\', got {text!r}: {error}') from None
    if not isinstance(body, dict) or not isinstance(cast("dict[str, object]", body).get("kind"), str):
        raise BadRequest(f'expected an object with a kind, like \'{{"kind":"complete"}}\', got {text!r}')


def _post(url: str, token: str, body: str) -> Any:
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(url, body.encode(), headers, method="POST")
    try:
        with _STRAIGHT.open(request, timeout=_WITHIN) as reply:
            return msgspec.json.decode(reply.read())
    except urllib.error.HTTPError as error:
        raise _refusal(url, error.read()) from None
    except (OSError, msgspec.DecodeError) as error:
        raise Unreachable(f"coop cannot be reached at {url}: {error}") from None


def _refusal(url: str, reply: bytes) -> CoopError:
    try:
        error = decode_error(msgspec.json.decode(reply))
    except msgspec.DecodeError:
        error = None
    return error or Unreachable(f"{url} answered, but not as coop does: {reply.decode(errors='replace')[:200]}")
