"""The hooks' own door: a loopback listener that takes the agent's hooks and its word that it is done, and nothing else.

Its token is in the child's environment, so whoever has it can say what an agent's hook could say: not type, not answer.
"""

from coop.errors import BadRequest, CoopError, Internal, NotFound, TooLarge, Unauthorized
from coop.server.facade import Served
from coop.server.guard import MAX_BODY, App, Receive, Scope, Send, log, refuse, same_token
from coop.server.peers import NOBODY_KNOWN
from coop.wire import http as wire

PREFIX = "/api/v1/hooks/"
RESOLVE = "/api/v1/stop/resolve"
_ALIASES = {"stop": "Stop"}
"""For scripts of the user's own, which hand the reply on to an agent that may read it otherwise than that of an HTTP hook."""
_JSON = [(b"content-type", b"application/json")]


def hooks_application(served: Served, token: str) -> App:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await refuse(scope, send, NotFound("only hooks are taken here"))
            return
        try:
            _check(scope, token)
            body = await _body(receive)
            reply = await _answer(served, scope["path"], body, receive)
        except CoopError as error:
            await refuse(scope, send, error)
        except Exception as bug:
            log.error("a hook failed", extra={"path": scope["path"]}, exc_info=bug)
            await refuse(scope, send, Internal("coop failed to answer; its log says why"))
        else:
            if reply is not None:
                # With its length, for a relay that speaks HTTP/1.0 and knows no chunks.
                headers = [*_JSON, (b"content-length", str(len(reply)).encode())]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": reply})

    return application


def _check(scope: Scope, token: str) -> None:
    headers = dict[bytes, bytes](scope["headers"])
    scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() != b"bearer" or not same_token(given.strip(), token) or b"origin" in headers:
        raise Unauthorized("only hooks of this session's child are taken here: send its token")
    if scope["method"] != "POST":
        raise NotFound("hooks are posted")


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("the connection ended in the middle of the body")
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise TooLarge(f"the body is larger than {MAX_BODY} bytes")
        if not message.get("more_body"):
            return bytes(body)


async def _answer(served: Served, path: str, body: bytes, receive: Receive) -> bytes | None:
    if path == RESOLVE:
        await served.ask(wire.decode(body, wire.SignalBody).command(), NOBODY_KNOWN)
        return b"{}"
    event = path.removeprefix(PREFIX)
    if event == path or not event.isalnum():
        raise NotFound(f"nothing is at {path}; hooks go to {PREFIX}EVENT")
    session, came = served.session, served.session.now
    event, no_word = (_ALIASES[event], b"{}") if event in _ALIASES else (event, session.core.agent.no_word)
    reply = await session.ask_about_hook(event, body, _gone(receive))
    if reply is not None:
        session.tally.hook_answered(event, session.now - came)
    return None if reply is None else reply or no_word


async def _gone(receive: Receive) -> None:
    """Until whoever asked has hung up."""
    message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()
