"""Who gave the terminal its size: those who are there on terminals of their own only lend it theirs."""

from coop.model.ids import ConnectionId
from coop.model.screen import Size


class Lent:
    """The size of each visitor, the latest last, and the one that was there before the first came."""

    def __init__(self) -> None:
        self._own: Size | None = None
        self._by: dict[ConnectionId, Size] = {}

    def lend(self, visitor: ConnectionId, size: Size, *, before: Size) -> None:
        """`before` is the size until now."""
        if not self._by:
            self._own = before
        self._by.pop(visitor, None)
        self._by[visitor] = size

    def forget(self) -> None:
        """Somebody has decided on a size: it stays when the visitors leave."""
        self._by.clear()

    def after(self, visitor: ConnectionId) -> Size | None:
        """The size when that one has gone: of who is still there, or the terminal's own; `None` leaves it as it is."""
        if self._by.pop(visitor, None) is None:
            return None
        return next(reversed(self._by.values()), self._own)
