"""Where a session is, as people write it, and what opens it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from coop.errors import ConfigError

_NO_TLS = ("WRONG_VERSION_NUMBER", "record layer failure")


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
    if scheme in ("http", "https") and rest.startswith("//") and _has_host(text):
        return Address(text.rstrip("/"))
    raise ConfigError(f"expected unix:PATH or http://HOST:PORT, got {text!r}")


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:  # urllib says what is wrong with it, and so do we
        raise ConfigError(f"expected unix:PATH or http://HOST:PORT, got {url!r}: {error}") from None
    return bool(parts.hostname)


def trouble(address: Address, error: Exception) -> str:
    """Why it cannot be reached. TLS complains of the version where it is answered by what is none."""
    said = str(getattr(error, "strerror", None) or error)
    if address.url.startswith("https:") and any(words in said for words in _NO_TLS):
        return f"no TLS is spoken there, try http:{address.url.removeprefix('https:')}"
    return said or type(error).__name__


def bearer(token: str) -> str:
    """What opens a session, as the value of a header. Raises `ConfigError` for what no header can carry."""
    if not token:
        raise ConfigError("the token is empty; give that of the session, or none at all")
    if not token.isprintable():
        raise ConfigError("the token has characters that cannot be sent: is it the whole of the token, and nothing else?")
    return f"Bearer {token}"
