"""The paths of images in what is pasted: Claude puts the image in their place. Here the model gets only the mark of it."""

import re
from collections.abc import Iterator
from pathlib import Path

_NAME = re.compile(r"/.*\.(?:png|jpe?g|gif|webp)", re.IGNORECASE | re.DOTALL)
_BEFORE_A_PATH = re.compile(r" (?=/)")
_BEGINNINGS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")


def attached(text: str, count: int, *, within_lines: bool) -> tuple[str, int]:
    """The text with the images' marks before what is left of it, and how many images there are now.

    `within_lines`: a path that ends a line, or stands before another, is one too, and is lost where there is no such image.
    """
    parts = list(_parts(text, within_lines=within_lines))
    found = [part for part in parts if _is_image(part)]
    if not found:
        return text, count
    marks = " ".join(f"[Image #{number}]" for number, _ in enumerate(found, count + 1))
    left = "\n".join(part for part in parts if not (_path(part) if within_lines else _is_image(part)))
    return marks + left, count + len(found)


def _parts(text: str, *, within_lines: bool) -> Iterator[str]:
    for line in text.split("\n"):
        parts = [part for part in _BEFORE_A_PATH.split(line) if part.strip()]
        if within_lines or all(map(_path, parts)):
            yield from parts
        else:
            yield line


def _path(part: str) -> Path | None:
    """Past its quotes and backslashes."""
    bare = part.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        bare = bare[1:-1]
    meant = re.sub(r"\\(.)", r"\1", bare)
    return Path(meant) if _NAME.fullmatch(meant) else None


def _is_image(part: str) -> bool:
    path = _path(part)
    return path is not None and path.is_file() and path.read_bytes().startswith(_BEGINNINGS)
