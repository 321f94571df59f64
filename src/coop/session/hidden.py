"""Prompts that are kept off the screen by the very hooks that told of them.

Claude Code awaits the hook of what a subagent asks before it draws the dialog: 2.1.325 of every subagent, 2.1.197 of one in
the background. For as long as that hook is held nobody can answer at the keyboard, and no options are told. So it is let go,
and the prompt answered with keys, like any that no hook waits for. What the agent itself asks is drawn while its hook waits:
there, a dialog that is late is only late, and letting go would give up the exact answer for nothing.
"""

from collections.abc import Iterator

from coop.model.ids import HookId, PromptId
from coop.session.effects import Effect, ReplyHook
from coop.session.endings import undrawn
from coop.session.insight import Insight
from coop.session.typing import Typing

HIDDEN_AFTER = 1.2
"""How long the agent's input must be on the screen where the dialog should be. One that is not hidden takes a third of that."""
DRAWN_WITHIN = 3.0
"""How long the dialog may take when its hook is let go: what is not drawn by then was decided by somebody else."""


class Hidden:
    def __init__(self, insight: Insight, typing: Typing) -> None:
        self._insight = insight
        self._typing = typing
        self._let_go_at = float("-inf")

    def deadline(self) -> float | None:
        waits = self._waits()
        return None if waits is None else waits[0]

    def advance(self, now: float) -> Iterator[Effect]:
        """One after the other: those that are not drawn yet can still be answered by their hooks."""
        waits = self._waits()
        if waits is None or now < waits[0]:
            return
        _, prompt, hook = waits
        if hook is None:
            self._insight.close(prompt, now)
            return
        self._let_go_at = now
        del self._insight.hooks[prompt]
        yield ReplyHook(hook)

    def _waits(self) -> tuple[float, PromptId, HookId | None] | None:
        """Until when which of them is waited for. Only where the input is on the screen, and so no other dialog before it."""
        since, hidden = self._insight.at_input_since, undrawn(self._insight.belief)
        if since is None or not hidden:
            return None
        drawing = next((each for each in hidden if each not in self._insight.hooks), None)
        if drawing is not None:  # Claude draws no dialog under the hands of whoever types
            return max(since, self._let_go_at, self._typing.at) + DRAWN_WITHIN, drawing, None
        due = max(since, self._let_go_at, self._insight.opened[hidden[0]]) + HIDDEN_AFTER
        return due, hidden[0], self._insight.hooks[hidden[0]]
