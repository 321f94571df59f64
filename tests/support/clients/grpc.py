"""gRPC with the official client, and nothing else."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from coop.errors import CoopError
from coop.testing import CoopProcess
from coop.v1 import coop_pb2 as pb
from coop.v1.coop_pb2_grpc import CoopStub
from coop.wire.errors import decode_error
from tests.support.clients.protocol import Asked, Client, Seen, Shown, WhenName

WITHIN = 60.0


class Rpc:
    """The stub, with the token; each call has a deadline and raises the errors of coop."""

    def __init__(self, channel: grpc.Channel, token: str | None = None) -> None:
        self._stub: Any = CoopStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """`rpc.Resize(cols=80, rows=24)`: the reply, or an iterator of replies."""
        kind = pb.DESCRIPTOR.services_by_name["Coop"].methods_by_name[name]
        request: Any = getattr(pb, kind.input_type.name)

        def call(**fields: object) -> Any:
            with raised():
                reply = getattr(self._stub, name)(request(**fields), timeout=WITHIN, metadata=self._metadata)
                return Replies(reply) if kind.server_streaming else reply

        return call


class Replies(Iterator[Any]):
    def __init__(self, call: Any) -> None:
        self.call = call

    def __next__(self) -> Any:
        with raised():
            return next(self.call)

    def cancel(self) -> None:
        self.call.cancel()


@contextmanager
def raised() -> Generator[None]:
    try:
        yield
    except grpc.RpcError as error:
        raise refusal(error) from error


def refusal(error: Any) -> CoopError:
    """Made from nothing but the status: what a client in another language would go by."""
    trailers = dict(error.trailing_metadata() or ())
    told = decode_error(json.loads(trailers.get("coop-error-bin", b"{}")))
    assert told is None or (told.code, told.message) == (trailers["coop-code"], error.details())
    return told or CoopError(f"{error.code()}: {error.details()}")


@contextmanager
def connected(coop: CoopProcess, token: str | None = None) -> Generator[Rpc]:
    with grpc.insecure_channel(coop.grpc_target) as channel:
        yield Rpc(channel, token)


def seen(event: Any) -> Seen | None:
    match event.WhichOneof("what"):
        case None | "snapshot":
            return "state", event.next
        case "resize":
            return "resize", (event.resize.cols, event.resize.rows)
        case "exit":
            return "exit", (_given(event.exit, "code"), _given(event.exit, "signal"))
        case _:
            return None


def _given(message: Any, field: str) -> Any:
    return getattr(message, field) if message.HasField(field) else None


@dataclass
class GrpcClient:
    rpc: Rpc

    @classmethod
    @contextmanager
    def opened(cls, coop: CoopProcess, token: str | None) -> Generator[Client]:
        with connected(coop, token) as rpc:
            yield cls(rpc)

    def health(self) -> tuple[str, str, int, int]:
        reply = self.rpc.GetHealth()
        return reply.status, reply.agent, reply.terminal.cols, reply.terminal.rows

    def status(self) -> tuple[str, int | None, int | None]:
        reply = self.rpc.GetStatus()
        return reply.state, _given(reply, "exit_code"), _given(reply, "exit_signal")

    def screen(self) -> Shown:
        reply = self.rpc.GetScreen(include_cursor=True)
        return Shown(tuple(reply.lines), reply.cols, reply.rows, (reply.cursor.row, reply.cursor.col), reply.alt_screen)

    def state(self) -> str:
        return str(self.rpc.GetAgentState().state)

    def prompt(self) -> Asked | None:
        prompt = _given(self.rpc.GetAgentState(), "prompt")
        return prompt and Asked(prompt.type, prompt.id, prompt.question, tuple(prompt.options))

    def output(self, offset: int) -> bytes:
        return bytes(self.rpc.GetOutput(offset=offset).data)

    def type(self, text: str, *, enter: bool) -> int:
        return int(self.rpc.SendInput(text=text, enter=enter).bytes_written)

    def keys(self, *keys: str) -> int:
        return int(self.rpc.SendKeys(keys=keys).bytes_written)

    def resize(self, cols: int, rows: int) -> None:
        self.rpc.Resize(cols=cols, rows=rows)

    def signal(self, name: str) -> None:
        self.rpc.SendSignal(signal=name)

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        return str(self.rpc.Nudge(message=message, when=when).receipt.progress)

    def respond(self, answer: Mapping[str, object]) -> str:
        return str(self.rpc.Respond(**answer).prompt_type)

    @contextmanager
    def events(self) -> Generator[Iterator[Seen]]:
        replies = self.rpc.StreamState(all_events=True)
        yield (told for event in replies if (told := seen(event)) is not None)
        replies.cancel()
