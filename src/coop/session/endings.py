"""Which prompts are over without a word from their hooks: a dialog that is approved at the keyboard leaves its hook waiting."""

from collections.abc import Collection, Mapping

from coop.detect.belief import DIALOG_GONE_AFTER, Belief
from coop.model.ids import PromptId
from coop.model.prompt import Permission
from coop.model.readings import Waits
from coop.model.state import Prompted, Tier

JUST_COME = 0.6
"""A prompt that is younger may have been drawn over another."""

Opened = Mapping[PromptId, float]
"""When the prompts that are open came."""


class Endings:
    def __init__(self) -> None:
        self.covered: set[PromptId] = set()
        """Prompts with another drawn in their place that has only just come: over, or only drawn over."""
        self.shown: PromptId | None = None
        """Which of the prompts that hooks told of is on the screen, or was last."""
        self._over: set[PromptId] = set()
        self._closed_at = float("-inf")
        """When a prompt that a hook told of was last over."""
        self._waited_for: set[PromptId] = set()
        """Prompts for which the status file has said that the agent waits."""

    def on_open(self, identity: PromptId, belief: Belief) -> None:
        status = belief.said.get(Tier.STATUS_FILE)
        if status is not None and isinstance(status.state, Waits) and status.at > self._closed_at:
            self._waited_for.add(identity)  # else it may have said so of the one before

    def on_waits(self, opened: Collection[PromptId]) -> None:
        """The status file says that the agent waits."""
        self._waited_for.update(opened)

    def on_shown(self, identity: PromptId, opened: Opened, now: float) -> PromptId | None:
        """One dialog makes way for another when it is answered, or when the other has only just come.

        The one that it took the place of, if no hook can say what became of it.
        """
        before, self.shown = self.shown, identity
        if before is None or before == identity:
            return None
        if before not in opened:
            return before
        (self._over if now - opened.get(identity, now) > JUST_COME else self.covered).add(before)
        return None

    def on_close(self, identity: PromptId, now: float) -> None:
        for those in (self._over, self.covered, self._waited_for):
            those.discard(identity)
        self._closed_at = now
        if self.shown == identity:
            self.shown = None

    def end(self, identity: PromptId) -> None:
        """It is over, though its hook still waits."""
        self._over.add(identity)

    def over(self, opened: Opened, belief: Belief, now: float) -> tuple[PromptId, ...]:
        return tuple(each for each in opened if each in self._over or self._is_over(each, opened, belief, now))

    def _is_over(self, identity: PromptId, opened: Opened, belief: Belief, now: float) -> bool:
        hooks, status = belief.said.get(Tier.HOOKS), belief.said.get(Tier.STATUS_FILE)
        if identity in undrawn(belief):
            return False  # what the agent does meanwhile is about something else
        if identity in self._waited_for and status is not None and not isinstance(status.state, Waits):
            return True  # it says that it waits for as long as any dialog is open
        if status is None and hooks is not None and hooks.at > opened[identity] and not _is_subagents(identity, belief):
            return True
        due = self.gone_at(identity, belief)
        return due is not None and now >= due

    def gone_at(self, identity: PromptId, belief: Belief) -> float | None:
        """When its dialog, which was drawn, will have been gone for long enough; `None` while it is there."""
        screen = belief.said.get(Tier.SCREEN)
        if screen is None or isinstance(screen.state, Prompted) or self.shown != identity:
            return None
        return screen.began + DIALOG_GONE_AFTER


def undrawn(belief: Belief) -> tuple[PromptId, ...]:
    """What subagents ask and no dialog was drawn for, oldest first."""
    asked = (each for each in belief.open if isinstance(each, Permission) and each.subagent)
    return tuple(each.id for each in asked if not each.screen_lines)


def _is_subagents(identity: PromptId, belief: Belief) -> bool:
    """A subagent may ask while the agent itself ends its turn or begins one."""
    return any(isinstance(each, Permission) and each.subagent for each in belief.open if each.id == identity)
