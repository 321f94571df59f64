"""What the keys do: to the dialog while there is one, else to the composer."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from coop_sim.codex.app import App
from coop_sim.codex.composer import Composer, Unknown, submission
from coop_sim.keys import Key, Named, Paste, Reply, Text

_QUICK = 0.008
"""Characters that come so close together were not typed by a person."""
_FEW = 3
_FIRST, _EACH = 0.02, 0.000_35
"""For so long after such characters, and longer for each of them, an Enter is part of them."""


@dataclass
class Burst:
    """Tells a paste that was not marked as one from typing."""

    is_on: bool
    count: int = 0
    at: float = -1e9

    def add(self, now: float) -> None:
        self.count = self.count + 1 if now - self.at < _QUICK else 1
        self.at = now

    def clear(self) -> None:
        self.count = 0

    def takes_enter(self, now: float) -> bool:
        return self.is_on and self.count >= _FEW and now - self.at < _FIRST + _EACH * self.count


@dataclass
class Hands:
    app: App
    burst: Burst
    clock: Callable[[], float] = time.monotonic

    def on_keys(self, keys: tuple[Key, ...]) -> None:
        """The keys of one write."""
        stage = self.app.stage
        for key in keys:
            if isinstance(key, Reply) or stage.press(key):
                continue
            stage.typed()
            stage.notice = ""
            self._compose(key)
        self.app.stage.paint()

    def _compose(self, key: Key) -> None:
        stage, now = self.app.stage, self.clock()
        match key:
            case Text():
                self.burst.add(now)
                stage.composer = stage.composer.press(key)
            case Named("enter") if self.burst.takes_enter(now):
                self.burst.add(now)
                stage.composer = stage.composer.press(Named("newline"))
            case Named("enter" | "tab" as name):
                self._send(name)
            case Named("esc"):
                self.app.interrupt()
            case Named("ctrl+c" | "ctrl+d" as name):
                self._control(name)
            case Named("shift+tab") if not self.app.is_busy:
                self.app.plan_mode(wanted=not stage.is_planning)
            case Paste() | Named():
                self.burst.clear()
                stage.composer = stage.composer.press(key)
            case Reply():
                pass

    def _send(self, key: str) -> None:
        stage = self.app.stage
        composer = stage.composer
        if not composer.whole().strip() or composer.has_list():
            return
        what = submission(composer)
        if isinstance(what, Unknown):
            stage.notice = f"Unrecognized command '{what.name}'. Type \"/\" for a list of supported commands."
            stage.composer = replace(composer, at=0)
            return
        stage.composer = Composer()
        if self.app.is_busy and key == "enter":
            self.app.steer(what)
        else:
            self.app.submit(what)

    def _control(self, name: str) -> None:
        stage = self.app.stage
        if not stage.composer.is_empty:
            stage.composer = Composer() if name == "ctrl+c" else stage.composer
        elif name == "ctrl+c" and self.app.is_busy:
            self.app.interrupt()
        else:
            stage.is_leaving = True
            stage.paint()
            self.app.end()
