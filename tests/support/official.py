"""The official reflection and health clients, in a process of their own: they and grpclib's do not bear each other in one.

`python -m tests.support.official reflect|check|watch TARGET [SERVICE]` says what it is told, a JSON value a line.
"""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WITHIN = 60.0


@contextmanager
def asking(what: str, target: str, *service: str) -> "Generator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", __name__, what, target, *service]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        yield process
        process.terminate()


def told(process: "subprocess.Popen[str]") -> Any:
    """The next line."""
    assert process.stdout is not None
    return json.loads(process.stdout.readline() or '"nothing"')


def answer(what: str, target: str, *service: str) -> Any:
    with asking(what, target, *service) as process:
        return told(process)


def reflect(channel: Any, service: str) -> Any:
    """What it has, and the reply to a call that was made from nothing but reflection."""
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    database = ProtoReflectionDescriptorDatabase(channel)
    services = sorted(database.get_services())
    found = DescriptorPool(database).FindServiceByName(service)
    method = found.methods_by_name["GetHealth"]
    request, reply = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    call = channel.unary_unary(f"/{service}/GetHealth", request.SerializeToString, reply.FromString)
    health: Any = call(request(), timeout=WITHIN)
    return {"services": services, "rpcs": [each.name for each in found.methods], "status": health.status}


def main(what: str, target: str, service: str = "") -> None:
    import grpc

    with grpc.insecure_channel(target) as channel:
        try:
            if what == "reflect":
                print(json.dumps(reflect(channel, service)), flush=True)
            else:
                look_after(channel, service, is_watching=what == "watch")
        except grpc.RpcError as error:
            print(json.dumps(error.code().name), flush=True)


def look_after(channel: Any, service: str, *, is_watching: bool) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    health: Any = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=service)
    replies = health.Watch(request, timeout=WITHIN) if is_watching else [health.Check(request, timeout=WITHIN)]
    for reply in replies:
        print(json.dumps(health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
