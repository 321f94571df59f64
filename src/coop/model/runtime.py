"""Where the sessions of a user on one machine are found."""

import stat
from collections.abc import Mapping
from pathlib import Path

SOCKET_SUFFIX = ".sock"
LOG_SUFFIX = ".log"
LONGEST_SOCKET_PATH = 107
"""In bytes."""


def runtime_directory(env: Mapping[str, str], uid: int) -> Path:
    """A directory that only its user can enter; it need not be there. A relative path would be another for whoever goes elsewhere."""
    runtime, temporary = (Path(env.get(name, "")) for name in ("XDG_RUNTIME_DIR", "TMPDIR"))
    if runtime.is_absolute():
        return runtime / "coop"
    return (temporary if temporary.is_absolute() else Path("/tmp")) / f"coop-{uid}"


def is_private(mode: int, owner: int, uid: int) -> bool:
    """Is it a directory of that user, which nobody else can enter? What is in another may be somebody else's."""
    return stat.S_ISDIR(mode) and owner == uid and not mode & 0o077


def must_be_private(directory: Path) -> str:
    return f"{directory} must be a directory of yours with mode 0700; remove it or set XDG_RUNTIME_DIR"
