"""A collector of traces on loopback: keeps every span that is posted to it."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    url: str = ""
    raw: list[bytes] = field(default_factory=list[bytes])
    """What was posted, as it came."""

    def requests(self) -> list[ExportTraceServiceRequest]:
        return [ExportTraceServiceRequest.FromString(each) for each in self.raw]

    def spans(self) -> list[Span]:
        """In the order they began in."""
        found = [
            span
            for request in self.requests()
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]
        return sorted(found, key=lambda span: span.start_time_unix_nano)

    def resource(self) -> dict[str, str]:
        return attributes(self.requests()[0].resource_spans[0].resource.attributes)


def attributes(pairs: Iterable[KeyValue]) -> dict[str, str]:
    return {each.key: each.value.string_value for each in pairs}


@contextmanager
def collecting() -> Generator[Collector]:
    collector = Collector()

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            collector.raw.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002  # the base class's name for it

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        serving = Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield collector
        server.shutdown()
        serving.join()
