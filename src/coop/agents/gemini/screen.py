"""What Gemini CLI's screen shows: its input, its spinner, a dialog. Which words count is in `dialogs.toml`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from coop.agents.dialogs import Dialog, Signature, recognize, screen_patterns, signatures
from coop.agents.drawn import prompt_of
from coop.agents.gemini.boxes import HIDDEN, find_box, parts_of
from coop.model.prompt import HIDDEN_ABOVE, Choice, Permission, Plan, Prompt, Query, Question
from coop.model.readings import Composer, Learned, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import Idle, Prompted, Working

_BELOW_RULE = 4
"""How many lines below its rule the input begins at the latest."""
_NEAR = 14
"""How many lines above the rule tell of what is queued."""
_COUNT = re.compile(r"\s(\d+) of \d+$")
_MODES = {"auto-accept edits": "auto_edit", "plan": "plan", "YOLO": "yolo"}
OWN_LABELS = frozenset({"Enter a custom value", "All of the above", "Done"})
"""What Gemini itself adds to the options of a question."""


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for."""

    dialogs: tuple[Signature, ...]
    rule: re.Pattern[str]
    composer: re.Pattern[str]
    placeholder: re.Pattern[str]
    working: re.Pattern[str]
    restarting: re.Pattern[str]
    queued: re.Pattern[str]
    version: re.Pattern[str]
    mode: re.Pattern[str]

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        rows = [line.rstrip(" ") for line in screen.lines]
        if (at := self._composer(rows)) is not None:
            return self._at_composer(rows, *at)
        if (at_bottom := self.dialog(screen)) is not None:
            dialog, found = at_bottom
            says = Says(Prompted(_prompt(dialog, found)), final=found is not None)
            return ScreenReading(says, answered=_position(dialog) - 1, learned=self._learned(rows))
        shown = [row for row in rows if row.strip()]
        if shown and self.restarting.search(shown[-1]):
            return ScreenReading(Says(Working("restarting")))
        return ScreenReading(unread=tuple(shown))

    def dialog(self, screen: ScreenSnapshot) -> tuple[Dialog, Signature | None] | None:
        """The dialog on this screen, and which it is; `None` when the input is there, or nothing is."""
        rows = [line.rstrip(" ") for line in screen.lines]
        if self._composer(rows) is not None or (dialog := find_box(rows)) is None:
            return None
        return dialog, recognize(dialog, self.dialogs)

    def _composer(self, rows: Sequence[str]) -> tuple[int, int] | None:
        """The rows of the rule above it, and of its beginning."""
        rule = next((n for n in range(len(rows) - 1, -1, -1) if self.rule.match(rows[n])), None)
        if rule is None:
            return None
        below = range(rule + 1, min(rule + 1 + _BELOW_RULE, len(rows)))
        return next(((rule, n) for n in below if self.composer.match(rows[n] + " ")), None)

    def _at_composer(self, rows: Sequence[str], rule: int, begin: int) -> ScreenReading:
        glyph = self.composer.match(rows[begin] + " ")
        assert glyph is not None
        runs_shell = bool(glyph.groups()) and glyph[1] is not None
        composer = Composer(self._draft(rows[begin:], glyph.end()), runs_shell)
        is_queued = any(self.queued.search(row) for row in rows[max(0, rule - _NEAR) : rule])
        says = Says(Working() if self._works(rows, rule) else Idle())
        return ScreenReading(says, composer, is_queued, learned=self._learned(rows, rows[rule + 1 : begin]))

    def _draft(self, rows: Sequence[str], column: int) -> str:
        first = rows[0][column:]
        if self.placeholder.match(first):
            return ""
        more: list[str] = []
        for row in rows[1:]:
            if not row.startswith(" " * column):  # a blank line ends it, and so does what stands below
                break
            more.append(row[column:])
        return "\n".join([first, *more]).strip()

    def _works(self, rows: Sequence[str], rule: int) -> bool:
        """The lines right above the rule, up to a blank one, are the agent's own."""
        for row in reversed(rows[:rule]):
            if not row.strip():
                return False
            if self.working.search(row):
                return True
        return False

    def _learned(self, rows: Sequence[str], modes: Sequence[str] = ()) -> Learned | None:
        version = next((found[1] for row in rows[:12] if (found := self.version.search(row))), None)
        named = next((found[found.lastindex] for row in modes if (found := self.mode.search(row)) and found.lastindex), "")
        mode = _MODES.get(named, "default") if modes else None
        return Learned(version=version, permission_mode=mode) if version or mode else None


def _prompt(dialog: Dialog, found: Signature | None) -> Prompt:
    """Gemini's dialogs hold what its hooks would tell."""
    prompt, title = prompt_of(dialog, found), dialog.title
    match found, prompt:
        case Signature(tool=tool), Permission():
            return replace(prompt, tool=tool or _named(dialog), input=_given(dialog, tool))
        case _, Plan():
            return replace(prompt, text="\n".join((*title[1:], dialog.question)))
        case Signature(subtype="review"), Question():
            return replace(prompt, text=title[-1] if title else "")
        case Signature(), Question():
            query = _query(dialog)
            return replace(prompt, text=query.text, options=tuple(each.label for each in query.choices), queries=(query,))
        case _:
            return prompt


def _position(dialog: Dialog) -> int:
    """`? Shell  touch two      2 of 2`."""
    found = _COUNT.search(dialog.title[0]) if dialog.title else None
    return max(1, int(found[1])) if found else 1


def _named(dialog: Dialog) -> str:
    """`?  Enter Plan Mode need a plan`: all that is told of a tool we have no name for."""
    return next((line.lstrip("? ") for line in (*dialog.title, dialog.question) if line.startswith("? ")), "")


def _given(dialog: Dialog, tool: str | None) -> dict[str, object]:
    """As much of the input as the dialog shows; a hook tells all of it."""
    if tool == "run_shell_command":
        command = _command(dialog)
        return {"command": command} if command else {}
    if tool is not None and dialog.title:
        return {"file_path": _COUNT.sub("", dialog.title[0]).rpartition(" to ")[2].partition(":")[0].split(" ")[-1]}
    return {}


def _command(dialog: Dialog) -> str:
    """The title says it too, and is the first that has no room."""
    shown = parts_of(dialog.lines)
    if not shown.is_boxed:
        return "\n".join(dialog.title[1:])
    rows = [HIDDEN_ABOVE if HIDDEN.match(row) else row for row in shown.within]
    return "\n".join(rows if shown.begins else (HIDDEN_ABOVE, *rows))


def _query(dialog: Dialog) -> Query:
    """The one whose page is shown; a long list is not shown whole."""
    lines = (line for line in (*dialog.title[1:], dialog.question) if not line.startswith(("←", "(Select all", "> ")))
    choices = (Choice(each.label, each.more) for each in dialog.options if each.label not in OWN_LABELS)
    takes_many = any(option.checked is not None for option in dialog.options)
    return Query(" ".join(lines), tuple(choices), takes_many=takes_many)


def words(tables: Mapping[str, object], *, source: str) -> Words:
    """From a parsed dialogs file. Raises `ConfigError` naming what is wrong."""
    patterns = screen_patterns(tables, _SCREEN_KEYS, source=source)
    return Words(signatures(tables.get("dialog", []), source=source), **patterns)


_SCREEN_KEYS = ("rule", "composer", "placeholder", "working", "restarting", "queued", "version", "mode")
