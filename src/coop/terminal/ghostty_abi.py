"""Loads libghostty-vt. Our build precompiles its declarations; without that, its own binding parses them, 20 times slower."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["ffi", "lib"]

_POINT_TWIN = """
typedef struct { uint16_t x; uint32_t y; uint64_t _pad; } CoopPointValue;
typedef struct { GhosttyPointTag tag; CoopPointValue value; } CoopPoint;
"""


def _library() -> str:
    package = find_spec("pyghostty")
    if package is None or package.origin is None:
        raise ImportError(
            "coop needs pyghostty, which has wheels for Linux (glibc) and macOS on x86-64 and arm64. "
            "On another platform build libghostty-vt and install pyghostty from source."
        )
    found = sorted(Path(package.origin).parent.glob("_lib/libghostty-vt.*"))
    if not found:
        raise ImportError(f"no libghostty-vt beside {package.origin}")
    return str(found[0])


def _declarations() -> Any:
    try:
        from coop.terminal import _ghostty_abi
    except ImportError:
        from pyghostty import ffi as parsed

        parsed.cdef(_POINT_TWIN)
        return parsed
    return _ghostty_abi.ffi


ffi: Any = _declarations()
lib: Any = ffi.dlopen(_library())
