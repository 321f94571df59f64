"""Where a session is, as people write it."""

from dataclasses import dataclass

from coop.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Address:
    url: str
    socket: str | None = None
    """The Unix socket's path, where it is one."""

    def __str__(self) -> str:
        return f"unix:{self.socket}" if self.socket is not None else self.url


def address_of(text: str) -> Address:
    """`unix:PATH`, `http://HOST:PORT` or `https://…`. Raises `ConfigError` for anything else."""
    scheme, _, rest = text.partition(":")
    if scheme == "unix" and rest.removeprefix("//"):
        return Address("http://localhost", rest.removeprefix("//"))
    if scheme in ("http", "https") and rest.startswith("//") and len(rest) > 2:
        return Address(text.rstrip("/"))
    raise ConfigError(f"expected unix:PATH or http://HOST:PORT, got {text!r}")
