"""Probes on a port of their own: no token, no data, and they never wait for anything."""

from coop.server.facade import Served
from coop.server.guard import App, Receive, Scope, Send

_PATHS = ("/livez", "/readyz", "/healthz")


def health_application(served: Served) -> App:
    async def probe(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        status, text = _answer(served, scope["path"])
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": text.encode() + b"\n"})

    return probe


def _answer(served: Served, path: str) -> tuple[int, str]:
    life = served.life()
    match path:
        case "/livez":
            return 200, "ok"
        case "/readyz" | "/healthz":
            return (200, "ok") if life == "running" else (503, life)
        case _:
            return 404, f"not found; probes are at {', '.join(_PATHS)}"
