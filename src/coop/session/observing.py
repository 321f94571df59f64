"""Those who watch a session, and change nothing: figures, traces."""

from typing import Protocol

from coop.model.events import Event


class Observer(Protocol):
    def on_event(self, event: Event) -> None:
        """Something was published."""
        ...

    def on_item(self, now: float) -> None:
        """The core has taken something else than output: what it holds may have changed."""
        ...
