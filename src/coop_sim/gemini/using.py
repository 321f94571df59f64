"""The tools of one message: hooks and dialogs first, for all of them; then those that may run do."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.gemini.answering import settle
from coop_sim.gemini.dialogs import Answer, Cancelled, Chosen, Menu
from coop_sim.gemini.face import Face
from coop_sim.gemini.permissions import is_plan, needs_permission, remember
from coop_sim.gemini.plan_dialog import PlanDialog, shown
from coop_sim.gemini.requests import ALWAYS, NO, dialog_for, notification
from coop_sim.gemini.session import Session
from coop_sim.gemini.tools import INTERRUPTED, Done, blocks, cancelled, failed, run
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text

_DRAWN = 0.1
"""How long after the hook a dialog is drawn."""
_REDRAWN = (0.08, 0.15)
"""How long one that has no room for all of its rows is seen before it is drawn anew."""
_READ_PLAN = 0.04
"""How long the dialog of a plan is seen without the plan."""


class Interrupted(Exception):
    """Somebody pressed Esc while tools ran; what came of them is told."""

    def __init__(self, done: Sequence[Done]) -> None:
        super().__init__()
        self.done = done


@dataclass
class Using:
    session: Session
    face: Face
    uses: Sequence[ToolUse]
    _refused: dict[str, Done] = field(default_factory=dict[str, Done])
    _answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    _waiting: "list[asyncio.Task[Answer]]" = field(default_factory=list["asyncio.Task[Answer]"])

    async def do(self) -> list[Done]:
        """In the order they were asked for. Raises `Interrupted`."""
        for use in self.uses:
            self.face.uses(use)
            if (refusal := await self._refusal(use)) is not None:
                self._refused[use.id] = refusal
        await self._ask_all([use for use in self.uses if use.id not in self._refused and needs_permission(use, self.session)])
        done = [await self._finish(n, use) for n, use in enumerate(self.uses)]
        self.face.show(
            *blocks([each for each in done if each.status != "cancelled" and not self._is_hidden(each)], self.session.cwd)
        )
        return done

    async def _refusal(self, use: ToolUse) -> Done | None:
        if use.name not in self.session.tools:
            return failed(use, f'Tool "{use.name}" not found.')
        answers = await self.session.fire(
            "BeforeTool", {"tool_name": use.name, "tool_input": dict(use.input)}, subject=use.name
        )
        if denial := next((answer for answer in answers if answer.denies), None):
            return failed(use, denial.reason or "Tool execution was denied by a hook.")
        if (
            self.session.mode == "plan"
            and use.name in ("run_shell_command", "write_file", "replace")
            and not is_plan(use, self.session)
        ):
            return failed(use, f'Tool execution for "{use.name}" denied by policy. You are in Plan Mode.')
        return None

    # Asking

    async def _ask_all(self, uses: Sequence[ToolUse]) -> None:
        """An Esc is for the dialog that is seen, and for those behind it."""
        total = len(uses)
        async with asyncio.TaskGroup() as group:
            self._waiting = [group.create_task(self._ask(n, use, total)) for n, use in enumerate(uses)]
        for use, task in zip(uses, self._waiting, strict=True):
            self._answers[use.id] = task.result()

    async def _ask(self, place: int, use: ToolUse, total: int) -> Answer:
        await self.session.fire("Notification", notification(use, self.session.cwd), subject="ToolPermission")
        await asyncio.sleep(_DRAWN + self.session.faults.slow_dialog)
        if self._is_over():
            return Cancelled()
        answer = await self._answer(place, use, total)
        if _is_no(answer):
            self.face.dismiss()
        self.face.recount(self._count(total, answered=1))
        return answer

    async def _answer(self, place: int, use: ToolUse, total: int) -> Answer:
        dialog = dialog_for(use, self.session.cwd)
        async with asyncio.TaskGroup() as group:
            asked = group.create_task(self.face.ask(dialog, place=place, count=self._count(total)))
            if isinstance(dialog, PlanDialog):
                await self._read_plan(dialog, use)
            elif isinstance(dialog, Menu):
                await self._redraw(dialog)
        return asked.result()

    async def _redraw(self, dialog: Menu) -> None:
        for left, seen_for in enumerate(reversed(_REDRAWN)):
            dialog.unsettled = len(_REDRAWN) - left
            self.face.paint()
            await asyncio.sleep(seen_for)
        dialog.unsettled = 0
        self.face.paint()

    async def _read_plan(self, dialog: PlanDialog, use: ToolUse) -> None:
        await asyncio.sleep(_READ_PLAN)
        path = self.session.plans / as_text(use.input.get("plan_filename"))
        dialog.plan, dialog.is_read = shown(path.read_text() if path.is_file() else ""), True
        self.face.paint()

    def _count(self, total: int, answered: int = 0) -> str:
        number = sum(task.done() for task in self._waiting) + answered + 1
        return f"{min(number, total)} of {total}" if total > 1 else ""

    def _is_over(self) -> bool:
        """Was one of them cancelled?"""
        return any(task.done() and not task.cancelled() and _is_no(task.result()) for task in self._waiting)

    # Running

    async def _finish(self, n: int, use: ToolUse) -> Done:
        done = await self._done(n, use)
        self.face.used(done)
        return done

    async def _done(self, n: int, use: ToolUse) -> Done:
        if (refusal := self._refused.get(use.id)) is not None:
            return refusal
        answer = self._answers.get(use.id)
        if answer is not None and _is_no(answer):
            return cancelled(use)
        if answer == Chosen(ALWAYS):
            remember(use, self.session)
        if answer is not None and (settled := settle(use, answer, self.session)) is not None:
            return await self._told(settled)
        try:
            return await self._told(await run(use, self.session.cwd))
        except asyncio.CancelledError:
            if self.session.is_leaving:
                raise
            rest = [cancelled(each, INTERRUPTED) for each in self.uses[n:]]
            await self._told(rest[0])
            raise Interrupted(rest) from None

    async def _told(self, done: Done) -> Done:
        response = {"llmContent": done.response.get("output", done.response.get("error")), "returnDisplay": done.display}
        more: Table = {"tool_name": done.use.name, "tool_input": dict(done.use.input), "tool_response": response}
        await self.session.fire("AfterTool", more, subject=done.use.name)
        return done

    def _is_hidden(self, done: Done) -> bool:
        return done.use.name == "write_file" and is_plan(done.use, self.session)


def _is_no(answer: Answer) -> bool:
    return isinstance(answer, Cancelled) or answer == Chosen(NO)
