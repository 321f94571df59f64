"""Where the sessions of a user on one machine are found."""

from collections.abc import Mapping
from pathlib import Path

SOCKET_SUFFIX = ".sock"


def runtime_directory(env: Mapping[str, str], uid: int) -> Path:
    """A directory that only its user can enter; it need not be there."""
    runtime = env.get("XDG_RUNTIME_DIR")
    return Path(runtime, "coop") if runtime else Path(env.get("TMPDIR", "/tmp"), f"coop-{uid}")
