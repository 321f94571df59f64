"""Where a session can be found on this machine: a socket and a hook pipe by its name, in a directory only its user can enter."""

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coop.errors import ConfigError
from coop.model.runtime import LOG_SUFFIX, SOCKET_SUFFIX, is_private, must_be_private, runtime_directory

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Places:
    directory: Path
    name: str

    @property
    def socket(self) -> Path:
        return self.directory / f"{self.name}{SOCKET_SUFFIX}"

    @property
    def hook_pipe(self) -> Path:
        return self.directory / f"{self.name}.hooks"

    @property
    def log(self) -> Path:
        """Of a session that has no terminal to log to. It is left behind: it may say why the session has ended."""
        return self.directory / f"{self.name}{LOG_SUFFIX}"

    @property
    def files(self) -> Path:
        """A directory for what the child is to read."""
        return self.directory / f"{self.name}.files"


def places(name: str, env: Mapping[str, str]) -> Places:
    """Makes the directory. Raises `ConfigError` when it is not ours alone."""
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"--name {name!r}: use letters, digits, dots, dashes and underscores, 64 at most, a letter or digit first"
        )
    return Places(_runtime_directory(env), name)


def default_name(command: str, pid: int) -> str:
    """After the command, and different for every process."""
    stem = re.sub(r"[^A-Za-z0-9._-]", "-", os.path.basename(command)).lstrip("._-")[:40]
    return f"{stem or 'session'}-{pid}"


FileId = tuple[int, int, int]
"""Device, number and time of the last change, for a socket that of its making: a number alone is used again at once."""


def identity(path: Path) -> FileId:
    found = path.lstat()
    return found.st_dev, found.st_ino, found.st_ctime_ns


def remove_if_same(path: Path, was: FileId) -> None:
    """Removes what we made, unless a later session of this name has put its own in its place."""
    with contextlib.suppress(FileNotFoundError):
        if identity(path) == was:
            path.unlink()


def _runtime_directory(env: Mapping[str, str]) -> Path:
    directory = runtime_directory(env, os.getuid())
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.lstat()
    except OSError as error:
        raise ConfigError(f"cannot make {directory}: {error.strerror}; set XDG_RUNTIME_DIR to a directory of yours") from None
    if not is_private(found.st_mode, found.st_uid, os.getuid()):
        raise ConfigError(must_be_private(directory))
    return directory
