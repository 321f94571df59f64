"""A connection that is dead and was not cut: nothing comes by it any more, and nobody says so."""

QUIET = 15.0
"""When nothing has come for so long, coop is asked whether it is there."""
ANSWERS_WITHIN = 5.0


class Silence:
    """Anything that comes is an answer: by a slow line much may be under way before it."""

    def __init__(self, now: float) -> None:
        self._heard_at = now
        self._asked_at: float | None = None

    def on_heard(self, now: float) -> None:
        self._heard_at, self._asked_at = now, None

    def on_asked(self, now: float) -> None:
        """The first question counts: who goes on typing goes on asking."""
        self._asked_at = self._asked_at if self._asked_at is not None else now

    @property
    def ask_at(self) -> float | None:
        """When to ask; `None` when that was done."""
        return self._heard_at + QUIET if self._asked_at is None else None

    @property
    def ends_at(self) -> float | None:
        """When the connection is to be given up; `None` when nothing was asked."""
        return self._asked_at + ANSWERS_WITHIN if self._asked_at is not None else None
