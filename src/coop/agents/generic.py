"""An agent described by screen patterns: `--agent unknown --agent-config FILE`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from coop.agents import UNKNOWN, Agent, Script, TypeAnswer, TypeNudge, typed
from coop.errors import BadRequest, ConfigError
from coop.model.commands import Nudge, Respond, Stroke
from coop.model.ids import PromptId
from coop.model.prompt import Prompt, Question
from coop.model.readings import Claim, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working

KEYS = {
    "prompt": "the agent waits for input when one of these matches the last line that is not blank",
    "working": "the agent works when one of these matches a line; without any, it works whenever no prompt is shown",
    "error": "the agent has failed when one of these matches a line",
    "question": "the agent asks when one of these matches a line",
    "option": "what one of these matches is an option of the question; its first group, if any, is the label",
    "quiet": "seconds without output before a prompt counts as waiting (default: --idle-grace)",
}
"""The keys of the table [screen] and what they mean."""
NUDGE_KEYS = {
    "submit": "what is typed behind a message to send it (default: Enter)",
    "pause": "seconds between the message and that (default: 0.1)",
}
RESPOND_KEYS = {
    "option": "what is typed to choose an option; {} is its number",
    "text": "what is typed to answer in words; {} is the text",
    "accept": "what is typed to say yes",
    "deny": "what is typed to say no",
}

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class ScreenPatterns:
    prompt: Patterns = ()
    working: Patterns = ()
    error: Patterns = ()
    question: Patterns = ()
    option: Patterns = ()

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        claim = self._claim(screen)
        return ScreenReading(Says(claim) if claim is not None else None)

    def _claim(self, screen: ScreenSnapshot) -> Claim | None:
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
    unknown = sorted(set(tables) - {"screen", "nudge", "respond"})
    if unknown:
        raise ConfigError(f"{source}: unknown table or key {unknown[0]!r}; expected [screen], [nudge], [respond]")
    agent = _from_screen(_table(tables, "screen", KEYS, source), source)
    if "nudge" in tables:
        agent = replace(agent, type_nudge=_typist(_table(tables, "nudge", NUDGE_KEYS, source), source))
    if "respond" in tables:
        agent = replace(agent, type_answer=_answerer(_table(tables, "respond", RESPOND_KEYS, source), source))
    return agent


def _table(tables: dict[str, object], name: str, keys: Mapping[str, str], source: str) -> dict[str, object]:
    table = tables.get(name)
    if not isinstance(table, dict):
        raise ConfigError(f"{source}: expected a table [{name}] with {', '.join(keys)}")
    found = cast("dict[str, object]", table)
    for key in found:
        if key not in keys:
            raise ConfigError(f"{source}: [{name}] has no key {key!r}; expected {', '.join(keys)}")
    return found


def _typist(table: dict[str, object], source: str) -> TypeNudge:
    submit, pause = _text(table, "submit", source) or "\r", _seconds(table.get("pause", 0.1), source, "pause") or 0.0

    def encode(nudge: Nudge) -> Script:
        if not nudge.message.isprintable() or not nudge.message.strip():
            raise BadRequest("message: expected one line of printable text; this agent takes no other")
        return typed((Stroke(nudge.message.encode(), pause), Stroke(submit.encode())))

    return encode


def _answerer(table: dict[str, object], source: str) -> TypeAnswer:
    templates = {key: _text(table, key, source) for key in RESPOND_KEYS}

    def encode(respond: Respond, prompt: Prompt) -> Script:
        key, value = _asked_for(respond, prompt)
        template = templates[key]
        if template is None:
            raise BadRequest(f"{key}: this agent's [respond] says nothing of it")
        return typed((Stroke(template.replace("{}", value).encode()),))

    return encode


def _asked_for(respond: Respond, prompt: Prompt) -> tuple[str, str]:
    """Which of the templates an answer needs, and what is put into it."""
    match respond:
        case Respond(accept=None, option=int(option), text=None) if option <= len(prompt.options):
            return "option", str(option)
        case Respond(accept=None, option=int(option), text=None):
            raise BadRequest(f"option: expected 1 to {len(prompt.options)}, got {option}")
        case Respond(accept=None, option=None, text=str(text)) if text.isprintable():
            return "text", text
        case Respond(accept=bool(accept), option=None, text=None):
            return ("accept" if accept else "deny"), ""
        case _:
            raise BadRequest("body: expected one of accept, option or text (one line)")


def _text(table: dict[str, object], key: str, source: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{source}: {key}: expected what is typed, as a string, got {value!r}")
    return value


def _from_screen(screen: dict[str, object], source: str) -> Agent:
    patterns = ScreenPatterns(**{key: _patterns(screen.get(key, []), key, source) for key in KEYS if key != "quiet"})
    if not any((patterns.prompt, patterns.working, patterns.error, patterns.question)):
        raise ConfigError(f"{source}: [screen] has no pattern; give at least 'prompt'")
    return replace(UNKNOWN, read_screen=patterns.read, quiet=_seconds(screen.get("quiet"), source, "quiet"))


def _patterns(value: object, key: str, source: str) -> Patterns:
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) != len(given):
        raise ConfigError(f"{source}: {key}: expected a regular expression or a list of them, got {value!r}")
    try:
        return tuple(re.compile(text) for text in texts)
    except re.error as error:
        raise ConfigError(f"{source}: {key}: {error.pattern!r} is not a regular expression: {error}") from None


def _seconds(value: object, source: str, key: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ConfigError(f"{source}: {key}: expected seconds, 0 or more, got {value!r}")
    return float(value)


def _first(patterns: Patterns, lines: Iterable[str]) -> re.Match[str] | None:
    return next((found for line in lines for pattern in patterns if (found := pattern.search(line))), None)
