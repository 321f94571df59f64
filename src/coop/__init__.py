"""Coop: the session layer for AI coding agents."""

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["__version__", "connect", "spawn"]

if TYPE_CHECKING:
    from coop.client import connect as connect
    from coop.client import spawn as spawn


def __getattr__(name: str) -> object:
    """The SDK, for those who use it: the command starts in less time than it takes to import."""
    if name in ("connect", "spawn"):
        from coop import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
