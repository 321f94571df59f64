"""Asking before a tool use: a person and the PermissionRequest hooks at once, and the first answer wins."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.decisions import hook_answer
from coop_sim.claude.face import Face
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.log_lines import FEEDBACK
from coop_sim.claude.menu import Dialog
from coop_sim.claude.plans import no_plan_dialog, plan_dialog
from coop_sim.claude.question import questions_in
from coop_sim.claude.requests import auto_dialog, auto_notice, request_dialog
from coop_sim.claude.session import Session
from coop_sim.claude.states import Blocked
from coop_sim.claude.suggesting import suggestions
from coop_sim.claude.tool_blocks import pending_block
from coop_sim.claude.versions import Version
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text

Fire = Callable[[str, Table], Awaitable[list[HookAnswer]]]


@dataclass(frozen=True, slots=True)
class Asking:
    session: Session
    face: Face
    use: ToolUse
    fire: Fire
    awaits_hooks: bool = False
    """Is nothing drawn before the hooks have answered?"""

    async def unheard(self) -> Answer:
        """Auto mode that cannot check: dialogs no hook is told of."""
        with self._blocked(Blocked("dialog open")):
            first = await self.face.ask(auto_notice(self.face.columns))
        if isinstance(first, Deny):
            self.session.mode = first.feedback or self.session.mode
            return Deny()
        with self._blocked(blocked_by(self.use, self.session.version)):
            return await self.face.ask(auto_dialog(self.use, self.face.columns))

    async def asked(self) -> Answer:
        if self.session.options.prints:
            return await self._on_paper()
        is_talk = self.use.name in ("AskUserQuestion", "ExitPlanMode")
        waiting = ("Waiting…",) if self.use.name == "Bash" else ()
        self.face.live(*([] if is_talk else [pending_block(self.use, self.session.version, self.session.cwd, waiting)]))
        if self.awaits_hooks:
            return await self._hooks() or await self._alone()
        with self._blocked(blocked_by(self.use, self.session.version)):
            return await self._race()

    async def _alone(self) -> Answer:
        with self._blocked(blocked_by(self.use, self.session.version)):
            return _explained(await self.face.ask(dialog_for(self.use, self.session, self.face.columns)))

    async def _race(self) -> Answer:
        """A hook whose question a person has answered with yes is left waiting, and not listened to: so does the real one."""
        tasks = self.session.tasks
        assert tasks is not None
        person = tasks.begin(self.face.ask(dialog_for(self.use, self.session, self.face.columns)))
        hooks = tasks.begin(self._hooks())
        is_left = False
        try:
            await asyncio.wait({person, hooks}, return_when=asyncio.FIRST_COMPLETED)
            if not person.done() and (told := hooks.result()) is not None:
                return told
            await asyncio.wait({person})
            is_left = not isinstance(person.result(), Deny)
            return _explained(person.result())
        finally:
            person.cancel()
            if not is_left:
                hooks.cancel()

    async def _hooks(self) -> Answer | None:
        told = await self.fire("PermissionRequest", suggestions(self.use, self.session.cwd))
        return hook_answer(told, self.use, self.session.version)

    async def _on_paper(self) -> Answer:
        """Nobody is there to answer; only since 2.1.325 are the hooks asked."""
        told = await self._hooks() if self.session.version.offers_auto else None
        return told or Deny("This command requires approval", ends_turn=False)

    @contextmanager
    def _blocked(self, state: Blocked) -> Generator[None]:
        self.session.wait(state)
        try:
            yield
        finally:
            self.session.waited(state)


def _explained(answer: Answer) -> Answer:
    """Words that a person typed reach the model with what they mean."""
    match answer:
        case Deny(feedback, ends_turn=False):
            return Deny(FEEDBACK + feedback, ends_turn=False, shown=feedback)
        case Allow() | Deny() | Answered():
            return answer


def dialog_for(use: ToolUse, session: Session, columns: int) -> Dialog:
    if use.name != "ExitPlanMode":
        return request_dialog(use, session.version, session.cwd, columns)
    plan, path, home = as_text(use.input.get("plan")), session.plan_file, session.options.home
    if not plan:
        return no_plan_dialog(columns)
    shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
    return plan_dialog(plan, shown, session.version, columns, bypasses=session.options.mode == "bypassPermissions")


def blocked_by(use: ToolUse, version: Version) -> Blocked:
    match use.name:
        case "AskUserQuestion":
            return Blocked(version.question_waiting_for, "question", f"answer: {_first_question(use)}")
        case "ExitPlanMode":
            return Blocked("permission prompt", "permission", "approve plan")
        case "Bash":
            return Blocked("permission prompt", "permission", f"approve Bash: {as_text(use.input.get('command'))}")
        case _:
            name = "Update" if use.name == "Edit" else use.name
            return Blocked("permission prompt", "permission", f"approve {name}: {as_text(use.input.get('file_path'))}")


def _first_question(use: ToolUse) -> str:
    questions = questions_in(dict(use.input))
    labels = " · ".join(label for label, _ in questions[0].options) if questions else ""
    return f"{questions[0].text} ({labels})" if questions else ""
