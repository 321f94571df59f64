"""What a submitted text does: it goes to the model, to a shell, or it is a command."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from coop_sim.claude.blocks import Plain, Used
from coop_sim.claude.commands import cleared, compacted, status_dialog
from coop_sim.claude.composer import Command, Prompt, Shell, Submission, Unknown, submission
from coop_sim.claude.log_lines import said_line
from coop_sim.claude.menu import Dialog
from coop_sim.claude.stage import Stage
from coop_sim.claude.states import Blocked, Idle, Working
from coop_sim.claude.tools import run_shell
from coop_sim.claude.turn import Conversation
from coop_sim.claude.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Submitting:
    stage: Stage
    conversation: Conversation
    leave: Callable[[], None]

    async def do(self, prompt: Waiting) -> None:
        match self.meant(prompt.text):
            case Prompt(text):
                await self.conversation.run(text, is_heard=prompt.is_heard, is_queued=prompt.is_queued)
            case Shell(command):
                await self._shell(command)
            case Command(name):
                await self._command(name)
            case Unknown(name):
                self.stage.show(Plain(f"● Unknown command: {name}"))

    def meant(self, text: str) -> Submission:
        return submission(text, runs_command_after_space=self.stage.session.version.runs_command_after_space)

    async def _shell(self, command: str) -> None:
        """No hook hears of it, and nobody is asked; then the model is told."""
        session = self.stage.session
        session.become(Working())
        try:
            ran = await run_shell(command, session.cwd)
        except asyncio.CancelledError:
            session.become(Idle())
            raise
        self.stage.show(Plain(f"! {command}"), Used(command, tuple(ran.content.split("\n"))))
        session.main.record(said_line(f"<bash-input>{command}</bash-input>"))
        session.main.record(said_line(f"<bash-stdout>{ran.content}</bash-stdout><bash-stderr></bash-stderr>"))
        await self.conversation.go_on()

    async def _command(self, name: str) -> None:
        match name:
            case "/exit" | "/quit":
                self.leave()
            case "/clear":
                await cleared(self.stage)
            case "/compact":
                await compacted(self.stage, self.conversation.model)
            case _:
                await self._dialog(status_dialog(self.stage))

    async def rewind(self) -> None:
        await self._dialog(status_dialog(self.stage, heading="Rewind"))

    async def _dialog(self, dialog: Dialog) -> None:
        before = self.stage.session.state
        self.stage.session.become(Blocked("dialog open"))
        await self.stage.ask(dialog)
        self.stage.session.become(before)
