"""The application: the guard, the route table, and the WebSocket."""

import logging
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from coop.errors import BadRequest, CoopError, Internal, NotAllowed, NotFound
from coop.server import openapi
from coop.server.facade import Served
from coop.server.guard import App, Guard, Receive, Scope, Send, refuse
from coop.server.metrics import metrics
from coop.server.routes import API, Route, error_reply, json_reply
from coop.server.sse import events
from coop.server.ws import WebSocketApp
from coop.wire.http import EventsQuery

log = logging.getLogger("coop.server")


async def _openapi(served: Served, request: Request) -> Response:
    return json_reply(openapi.document(ROUTES))


ROUTES: tuple[Route, ...] = (
    *API,
    Route(
        "GET",
        "/api/v1/events",
        "Events as they happen",
        events,
        "text/event-stream",
        query=EventsQuery,
        errors=("BAD_REQUEST", "NOT_READY"),
    ),
    Route("GET", "/openapi.json", "This document", _openapi, "application/json"),
    Route("GET", "/metrics", "Figures for Prometheus", metrics, "text/plain"),
)


def application(served: Served) -> App:
    """Everything a session serves, behind its guard."""
    routes = [*(_starlette_route(route, served) for route in ROUTES), StarletteRoute("/ws", _not_upgraded, methods=["GET"])]
    http = Starlette(routes=routes, exception_handlers=_EXCEPTIONS)
    http.router.redirect_slashes = False

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await http(scope, receive, send)
        elif scope["path"] == "/ws":
            await websocket(scope, receive, send)
        else:
            await refuse(scope, send, NotFound(f"no WebSocket at {scope['path']}; it is at /ws"))

    guard = Guard(dispatch, served)
    websocket = WebSocketApp(served, guard.is_authorized)
    return guard


def _starlette_route(route: Route, served: Served) -> StarletteRoute:
    async def endpoint(request: Request) -> Response:
        try:
            reply = await route.handle(served, request)
        except CoopError as error:
            reply = error_reply(error)
        served.session.tally.requests[route.method, route.path, reply.status_code] += 1
        return reply

    return StarletteRoute(route.path, endpoint, methods=[route.method])


async def _not_upgraded(request: Request) -> Response:
    reply = error_reply(BadRequest("/ws is a WebSocket; ask for it with Upgrade: websocket, as a WebSocket client does"))
    reply.status_code = 426
    reply.headers["upgrade"] = "websocket"
    return reply


def _methods(request: Request) -> list[str]:
    """What may be asked of that path, by all of its routes."""
    fitting = (route for route in request.app.routes if route.path_regex.match(request.scope["path"]))
    return sorted({method for route in fitting for method in route.methods})


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = ", ".join(_methods(request))
        reply = error_reply(NotAllowed(f"{request.method} is not for {request.scope['path']}; expected {allowed}"))
        reply.headers["allow"] = allowed
        return reply
    return error_reply(NotFound(f"nothing is at {request.scope['path']}; the API is described at /openapi.json"))


async def _on_bug(request: Request, error: Exception) -> Response:
    log.error("a request failed", extra={"path": request.scope["path"]}, exc_info=error)
    return error_reply(Internal("coop failed to answer; its log says why"))


_EXCEPTIONS: dict[int | type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: _on_http_exception,
    Exception: _on_bug,
}
