"""The files of this machine, for agents, which do no I/O of their own."""

import os
from collections.abc import Sequence
from glob import escape, glob
from pathlib import Path

_LONGEST_LINE = 1024 * 1024


class RealDisk:
    """Passes for `Disk`."""

    def read(self, path: str) -> str:
        return Path(path).read_text()

    def newest(self, folder: str, pattern: str) -> Sequence[str]:
        return sorted(glob(os.path.join(escape(folder), pattern)), key=_modified, reverse=True)

    def real(self, path: str) -> str:
        return os.path.realpath(path)

    def first_line(self, path: str) -> str:
        with Path(path).open() as file:
            return file.readline(_LONGEST_LINE)

    def is_file(self, path: str) -> bool:
        return os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def is_roots_alone(self, folder: str) -> bool:
        path = Path(os.path.realpath(folder))
        return all(_is_roots(each) for each in (path, *path.parents))


def _is_roots(folder: Path) -> bool:
    try:
        found = folder.stat()
    except OSError:
        return False
    return found.st_uid == 0 and not found.st_mode & 0o022


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
