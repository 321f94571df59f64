"""What was typed and what is known of it: whether it has arrived, may have, or was never sent."""

_REST = 0.2
"""So long after the last key it is asked whether all of them have arrived: not before, since keys come one after the other."""


class Sent:
    """Coop answers in order: what was sent before a ping has arrived when the pong is here."""

    def __init__(self) -> None:
        self.ask_at: float | None = None
        """When to ask; `None` when there is nothing to ask about."""
        self.dropped = 0
        """How much was typed while there was no connection."""
        self._unasked = 0
        self._asked: dict[int, int] = {}
        self._number = 0

    def on_sent(self, count: int, now: float) -> None:
        self._unasked += count
        self.ask_at = now + _REST

    def on_dropped(self, count: int) -> None:
        self.dropped += count

    def ask(self) -> int:
        """The number to ask with."""
        self._number += 1
        self._asked[self._number], self._unasked, self.ask_at = self._unasked, 0, None
        return self._number

    def on_confirmed(self, number: int) -> None:
        self._asked = {asked: count for asked, count in self._asked.items() if asked > number}

    def after_a_cut(self) -> str:
        """What a person has to know who typed meanwhile; from then on nothing of it is open."""
        unsure = self._unasked + sum(self._asked.values())
        told = (
            "connected again",
            f"{self.dropped} bytes were not sent" if self.dropped else "",
            f"the last {unsure} bytes may not have arrived" if unsure else "",
        )
        self.ask_at, self.dropped, self._unasked = None, 0, 0
        self._asked.clear()
        return "; ".join(filter(None, told))
