"""Who gets a key: the dialog that is up, or the input; and the keys that do more than type."""

from dataclasses import dataclass, replace

from coop_sim.gemini.app import App
from coop_sim.gemini.composer import AFTER_KEY, Composer
from coop_sim.gemini.keys import ENTER, ESC, Key, Named, Paste

_AGAIN = 3.0
"""Within so long the second of two keys counts."""
_NAMES = {"default": "Default", "auto_edit": "Auto-Edit", "yolo": "YOLO"}
_TOLD = {
    "default": "edits will require confirmation",
    "auto_edit": "edits will be applied automatically",
    "yolo": "all tool calls auto-approved",
}
_CYCLE = {"default": "auto_edit", "auto_edit": "plan", "plan": "default", "yolo": "default"}


@dataclass
class Hands:
    app: App
    _pressed: tuple[str, float] = ("", -1e9)
    """The last key that wants to be pressed twice, and when."""
    _dialog_at: float = -1e9

    def on_keys(self, keys: tuple[Key, ...]) -> None:
        for key in keys:
            if self.app.stage.dialog is not None:
                self._to_dialog(key)
            else:
                self._to_input(key)
        self.app.stage.paint()

    def _to_dialog(self, key: Key) -> None:
        """An Enter close behind another key is swallowed."""
        now = self.app.clock()
        if key != ENTER or now - self._dialog_at >= AFTER_KEY:
            self.app.stage.press(ESC if key == Named("ctrl+c") else key)
        self._dialog_at = now

    def _to_input(self, key: Key) -> None:
        stage = self.app.stage
        stage.notify("")
        match key:
            case Named("enter"):
                # One that was meant for a dialog is not for what comes after it.
                if self.app.clock() - self._dialog_at >= AFTER_KEY:
                    self._enter()
            case Named("esc"):
                self._escape()
            case Named("ctrl+c" | "ctrl+d" as name):
                self._leave(name)
            case Named("shift+tab"):
                self._next_mode()
            case Named("up") if self.app.queue and not stage.composer.text:
                self.app.take_back()
            case _:
                stage.composer = stage.composer.press(key, self.app.clock())
                if isinstance(key, Paste) and stage.composer.pastes:
                    stage.notify("Press Ctrl+O to expand pasted text")

    def _next_mode(self) -> None:
        """Plan mode is left with words that the log has as the user's."""
        session = self.app.stage.session
        before, after = session.mode, _CYCLE[session.mode]
        session.change_mode(after)
        if before == "plan":
            words = f"User has manually exited Plan Mode. Switching to {_NAMES[after]} mode ({_TOLD[after]})."
            session.chat.user([{"text": words}])

    def _enter(self) -> None:
        stage = self.app.stage
        edited = stage.composer.entered(stage.session.cwd, self.app.clock())
        if edited is not None:
            stage.composer = edited
            return
        text, runs_shell = stage.composer.text.strip(), stage.composer.runs_shell
        stage.composer = Composer(runs_shell=runs_shell)
        if text:
            self.app.submit(f"!{text}" if runs_shell else _plain(text))

    def _escape(self) -> None:
        stage = self.app.stage
        if stage.composer.runs_shell:
            stage.composer = replace(stage.composer, runs_shell=False)
        elif self.app.is_busy:
            self.app.interrupt()

    def _leave(self, name: str) -> None:
        """Ctrl-C ends the turn, or clears the input; twice, it ends the program."""
        stage = self.app.stage
        if name == "ctrl+c" and self.app.is_busy:
            self.app.interrupt()
        elif name == "ctrl+d" and stage.composer.text:
            return
        elif self._is_second(name):
            self.app.end(politely=True)
        else:
            stage.composer = Composer()
            stage.notify(f"Press {name.title()} again to exit.", _AGAIN)

    def _is_second(self, name: str) -> bool:
        before, self._pressed = self._pressed, (name, self.app.clock())
        return before[0] == name and self._pressed[1] - before[1] < _AGAIN


def _plain(text: str) -> str:
    """Only a typed `!` runs a shell; one that was pasted is text."""
    return f" {text}" if text.startswith("!") else text
