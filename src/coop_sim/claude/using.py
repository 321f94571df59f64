"""One tool use: hooks, a person's word where it is needed, the deed, and its record."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.asking import Asking
from coop_sim.claude.blocks import Block, Plain, Under
from coop_sim.claude.decisions import before_use
from coop_sim.claude.doing import approved_block, do, set_mode
from coop_sim.claude.face import Face
from coop_sim.claude.given import absolute
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.log_lines import REJECTED, tool_result_line
from coop_sim.claude.permissions import Need
from coop_sim.claude.session import Session
from coop_sim.claude.states import Working
from coop_sim.claude.strand import Strand
from coop_sim.claude.subagent import TOOLS as SUBAGENTS
from coop_sim.claude.tool_blocks import answered_blocks, finished_blocks, pending_block
from coop_sim.claude.tools import Ran
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_table, as_text

AFTER_ANSWER = 0.1
"""Measured: so long at least lies between an answer and the next question."""
Delegate = Callable[[ToolUse], Awaitable[Ran]]
"""Lets a subagent do it."""


@dataclass
class Using:
    session: Session
    face: Face
    use: ToolUse
    strand: Strand
    delegate: Delegate
    tool_id: str
    _is_recorded: bool = False
    _was_asked: bool = False

    async def run(self) -> bool:
        """False when the turn ends here: a person said no. Cancelled, it was interrupted, and `refuse` says so."""
        self.use = absolute(self.use, self.session)
        before = await self.fire("PreToolUse", {"tool_use_id": self.tool_id})
        match await self._verdict(before):
            case Deny() as deny:
                self._denied(deny)
                return not deny.ends_turn
            case Answered(answers, previews):
                await self._answered(dict(answers), previews)
            case Allow() as allow:
                self._update(allow.updated or {})
                await self._do(allow)
        return True

    async def _do(self, allow: Allow) -> None:
        session, use = self.session, self.use
        set_mode(allow.mode, use, session)
        if use.name != "ExitPlanMode":
            self.face.live(pending_block(use, session.version, session.cwd, ("Running…",)))
        ran = await (self.delegate(use) if use.name in SUBAGENTS else do(use, self.tool_id, session))
        self.face.live()
        if use.name == "ExitPlanMode":
            self.face.show(approved_block(use, session))
        else:
            self.face.show(*finished_blocks(use, ran, session.version, session.cwd, session.plan_file))
        await self.finish(ran, feedback=allow.feedback)

    async def fire(self, event: str, fields: Table) -> list[HookAnswer]:
        tool: Table = {"tool_name": self.use.name, "tool_input": dict(self.use.input)}
        answers = await self.session.fire(event, tool | fields, subject=self.use.name, besides=self.strand.fields)
        if event != "PermissionRequest":
            complaints = (answer.complaint(f"{event}:{self.use.name}") for answer in answers)
            self.face.show(*(Under((text,)) for text in complaints if text is not None))
        return answers

    async def _verdict(self, before: list[HookAnswer]) -> Answer:
        told = before_use(before, self._need(), self.use)
        if isinstance(told, Deny):
            return told
        need, updated = told
        self._update(updated)
        return await self._permission(need)

    def _need(self) -> Need:
        writes_plan = self.use.name == "Write" and self.use.input.get("file_path") == str(self.session.plan_file)
        return Need.NOTHING if writes_plan else self.session.rules().need(self.use)

    def _update(self, updated: Mapping[str, object]) -> None:
        if updated:
            self.use = replace(self.use, input=updated)

    async def _permission(self, need: Need) -> Answer:
        is_subagents = bool(self.strand.fields)
        awaits_hooks = is_subagents and self.session.version.draws_subagents_dialogs_last
        asking = Asking(self.session, self.face, self.use, self.fire, awaits_hooks=awaits_hooks)
        match need:
            case Need.NOTHING:
                return self._unasked()
            case Need.AUTO_CHECK:
                return await asking.unheard()
            case Need.ANSWER:
                self._was_asked = True
                return await asking.asked()

    def _unasked(self) -> Answer:
        answers = self.use.input.get("answers")
        if self.use.name == "AskUserQuestion":
            return Answered({question: as_text(answer) for question, answer in as_table(answers).items()})
        verb = {"Read": "Reading", "Write": "Writing"}.get(self.use.name)
        if verb and not self.session.asking:
            self.session.become(Working(f"{verb} {self._shown_path()}"))
        return Allow(mode="default" if self.use.name == "ExitPlanMode" else None)

    def _shown_path(self) -> str:
        path = Path(as_text(self.use.input.get("file_path")))
        for base, prefix in ((self.session.cwd, ""), (self.session.options.home, "~/")):
            if path.is_relative_to(base):
                return prefix + str(path.relative_to(base))
        return str(path)

    def _denied(self, deny: Deny) -> None:
        if deny.ends_turn:
            return  # all that did not run is refused at once
        self._record(Ran(deny.feedback, f"Error: {deny.feedback}", failed=True))
        self.face.live()
        self.face.show(self._refused_block(), Plain(f"  ⎿ \u00a0{deny.shown or deny.feedback}"))

    def refuse(self) -> None:
        """The turn ended before it ran."""
        if not self._is_recorded:
            self._record(Ran(REJECTED, "User rejected tool use", failed=True))
            self.face.show(self._refused_block())

    def _refused_block(self) -> Block:
        match self.use.name:
            case "AskUserQuestion":
                return Plain("● User declined to answer questions")
            case "ExitPlanMode":
                return Plain("● User rejected Claude's plan")
            case _:
                return pending_block(self.use, self.session.version, self.session.cwd, ())

    async def _answered(self, answers: dict[str, str], previews: Mapping[str, str]) -> None:
        self.use = replace(self.use, input={**self.use.input, "answers": answers})
        shown = {question: f" selected preview:\n{preview}" for question, preview in previews.items() if preview}
        pairs = ", ".join(f'"{question}"="{answer}"{shown.get(question, "")}' for question, answer in answers.items())
        told = f"Your questions have been answered: {pairs}. You can now continue with these answers in mind."
        self.face.show(*answered_blocks(answers))
        await self.finish(Ran(told, dict(self.use.input)))

    async def finish(self, ran: Ran, *, feedback: str = "") -> None:
        self._record(ran, feedback)
        timed: Table = {"tool_use_id": self.tool_id, "duration_ms": 1}
        if ran.failed:
            await self.fire("PostToolUseFailure", {"error": ran.content, "is_interrupt": False} | timed)
        else:
            await self.fire("PostToolUse", {"tool_response": ran.response} | timed)
        if self._was_asked:
            await asyncio.sleep(AFTER_ANSWER)

    def _record(self, ran: Ran, feedback: str = "") -> None:
        self._is_recorded = True
        prompt_id = self.session.prompt_id or ""
        line = tool_result_line(
            ran.content,
            tool_id=self.tool_id,
            prompt_id=prompt_id,
            is_error=ran.failed,
            response=ran.response,
            feedback=feedback,
        )
        self.strand.record(line)
