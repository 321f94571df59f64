"""One tool use: hooks, a person's word where it is needed, the deed, and its record."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.asking import blocked_by, dialog_for, hook_answer, suggestions
from coop_sim.claude.blocks import INTERRUPTED, Block, Plain, Under, Used
from coop_sim.claude.face import Face
from coop_sim.claude.hooks import BLOCKING, HookAnswer
from coop_sim.claude.log_lines import INTERRUPTED_TOOL, REJECTED, interrupt_line, tool_result_line
from coop_sim.claude.permissions import Need, to_remember
from coop_sim.claude.plans import plan_rows
from coop_sim.claude.requests import auto_dialog, auto_notice
from coop_sim.claude.scenario import ToolUse
from coop_sim.claude.session import Session
from coop_sim.claude.shapes import Table, as_table, as_text
from coop_sim.claude.states import Blocked, Working
from coop_sim.claude.tool_blocks import answered_blocks, finished_blocks, pending_block
from coop_sim.claude.tools import Ran, run_tool


@dataclass
class Using:
    session: Session
    face: Face
    use: ToolUse
    tool_id: str = field(default_factory=lambda: f"toolu_{uuid4().hex[:24]}")

    async def run(self) -> bool:
        """False when the turn ends here: a person said no. Cancelled, it was interrupted."""
        self.use = _absolute(self.use, self.session)
        try:
            return await self._run()
        except asyncio.CancelledError:
            self._denied("", ends_turn=True)
            raise

    async def _run(self) -> bool:
        before = await self._fire("PreToolUse", {"tool_use_id": self.tool_id})
        match await self._verdict(before):
            case Deny(feedback, ends_turn):
                self._denied(feedback, ends_turn=ends_turn)
                return not ends_turn
            case Answered(answers):
                await self._answered(dict(answers))
            case Allow() as allow:
                await self._allowed(allow)
        return True

    async def _fire(self, event: str, fields: Table) -> list[HookAnswer]:
        tool: Table = {"tool_name": self.use.name, "tool_input": dict(self.use.input)}
        answers = await self.session.fire(event, tool | fields, subject=self.use.name)
        if event != "PermissionRequest":
            complaints = (answer.complaint(f"{event}:{self.use.name}") for answer in answers)
            self.face.show(*(Under((text,)) for text in complaints if text is not None))
        return answers

    async def _verdict(self, before: list[HookAnswer]) -> Answer:
        need = self._need()
        for answer in before:
            decision = as_text(answer.specific.get("permissionDecision"))
            if decision == "deny" or answer.code == BLOCKING or answer.said.get("decision") == "block":
                reason = as_text(answer.specific.get("permissionDecisionReason")) or answer.reason
                return Deny(reason or "Blocked by hook", ends_turn=False)
            if decision == "ask":
                need = Need.ANSWER
            if decision == "allow":
                updated = answer.specific.get("updatedInput")
                self._update(as_table(updated))
                asked_anyway = self.use.name in ("AskUserQuestion", "ExitPlanMode") and updated is None
                need = need if asked_anyway else Need.NOTHING
        return await self._permission(need)

    def _need(self) -> Need:
        writes_plan = self.use.name == "Write" and self.use.input.get("file_path") == str(self.session.plan_file)
        return Need.NOTHING if writes_plan else self.session.rules().need(self.use)

    def _update(self, updated: Mapping[str, object]) -> None:
        if updated:
            self.use = replace(self.use, input=updated)

    async def _permission(self, need: Need) -> Answer:
        match need:
            case Need.NOTHING:
                return self._unasked()
            case Need.AUTO_CHECK:
                return await self._unheard()
            case Need.ANSWER:
                return await self._asked()

    def _unasked(self) -> Answer:
        answers = self.use.input.get("answers")
        if self.use.name == "AskUserQuestion":
            return Answered({question: as_text(answer) for question, answer in as_table(answers).items()})
        verb = {"Read": "Reading", "Write": "Writing"}.get(self.use.name)
        if verb:
            self.session.become(Working(f"{verb} {self._shown_path()}"))
        return Allow(mode="default" if self.use.name == "ExitPlanMode" else None)

    def _shown_path(self) -> str:
        path = Path(as_text(self.use.input.get("file_path")))
        for base, prefix in ((self.session.cwd, ""), (self.session.options.home, "~/")):
            if path.is_relative_to(base):
                return prefix + str(path.relative_to(base))
        return str(path)

    async def _unheard(self) -> Answer:
        """Auto mode that cannot check: dialogs no hook is told of."""
        self.session.become(Blocked("dialog open"))
        first = await self.face.ask(auto_notice(self.face.columns))
        if isinstance(first, Deny):
            self.session.mode = first.feedback or self.session.mode
            return Deny()
        self.session.become(blocked_by(self.use, self.session.version))
        return await self.face.ask(auto_dialog(self.use, self.face.columns))

    async def _asked(self) -> Answer:
        """A person and the PermissionRequest hooks are asked at once; the first answer wins, and the other is dropped."""
        if self.session.options.prints:
            return await self._asked_on_paper()
        is_talk = self.use.name in ("AskUserQuestion", "ExitPlanMode")
        pending = pending_block(self.use, self.session.version, self.session.cwd, self._waiting())
        self.face.live(*([] if is_talk else [pending]))
        self.session.become(blocked_by(self.use, self.session.version))
        dialog = dialog_for(self.use, self.session, self.face.columns)
        async with asyncio.TaskGroup() as race:
            person = race.create_task(self.face.ask(dialog))
            hooks = race.create_task(self._fire("PermissionRequest", suggestions(self.use)))
            await asyncio.wait({person, hooks}, return_when=asyncio.FIRST_COMPLETED)
            told = None if person.done() else hook_answer(hooks.result(), self.use, self.session.version)
            if told is None:
                await asyncio.wait({person})
            person.cancel()
            hooks.cancel()
        return told if told is not None else person.result()

    async def _asked_on_paper(self) -> Answer:
        """Nobody is there to answer; only since 2.1.325 are the hooks asked."""
        hears = self.session.version.offers_auto
        told = await self._fire("PermissionRequest", suggestions(self.use)) if hears else []
        return hook_answer(told, self.use, self.session.version) or Deny("This command requires approval", ends_turn=False)

    def _waiting(self) -> tuple[str, ...]:
        return ("Waiting…",) if self.use.name == "Bash" else ()

    def _denied(self, feedback: str, *, ends_turn: bool) -> None:
        told = feedback if feedback and not ends_turn else REJECTED
        self._log(Ran(told, "User rejected tool use" if ends_turn else f"Error: {told}", failed=True))
        shown = self._refused_block()
        if not ends_turn:
            self.face.show(shown, Plain(f"  ⎿ \u00a0{feedback}"))
            self.session.become(Working())
            return
        self.face.show(shown, INTERRUPTED)
        self.session.log.chain(interrupt_line(INTERRUPTED_TOOL, prompt_id=self.session.prompt_id or ""))

    def _refused_block(self) -> Block:
        match self.use.name:
            case "AskUserQuestion":
                return Plain("● User declined to answer questions")
            case "ExitPlanMode":
                return Plain("● User rejected Claude's plan")
            case _:
                return pending_block(self.use, self.session.version, self.session.cwd, ())

    async def _answered(self, answers: dict[str, str]) -> None:
        self.session.become(Working())
        self.use = replace(self.use, input={**self.use.input, "answers": answers})
        pairs = ", ".join(f'"{question}"="{answer}"' for question, answer in answers.items())
        told = f"Your questions have been answered: {pairs}. You can now continue with these answers in mind."
        self.face.show(*answered_blocks(answers))
        await self._finish(Ran(told, dict(self.use.input)))

    async def _allowed(self, allow: Allow) -> None:
        self._update(allow.updated or {})
        self._set_mode(allow.mode)
        if isinstance(self.session.state, Blocked):
            self.session.become(Working())
        if self.use.name == "ExitPlanMode":
            await self._plan_approved()
            return
        self.face.live(pending_block(self.use, self.session.version, self.session.cwd, ("Running…",)))
        ran = await run_tool(self.use, self.session.cwd)
        session = self.session
        self.face.show(*finished_blocks(self.use, ran, session.version, session.cwd, session.plan_file))
        await self._finish(ran, feedback=allow.feedback)

    def _set_mode(self, mode: str | None) -> None:
        if mode == "remember":
            self.session.remembered |= set(to_remember(as_text(self.use.input.get("command"))))
            # In 2.1.197 "always allow" also turned the session to accept edits.
            mode = None if self.session.version.offers_auto else "acceptEdits"
        if mode is not None and mode != self.session.mode:
            self.session.mode = mode
            self.session.log.note({"type": "permission-mode", "permissionMode": mode})

    async def _plan_approved(self) -> None:
        plan, path = as_text(self.use.input.get("plan")), self.session.plan_file
        shown = f"~/{path.relative_to(self.session.options.home)}" if path.is_relative_to(self.session.options.home) else path
        self.face.show(Used("User approved Claude's plan", (f"Plan saved to: {shown} · /plan to edit", *plan_rows(plan))))
        response: Table = {"plan": plan, "isAgent": False, "filePath": str(path), "planWasEdited": False}
        await self._finish(Ran(f"User has approved your plan. You can now start coding.\n\n{plan}", response))

    async def _finish(self, ran: Ran, *, feedback: str = "") -> None:
        self._log(ran, feedback)
        timed: Table = {"tool_use_id": self.tool_id, "duration_ms": 1}
        if ran.failed:
            await self._fire("PostToolUseFailure", {"error": ran.content, "is_interrupt": False} | timed)
        else:
            await self._fire("PostToolUse", {"tool_response": ran.response} | timed)

    def _log(self, ran: Ran, feedback: str = "") -> None:
        prompt_id = self.session.prompt_id or ""
        line = tool_result_line(
            ran.content,
            tool_id=self.tool_id,
            prompt_id=prompt_id,
            is_error=ran.failed,
            response=ran.response,
            feedback=feedback,
        )
        self.session.log.chain(line)


def _absolute(use: ToolUse, session: Session) -> ToolUse:
    """Paths as the real model gives them; ExitPlanMode gets the plan from its file, or leaves it there."""
    given = dict(use.input)
    if "file_path" in given:
        path = as_text(given["file_path"]).replace("{plan_file}", str(session.plan_file))
        given["file_path"] = str(session.cwd / path)
    if use.name == "ExitPlanMode":
        _keep_plan(given, session.plan_file)
    return replace(use, input=given)


def _keep_plan(given: Table, path: Path) -> None:
    if plan := as_text(given.get("plan")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plan)
    if path.exists():
        given |= {"plan": path.read_text(), "planFilePath": str(path)}
