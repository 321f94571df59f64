"""The prompt box: what is typed and not yet submitted, and what Enter makes of it."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coop_sim.cells import under_cursor, with_cursor, wrap
from coop_sim.claude.keys import Key, Named, Paste, Text

COMMANDS = {
    "/clear": "Start a new session with empty context; previous session stays on disk (resumable with /resume)",
    "/compact": "Free up context by summarizing the conversation so far",
    "/context": "Visualize current context usage as a colored grid",
    "/effort": "Set effort level for model usage",
    "/exit": "Exit the CLI",
    "/memory": "Open a memory file in your editor",
    "/model": "Set the AI model for Claude Code",
    "/quit": "Exit the CLI",
    "/status": "Show Claude Code status including version, model, account, API connectivity, and tool statuses",
}
_LONG_PASTE = 800
_MANY_LINES = 9
_EXITS = ("exit", "quit", ":q", ":q!", ":wq", ":wq!")


@dataclass(frozen=True, slots=True)
class Command:
    name: str


@dataclass(frozen=True, slots=True)
class Shell:
    command: str


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A slash command that does not exist: it is said, and nothing is submitted."""

    name: str


Submission = Command | Shell | Prompt | Unknown


@dataclass(frozen=True, slots=True)
class Composer:
    text: str = ""
    pastes: tuple[str, ...] = ()
    behind: int = 0
    """How much of the text stands behind the cursor."""

    def press(self, key: Key) -> "Composer":
        match key:
            case Text(text):
                return self._with(self._before + text)
            case Paste(text):
                return self._pasted(text)
            case Named("newline"):
                return self._with(self._before + "\n")
            case Named("backspace"):
                return self._with(self._before[:-1])
            case Named("ctrl+u"):
                before, line_break, last = self._before.rpartition("\n")
                return self._with(before + line_break if last else before)
            case Named("ctrl+k"):
                last, line_break, after = self._after.partition("\n")
                kept = line_break + after if last else after
                return replace(self, text=self._before + kept, behind=len(kept))
            case Named("home"):
                return replace(self, behind=len(self.text) - self._before.rfind("\n") - 1)
            case Named("end"):
                return replace(self, behind=len(self._after) - len(self._after.partition("\n")[0]))
            case _:
                return self

    def over(self, texts: Sequence[str]) -> "Composer":
        """With these above what stands in it."""
        return replace(self, text="\n".join((*texts, *((self.text,) if self.text else ()))))

    @property
    def _before(self) -> str:
        return self.text[: len(self.text) - self.behind]

    @property
    def _after(self) -> str:
        return self.text[len(self.text) - self.behind :]

    def _with(self, before: str) -> "Composer":
        return replace(self, text=before + self._after)

    def _pasted(self, text: str) -> "Composer":
        is_folded = len(text) >= _LONG_PASTE or text.count("\n") > _MANY_LINES
        kept = (*self.pastes, text) if is_folded else self.pastes
        return replace(self._with(self._before + text), pastes=kept)

    def entered(self, cwd: Path, *, completes_files: bool) -> "Composer | None":
        """The box after an Enter that only edits it; `None` when the Enter submits."""
        if self.text.endswith("\\"):
            return replace(self, text=self.text[:-1] + "\n")
        if matches := self.completions():
            return None if self.text in COMMANDS else Composer(matches[0])
        word = self.text.rpartition(" ")[2]
        if completes_files and word.startswith("@") and (found := sorted(cwd.glob(word[1:] + "*"))):
            return replace(self, text=self.text.removesuffix(word) + f"@{found[0].relative_to(cwd)} ")
        return None

    def completions(self) -> list[str]:
        """The commands that a bare `/word` may become."""
        if not self.text.startswith("/") or " " in self.text or "\n" in self.text:
            return []
        return [name for name in COMMANDS if name.startswith(self.text)]

    def rows(self, columns: int) -> list[str]:
        is_shell = self.text.startswith("!")
        before, after = self._folded(self._before.removeprefix("!")), self._folded(self._after)
        shown = before + under_cursor(after) if after else before
        rows = wrap(shown, columns, first="!\u00a0" if is_shell else "❯\u00a0", rest="  ")
        return rows if after else with_cursor(rows, columns)

    def _folded(self, text: str) -> str:
        for number, paste in enumerate(self.pastes, 1):
            lines = paste.count("\n")
            text = text.replace(paste, f"[Pasted text #{number}{f' +{lines} lines' if lines else ''}]")
        return text


def without_invisible(text: str) -> str:
    """What 2.1.325 leaves of a prompt."""
    return "".join(c for c in text if c == "\n" or not (unicodedata.category(c) in ("Cf", "Cc") and not _joins(c)))


def _joins(character: str) -> bool:
    return character == "\u200d"


def submission(text: str, *, runs_command_after_space: bool) -> Submission:
    """What Claude does with a submitted text: only the first characters decide."""
    if text.startswith("!"):
        return Shell(text[1:].strip())
    if text.strip() in _EXITS:
        return Command("/exit")
    name = text.strip().split(" ")[0].split("\n")[0]
    is_bare = text.startswith("/")
    if name in COMMANDS and (is_bare or runs_command_after_space):
        return Command(name)
    # A path is not a command: "/tmp is full" goes to the model.
    if is_bare and name[1:].replace("-", "").isalnum() and not Path(name).exists():
        return Unknown(name)
    return Prompt(text.rstrip())
