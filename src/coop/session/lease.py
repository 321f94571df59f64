"""The right to write raw input for a while: one holder, 30 seconds from the last use."""

from dataclasses import dataclass

from coop.model.ids import ConnectionId

LASTS = 30.0


@dataclass(slots=True)
class WriteLease:
    holder: ConnectionId | None = None
    until: float = 0.0

    def permits(self, connection: ConnectionId | None, now: float) -> bool:
        """May this connection write now? Anybody may while nobody holds the lease."""
        return self.held_by(now) in (None, connection)

    def held_by(self, now: float) -> ConnectionId | None:
        return self.holder if now < self.until else None

    def acquire(self, connection: ConnectionId, now: float) -> bool:
        if not self.permits(connection, now):
            return False
        self.holder, self.until = connection, now + LASTS
        return True

    def renew(self, connection: ConnectionId | None, now: float) -> None:
        """The holder has used it."""
        if connection is not None and self.held_by(now) == connection:
            self.until = now + LASTS

    def release(self, connection: ConnectionId) -> None:
        if self.holder == connection:
            self.holder = None
