"""The prompt box: what is typed and not yet submitted, and what Enter makes of it."""

import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

from coop_sim.cells import with_cursor, wrap
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

    def press(self, key: Key) -> "Composer":
        match key:
            case Text(text):
                return replace(self, text=self.text + text)
            case Paste(text):
                return self._pasted(text)
            case Named("newline"):
                return replace(self, text=self.text + "\n")
            case Named("backspace"):
                return replace(self, text=self.text[:-1])
            case Named("ctrl+u"):
                before, line_break, last = self.text.rpartition("\n")
                return replace(self, text=before + line_break if last else before)
            case _:
                return self

    def _pasted(self, text: str) -> "Composer":
        is_folded = len(text) >= _LONG_PASTE or text.count("\n") > _MANY_LINES
        kept = (*self.pastes, text) if is_folded else self.pastes
        return Composer(self.text + text, kept)

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
        shown = self.text.removeprefix("!")
        for number, paste in enumerate(self.pastes, 1):
            lines = paste.count("\n")
            shown = shown.replace(paste, f"[Pasted text #{number}{f' +{lines} lines' if lines else ''}]")
        return with_cursor(wrap(shown, columns, first="!\u00a0" if is_shell else "❯\u00a0", rest="  "), columns)


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
