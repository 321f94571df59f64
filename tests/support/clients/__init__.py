"""Ways to speak to a coop, behind one small protocol: one suite (tests/contracts/clients) holds for all of them.

A new transport is a module beside these and a line in `WAYS`.
"""

from tests.support.clients.blocking import BlockingClient
from tests.support.clients.grpc import GrpcClient
from tests.support.clients.http import HttpClient
from tests.support.clients.protocol import Asked, Client, Recorder, Seen, Shown, Way
from tests.support.clients.sdk import SdkClient
from tests.support.clients.websocket import WebSocketClient

WAYS = (
    Way("HTTP and SSE", HttpClient.opened),
    Way("HTTP and WebSocket", WebSocketClient.opened),
    Way("SDK", SdkClient.opened),
    Way("SDK, blocking", BlockingClient.opened),
    Way("gRPC", GrpcClient.opened, ("--grpc-port", "0")),
)
RECORDERS = tuple(way for way in WAYS if way.name != "gRPC")
"""A session is written down by HTTP."""

__all__ = ["RECORDERS", "WAYS", "Asked", "Client", "Recorder", "Seen", "Shown", "Way"]
