"""The input: what is typed and not yet submitted, and what Enter makes of it."""

from dataclasses import dataclass, replace
from pathlib import Path

from coop_sim.cells import width, wrap
from coop_sim.gemini.keys import Key, Named, Paste, Text

COMMANDS = {
    "clear": "Clear the screen and start a new session",
    "compress": "Compresses the context by replacing it with a summary",
    "directory": "Manage workspace directories",
    "footer": "Configure which items appear in the footer (statusline)",
    "quit": "Exit the cli",
    "stats": "Check session stats. Usage: /stats [session|model|tools]",
    "tasks": "Toggle background tasks view",
    "about": "Show version info",
    "help": "For help on gemini-cli",
    "plan": "Switch to Plan Mode and view current plan",
}
AGENTS = ("codebase_investigator", "cli_help", "generalist")
AFTER_KEY, AFTER_PASTE = 0.03, 0.1
"""An Enter sooner after a key, or after a paste, is a new line."""
_LONG_PASTE, _MANY_LINES = 500, 5
_PLACEHOLDERS = {False: "  Type your message or @path/to/file", True: "  Type your shell command"}
_SHOWN = 10
"""How many rows of a long draft are seen."""


@dataclass(frozen=True, slots=True)
class Composer:
    text: str = ""
    pastes: tuple[str, ...] = ()
    """Those that are shown folded."""
    runs_shell: bool = False
    hears_enter_from: float = 0.0

    def press(self, key: Key, now: float) -> "Composer":
        """Of Esc, Enter and all else that does more than edit, others know."""
        match key:
            case Text("!") if not self.text:
                return replace(self, runs_shell=True)
            case Text(text):
                return replace(self, text=self.text + text, hears_enter_from=now + AFTER_KEY)
            case Paste(text):
                return self._pasted(text, now)
            case Named("newline"):
                return replace(self, text=self.text + "\n")
            case Named("backspace"):
                return replace(self, text=self.text[:-1])
            case Named("ctrl+u"):
                line = self.text.rpartition("\n")
                return replace(self, text=line[0] + line[1])
            case _:
                return self

    def _pasted(self, text: str, now: float) -> "Composer":
        is_folded = len(text) > _LONG_PASTE or text.count("\n") >= _MANY_LINES
        kept = (*self.pastes, text) if is_folded else self.pastes
        return replace(self, text=self.text + text, pastes=kept, hears_enter_from=now + AFTER_PASTE)

    def entered(self, cwd: Path, now: float) -> "Composer | None":
        """The input after an Enter that only edits it; `None` when the Enter submits."""
        if now < self.hears_enter_from:
            return replace(self, text=self.text + "\n")
        if self.text.endswith("\\"):
            return replace(self, text=self.text[:-1] + "\n")
        found = self.completions(cwd)
        if not found or self.text.removeprefix("/") in COMMANDS:
            return None
        word = self.text.split(" ")[-1]
        return replace(self, text=self.text.removesuffix(word) + f"{word[0]}{found[0]} ")

    def completions(self, cwd: Path) -> list[str]:
        """What the last word may become: a command, a file, or an agent."""
        word = self.text.rpartition(" ")[2]
        if self.text.startswith("/") and word == self.text:
            return [name for name in COMMANDS if name.startswith(word[1:])]
        if word.startswith("@"):
            names = (*AGENTS, *sorted(path.name for path in cwd.iterdir())) if word == "@" else _files(cwd, word[1:])
            return list(names)
        return []

    def rows(self, columns: int) -> list[str]:
        glyph = "!" if self.runs_shell else ">"
        if not self.text:
            return [f" {glyph} {_PLACEHOLDERS[self.runs_shell]}"]
        shown = self.text
        for paste in self.pastes:
            lines = paste.count("\n") + 1
            many = f"{lines} lines" if lines > _MANY_LINES else f"{len(paste)} chars"
            shown = shown.replace(paste, f"[Pasted Text: {many}]")
        return wrap(shown, columns - 1, first=f" {glyph} ", rest="   ")[-_SHOWN:]

    def cursor(self, columns: int) -> tuple[int, int]:
        """Row and column behind what is typed."""
        rows = self.rows(columns)
        return (len(rows) - 1, width(rows[-1])) if self.text else (0, 3)

    def below(self, cwd: Path) -> list[str]:
        """What the list of commands shows, under the input."""
        found = self.completions(cwd) if self.text.startswith("/") else []
        longest = max(map(len, found), default=0)
        rows = [f" {name:<{longest}}   {COMMANDS[name]}" for name in found[:8]]
        return [*rows, " ▼", f" (1/{len(found)})"] if len(found) > len(rows) else rows


def _files(cwd: Path, part: str) -> list[str]:
    return sorted(path.name for path in cwd.iterdir() if part in path.name)
