"""What the keys do: to the dialog while there is one, else to the prompt box."""

from dataclasses import dataclass, field, replace

from coop_sim.claude.app import App
from coop_sim.claude.composer import Composer, without_invisible
from coop_sim.claude.images import attached
from coop_sim.claude.keys import Key, Named, Paste, Reply
from coop_sim.claude.startup import is_7501

TWICE = 0.8
"""Two presses within so long mean more than one."""
_CYCLE = {"default": "acceptEdits", "acceptEdits": "plan", "plan": "auto", "auto": "default"}


@dataclass
class Hands:
    app: App
    _pressed: dict[str, float] = field(default_factory=dict[str, float])
    _images: int = 0

    def on_keys(self, keys: tuple[Key, ...]) -> None:
        """The keys of one write."""
        stage = self.app.stage
        if any(is_7501(key) for key in keys) and stage.session.version.reports_state:
            stage.reports()
        typed = tuple(key for key in keys if not isinstance(key, Reply))
        rest = stage.press(typed) if stage.has_dialog else typed
        if rest:  # what a dialog has taken does not hold the next one back
            stage.typed()
        for key in rest:
            self._box(key)
        stage.paint()

    def _box(self, key: Key) -> None:
        stage = self.app.stage
        stage.notice = ""
        match key:
            case Named("enter"):
                self._enter()
            case Named("esc"):
                self._escape()
            case Named("ctrl+c" | "ctrl+d" as name):
                self._control(name)
            case Named("ctrl+z"):
                stage.suspend()
            case Named("shift+tab"):
                stage.session.mode = _CYCLE.get(stage.session.mode, "default")
            case Named("up") if stage.queued:
                stage.composer = stage.composer.over(self.app.take_back())
            case Paste(text):
                within_lines = stage.session.version.takes_images_within_lines
                text, self._images = attached(text, self._images, within_lines=within_lines)
                stage.composer = stage.composer.press(Paste(text))
            case _:
                stage.composer = stage.composer.press(key)

    def _enter(self) -> None:
        stage = self.app.stage
        session, composer = stage.session, stage.composer
        edited = composer.entered(session.cwd, completes_files=not session.version.runs_command_after_space)
        if edited is not None:
            stage.composer = edited
            return
        if session.version.drops_invisible and (seen := without_invisible(composer.text)) != composer.text:
            removed = len(composer.text) - len(seen)
            stage.composer = replace(composer, text=seen)
            stage.notice = f"Removed {removed} invisible character{'s' * (removed > 1)} · review and press Enter to send"
            return
        if composer.text.strip():
            stage.composer = Composer()
            self.app.submit(composer.text)

    def _escape(self) -> None:
        stage = self.app.stage
        if self.app.is_busy:
            self.app.interrupt()
        elif self._is_second("esc"):
            if stage.composer.text:
                stage.composer = Composer()
            else:
                self.app.rewind()
        elif stage.composer.text:
            stage.notice = "Esc again to clear"

    def _control(self, name: str) -> None:
        stage = self.app.stage
        if name == "ctrl+c" and self.app.is_busy:
            self.app.interrupt()
        elif name == "ctrl+c" and stage.composer.text:
            stage.composer = Composer()
        elif self._is_second(name):
            self.app.end(0, "prompt_input_exit")
        else:
            stage.notice = f"Press {'Ctrl-C' if name == 'ctrl+c' else 'Ctrl-D'} again to exit"

    def _is_second(self, name: str) -> bool:
        before, self._pressed[name] = self._pressed.get(name, -TWICE - 1), self.app.clock()
        return self._pressed[name] - before <= TWICE
