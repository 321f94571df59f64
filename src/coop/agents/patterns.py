"""What a screen shows of an agent that is known by patterns only."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coop.model.ids import PromptId
from coop.model.prompt import Question
from coop.model.readings import Claim, Composer, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The end of a screen: the line the agent is at, and what stands above it since the last prompt."""

    line: str
    above: tuple[str, ...]
    prompt: re.Match[str] | None
    """What of the line is a prompt."""
    given: str | None = None
    """What stands behind the prompt before: what the agent was told last."""

    @property
    def lines(self) -> tuple[str, ...]:
        return (*self.above, self.line)

    @property
    def draft(self) -> str | None:
        """What stands behind the prompt; `None` without one."""
        return self.line[self.prompt.end() :].strip() if self.prompt else None


@dataclass(frozen=True, slots=True)
class Option:
    label: str
    key: str
    """What chooses it: as the screen says, else its number in the list."""


@dataclass(frozen=True, slots=True)
class ScreenPatterns:
    prompt: Patterns = ()
    working: Patterns = ()
    error: Patterns = ()
    detail: Patterns = ()
    question: Patterns = ()
    option: Patterns = ()
    at_cursor: bool = False
    """As in shells: the agent is at the line of the cursor, and only there its prompt counts."""

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        shown = self.shown(screen)
        claim = self._at_cursor(shown, screen) if self.at_cursor else self._anywhere(shown, screen)
        composer = (
            Composer(shown.draft) if self.at_cursor and shown.draft is not None and isinstance(claim, Idle | Failed) else None
        )
        return ScreenReading(Says(claim) if claim is not None else None, composer)

    def _at_cursor(self, shown: Shown, screen: ScreenSnapshot) -> Claim | None:
        """Whoever is at the prompt is done with what stands above it."""
        if shown.prompt is not None:
            return self._failed(shown.lines) or Idle()
        if (asked := self.question_on(shown)) is not None:
            return Prompted(asked)
        if screen.alt_screen:
            return AltScreen()
        return Working() if shown.given is not None or any(shown.lines) else None

    def _anywhere(self, shown: Shown, screen: ScreenSnapshot) -> Claim | None:
        """Errors outrank questions, questions outrank work, and work outranks a prompt."""
        rests = shown.prompt is not None or not self.prompt
        if rests and (failed := self._failed(shown.lines)) is not None:
            return failed
        if (asked := self.question_on(shown)) is not None:
            return Prompted(asked)
        if first(self.working, shown.lines):
            return Working()
        if shown.prompt is not None:
            return Idle()
        if screen.alt_screen:
            return AltScreen()
        return None if self.working or not any(shown.lines) else Working()

    def _failed(self, lines: Sequence[str]) -> Failed | None:
        failed = first(self.error, lines)
        if failed is None:
            return None
        return Failed(_named(first(self.detail, reversed(lines)) or failed))

    def question_on(self, shown: Shown) -> Question | None:
        at = self._asked_at(shown.lines)
        if at is None:
            return None
        text, options = shown.lines[at].strip(), tuple(option.label for option in self.options_on(shown))
        return Question(PromptId(text), text, options, shown.lines)

    def options_on(self, shown: Shown) -> tuple[Option, ...]:
        """Those below the question; where there are none, those above it that were not for an earlier one."""
        lines, at = shown.lines, self._asked_at(shown.lines)
        if at is None:
            return ()
        earlier = self._asked_at(lines[:at])
        if (below := self._options_in(lines[at:])) or earlier is None:
            return below or self._options_in(lines[:at])
        is_theirs = first(self.option, (lines[at - 1],)) is not None  # else what was chosen of them stands between
        return self._options_in(lines[earlier + 1 : at]) if is_theirs else ()

    def _asked_at(self, lines: Sequence[str]) -> int | None:
        """The last line that asks: those above it are answered. An option may well end like a question."""
        asking = [n for n, line in enumerate(lines) if first(self.question, (line,))]
        return max((n for n in asking if not first(self.option, (lines[n],))), default=max(asking, default=None))

    def _options_in(self, lines: Sequence[str]) -> tuple[Option, ...]:
        found = [match for line in lines if (match := first(self.option, (line,)))]
        return tuple(Option(_label(match), match.groupdict().get("key") or str(n)) for n, match in enumerate(found, 1))

    # Where the agent is

    def shown(self, screen: ScreenSnapshot) -> Shown:
        lines = self._until_cursor(screen) if self.at_cursor else [line for line in screen.lines if line.strip()]
        line, above = (lines[-1], lines[:-1]) if lines else ("", [])
        earlier = next((n for n in range(len(above) - 1, -1, -1) if first(self.prompt, (above[n],))), None)
        given = None
        if earlier is not None:
            match = first(self.prompt, (above[earlier],))
            given = above[earlier][match.end() :].strip() if match else None
            above = above[earlier + 1 :]
        return Shown(line, tuple(above), first(self.prompt, (line,)), given)

    def _until_cursor(self, screen: ScreenSnapshot) -> list[str]:
        """The lines down to the cursor's, each with the rows it is wrapped into; blank ones above the last are left out."""
        lines: list[str] = []
        is_full = False
        for row in screen.lines[: screen.cursor.row + 1]:
            if is_full and not first(self.prompt, (row,)):
                lines[-1] += row
            else:
                lines.append(row)
            is_full = len(row) >= screen.size.cols
        return [*(line for line in lines[:-1] if line.strip()), *lines[-1:]]


def _label(match: re.Match[str]) -> str:
    """The group `label`, the first group, or all of it."""
    if "label" in match.re.groupindex:
        return (match["label"] or "").strip()
    return ((match[1] if match.re.groups else match[0]) or "").strip()


def _named(match: re.Match[str]) -> str:
    """The first group, if there is one, else the whole line."""
    return ((match[1] or "") if match.re.groups else match.string).strip()


def first(patterns: Patterns, lines: Iterable[str]) -> re.Match[str] | None:
    return next((found for line in lines for pattern in patterns if (found := pattern.search(line))), None)
