"""Build hook: writes what is generated. The precompiled form of the VTE's declarations (it loads in 10 ms where parsing
them takes 200), and the messages of `proto/`."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# cffi cannot pass a union by value in ABI mode; a struct of the same layout can be.
POINT_TWIN = """
typedef struct { uint16_t x; uint32_t y; uint64_t _pad; } CoopPointValue;
typedef struct { GhosttyPointTag tag; CoopPointValue value; } CoopPoint;
"""


def write_abi(target: Path) -> None:
    from cffi import FFI
    from pyghostty._cdef import CDEF

    ffi = FFI()
    ffi.cdef(CDEF)
    ffi.cdef(POINT_TWIN)
    ffi.set_source("coop.terminal._ghostty_abi", None)
    ffi.emit_python_code(str(target))


def write_messages(proto: Path, target: Path) -> None:
    """`coop/v1/coop_pb2.py` with its types, and the stub for whoever has grpcio."""
    from grpc_tools import protoc

    outputs = [f"--{kind}_out={target}" for kind in ("python", "pyi", "grpc_python")]
    if protoc.main(["protoc", f"-I{proto}", *outputs, "coop/v1/coop.proto"]):
        raise RuntimeError("protoc could not compile proto/coop/v1/coop.proto; it has said why")


class GeneratedCode(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        write_abi(Path(self.root, "src/coop/terminal/_ghostty_abi.py"))
        write_messages(Path(self.root, "proto"), Path(self.root, "src"))
