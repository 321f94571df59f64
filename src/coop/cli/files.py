"""Files that commands read and leave behind. What is left is for its user alone, and takes nobody's place unasked."""

import errno
import os
import tomllib
from pathlib import Path
from tempfile import mkstemp

from coop.errors import BadRecording, ConfigError
from coop.session.recording import new_file
from coop.wire.recording import Recorded, read

STDOUT = "-"


def read_recording(path: Path) -> Recorded:
    """Raises `BadRecording`."""
    try:
        return read(path.read_bytes(), source=str(path))
    except OSError as error:
        raise BadRecording(f"{path}: {error.strerror}") from None


def toml(path: Path, option: str) -> dict[str, object]:
    """Raises `ConfigError`."""
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise ConfigError(f"{option} {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{option} {path}: not TOML: {error}") from None


def write_private(path: Path, data: bytes, *, force: bool) -> None:
    """A new file, or with `force` one in the place of another file or link. Raises `ConfigError`."""
    if str(path) == STDOUT:
        raise ConfigError("--to -: this cannot be written to standard output; name a file")
    try:
        if force:
            _put_in_place(path, data)
            return
        with os.fdopen(new_file(path), "wb") as file:
            file.write(data)
    except OSError as error:
        if error.errno == errno.EEXIST:
            raise ConfigError(f"{path} is there already; --force overwrites it, --to chooses another name") from None
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None


def _put_in_place(path: Path, data: bytes) -> None:
    """Whole or not at all; a link is replaced, not followed. Nothing takes the place of a device."""
    if os.path.lexists(path) and not (path.is_symlink() or path.is_file()):
        raise ConfigError(f"{path} is no plain file, so it is not replaced; --to chooses another name")
    descriptor, beside = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.replace(beside, path)
