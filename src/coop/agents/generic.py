"""An agent described by screen patterns: `--agent unknown --agent-config FILE`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

from coop.agents import UNKNOWN, Agent
from coop.errors import ConfigError
from coop.model.ids import PromptId
from coop.model.prompt import Question
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, AltScreen, Failed, Idle, Prompted, Working

KEYS = {
    "prompt": "the agent waits for input when one of these matches the last line that is not blank",
    "working": "the agent works when one of these matches a line; without any, it works whenever no prompt is shown",
    "error": "the agent has failed when one of these matches a line",
    "question": "the agent asks when one of these matches a line",
    "option": "what one of these matches is an option of the question; its first group, if any, is the label",
    "quiet": "seconds without output before a prompt counts as waiting (default: --idle-grace)",
}
"""The keys of the table [screen] and what they mean."""

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class ScreenPatterns:
    prompt: Patterns = ()
    working: Patterns = ()
    error: Patterns = ()
    question: Patterns = ()
    option: Patterns = ()

    def read(self, screen: ScreenSnapshot) -> AgentState | None:
        """Errors outrank questions, questions outrank work, and work outranks a prompt."""
        lines = self._since_last_prompt([line for line in screen.lines if line.strip()])
        if failed := _first(self.error, lines):
            return Failed(failed.string.strip())
        if asked := _first(self.question, lines):
            return Prompted(self._question(asked.string.strip(), lines))
        if _first(self.working, lines):
            return Working()
        if _first(self.prompt, lines[-1:]):
            return Idle()
        if screen.alt_screen:
            return AltScreen()
        return None if self.working or not lines else Working()

    def _since_last_prompt(self, lines: list[str]) -> list[str]:
        """What stands above an earlier prompt was dealt with there."""
        earlier = (n for n in range(len(lines) - 2, -1, -1) if _first(self.prompt, (lines[n],)))
        return lines[next(earlier, -1) + 1 :]

    def _question(self, text: str, lines: list[str]) -> Question:
        found = (match for line in lines if (match := _first(self.option, (line,))))
        options = tuple((match[1] if match.re.groups else match[0]).strip() for match in found)
        return Question(PromptId(text), text, options, tuple(lines))


def configured(tables: dict[str, object], *, source: str) -> Agent:
    """The agent a configuration file describes. Raises `ConfigError` naming the key that is wrong."""
    unknown = sorted(set(tables) - {"screen"})
    if unknown:
        raise ConfigError(f"{source}: unknown table or key {unknown[0]!r}; expected [screen]")
    screen = tables.get("screen")
    if not isinstance(screen, dict):
        raise ConfigError(f"{source}: expected a table [screen] with at least a 'prompt' pattern")
    return _from_table(cast("dict[str, object]", screen), source)


def _from_table(screen: dict[str, object], source: str) -> Agent:
    for key in screen:
        if key not in KEYS:
            raise ConfigError(f"{source}: [screen] has no key {key!r}; expected {', '.join(KEYS)}")
    patterns = ScreenPatterns(**{key: _patterns(screen.get(key, []), key, source) for key in KEYS if key != "quiet"})
    if not any((patterns.prompt, patterns.working, patterns.error, patterns.question)):
        raise ConfigError(f"{source}: [screen] has no pattern; give at least 'prompt'")
    return replace(UNKNOWN, read_screen=patterns.read, quiet=_seconds(screen.get("quiet"), source))


def _patterns(value: object, key: str, source: str) -> Patterns:
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) != len(given):
        raise ConfigError(f"{source}: {key}: expected a regular expression or a list of them, got {value!r}")
    try:
        return tuple(re.compile(text) for text in texts)
    except re.error as error:
        raise ConfigError(f"{source}: {key}: {error.pattern!r} is not a regular expression: {error}") from None


def _seconds(value: object, source: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ConfigError(f"{source}: quiet: expected seconds, 0 or more, got {value!r}")
    return float(value)


def _first(patterns: Patterns, lines: Iterable[str]) -> re.Match[str] | None:
    return next((found for line in lines for pattern in patterns if (found := pattern.search(line))), None)
