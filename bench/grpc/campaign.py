"""A child that writes as fast as it can, and official gRPC clients that read it: one in one go, one that keeps leaving."""

import sys
import threading
import time
from dataclasses import dataclass

import grpc

from bench.grpc.blocks import SIZE, expected
from bench.home import ROOT
from coop.testing import running_coop
from coop.v1.coop_pb2 import GetStatusRequest, OutputChunk, StreamOutputRequest
from coop.v1.coop_pb2_grpc import CoopStub

RING = 256 * 1024 * 1024
"""So far a reader may fall behind."""
WITHIN = 3600.0


@dataclass
class Reader:
    """What one client got, held against what was written."""

    name: str
    leaves_after: int | None = None
    """So many bytes, and it comes back where it was; `None` stays."""
    read: int = 0
    gaps: int = 0
    differing: int = 0
    calls: int = 0
    fault: str = ""

    def take(self, chunk: OutputChunk) -> None:
        self.gaps += chunk.offset != self.read or chunk.HasField("lost_from")
        self.differing += chunk.data != expected(chunk.offset, len(chunk.data))
        self.read = chunk.offset + len(chunk.data)

    def follow(self, target: str) -> None:
        """Until the stream ends by itself."""
        try:
            with grpc.insecure_channel(target) as channel:
                while self._goes_on(CoopStub(channel)):
                    pass
        except grpc.RpcError as error:
            self.fault = f"{error.code().name}: {error.details()}"

    def _goes_on(self, stub: CoopStub) -> bool:
        """One call; has it been left?"""
        self.calls += 1
        began = self.read
        stream = stub.StreamOutput(StreamOutputRequest(from_offset=self.read), timeout=WITHIN)
        for chunk in stream:
            self.take(chunk)
            if self.leaves_after is not None and self.read - began >= self.leaves_after:
                stream.cancel()
                return True
        return False


@dataclass
class Run:
    written: int
    readers: list[Reader]
    seconds: float = 0.0
    exit_code: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.exit_code == 0 and all(self._has_all(each) for each in self.readers)

    def _has_all(self, reader: Reader) -> bool:
        return reader.read == self.written and not (reader.gaps or reader.differing or reader.fault)


def conduct(*, size: int) -> Run:
    count = -(-size // SIZE)
    run = Run(count * SIZE, [Reader("stays"), Reader("leaves and comes back", leaves_after=max(size // 100, SIZE))])
    child, began = (sys.executable, "-m", "bench.grpc.blocks", str(count)), time.monotonic()
    with running_coop("--grpc-port", "0", "--keep-alive", "--ring-size", str(RING), command=child, cwd=ROOT) as coop:
        readers = [threading.Thread(target=each.follow, args=(coop.grpc_target,)) for each in run.readers]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        run.seconds = time.monotonic() - began
        with grpc.insecure_channel(coop.grpc_target) as channel:
            run.exit_code = CoopStub(channel).GetStatus(GetStatusRequest(), timeout=WITHIN).exit_code
    return run
