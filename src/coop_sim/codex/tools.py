"""What the model's tools do, a person's word where it is needed included."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.codex.blocks import Listed, Plain, cut_command, ran
from coop_sim.codex.face import Face
from coop_sim.codex.hooks import HookAnswer
from coop_sim.codex.lines import command_execution, verified_answer
from coop_sim.codex.menu import Chosen, Dialog
from coop_sim.codex.patch import BadPatch, Change, changes_in
from coop_sim.codex.questions import INTERRUPT, Questions, questions_in
from coop_sim.codex.requests import command_dialog, patch_dialog
from coop_sim.codex.session import Session
from coop_sim.codex.shells import Shell, Shells
from coop_sim.shapes import Table, as_number, as_text, read_table

_YIELD = 10_000.0
_SHOWN_CHANGES = 3


class Denied(Exception):
    """A person said no: that ends the turn, and everything else it asks."""


class Blocked(Exception):
    """A hook said no: the model is told so, and goes on."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Tools:
    session: Session
    face: Face
    shells: Shells
    _remembered: set[str] = field(default_factory=set[str])
    """Commands, and files, that need not be asked for again."""

    async def use(self, call: Table) -> str:
        """What the model is told. Raises `Denied`."""
        name = as_text(call.get("name"))
        tools: dict[str, Callable[[Table], Awaitable[str]]] = {
            "exec_command": self._exec,
            "write_stdin": self._write,
            "apply_patch": self._patch,
            "request_user_input": self._ask,
        }
        tool = tools.get(name)
        return await tool(call) if tool else f"unsupported call: {name}"

    # Commands

    async def _exec(self, call: Table) -> str:
        given = read_table(as_text(call.get("arguments")))
        command, is_escalated = as_text(given.get("cmd")), given.get("sandbox_permissions") == "require_escalated"
        asked: Table = {"command": command}
        try:
            await self._before(call, "Bash", asked)
            if is_escalated and self._needs_word(command):
                await self._permission_to_run(command, as_text(given.get("justification")))
        except Blocked as blocked:
            return f'exec_command failed: CreateProcess {{ message: "Rejected(\\"{blocked.reason}\\")" }}'
        told = await self._run(call, command, given, is_sandboxed=not is_escalated)
        await self._after(call, "Bash", asked, told)
        return told

    def _needs_word(self, what: str) -> bool:
        options = self.session.options
        return not options.bypasses_approvals and not any(what.startswith(each) for each in self._remembered)

    async def _permission_to_run(self, command: str, reason: str) -> None:
        if self.session.options.approval == "never":
            raise Blocked("approval policy is Never; reject command")
        self.face.live(Plain(f"• Running {command}"))
        described: Table = {"command": command, **({"description": reason} if reason else {})}
        chosen = await self._permission("Bash", described, command_dialog(command, reason))
        if chosen.name == "no":
            self.face.show(Plain(f"✗ You canceled the request to run {cut_command(command)}"))
            raise Denied
        if chosen.name == "always":
            self._remembered.add(command)
        if chosen.name != "hook":
            self.face.show(Plain(f"✔ You approved codex to run {cut_command(command)} {_how_often(chosen.name)}"))

    async def _permission(self, tool: str, asked: Table, dialog: Dialog) -> Chosen:
        """By a hook, or by the person. Raises `Blocked`."""
        answers = await self.session.fire("PermissionRequest", {"tool_name": tool, "tool_input": asked}, subject=tool)
        for answer in answers:
            match answer.decision:
                case {"behavior": "allow"}:
                    return Chosen("hook")
                case {"behavior": "deny", **rest}:
                    self._blocked(as_text(rest.get("message"), "blocked by hook"))
                case _:
                    pass
        return await self.face.ask(dialog, "permission", is_held_back=True, delay=self.session.faults.slow_dialog)

    async def _run(self, call: Table, command: str, given: Table, *, is_sandboxed: bool) -> str:
        self.face.live(Plain(f"• Running {command}"))
        shell = await self.shells.start(as_text(call.get("call_id")), command, is_sandboxed=is_sandboxed)
        told = await shell.report(as_number(given.get("yield_time_ms"), _YIELD) / 1000)
        self.face.live()
        if shell.code is not None:
            self.face.show(ran("Ran" if shell.code == 0 else f"Exited (status {shell.code})", command, shell.output))
        return told

    async def _write(self, call: Table) -> str:
        given = read_table(as_text(call.get("arguments")))
        shell = self.shells.write(int(as_number(given.get("session_id"), 0)), as_text(given.get("chars")))
        if shell is None:
            return f"write_stdin failed: Unknown process id {given.get('session_id')}"
        return await shell.report(as_number(given.get("yield_time_ms"), 250.0) / 1000)

    # Patches

    async def _patch(self, call: Table) -> str:
        patch = as_text(call.get("input")) or as_text(read_table(as_text(call.get("arguments"))).get("input"))
        changes, asked = changes_in(patch), {"command": patch.strip()}
        try:
            await self._before(call, "apply_patch", dict[str, object](asked))
            self.face.show(*(_change_block(change, self.session.options.cwd) for change in changes))
            if self.session.options.sandbox == "read-only" and self._needs_word(_files(changes)):
                await self._permission_to_change(changes, dict[str, object](asked))
        except Blocked as blocked:
            return f"patch rejected: {blocked.reason}"
        told = self._apply(as_text(call.get("call_id")), changes)
        await self._after(call, "apply_patch", dict[str, object](asked), told)
        return told

    async def _permission_to_change(self, changes: list[Change], asked: Table) -> None:
        if self.session.options.approval == "never":
            raise Blocked("writing outside of the project; rejected by user approval settings")
        chosen = await self._permission("apply_patch", asked, patch_dialog(changes, self.session.options.cwd))
        if chosen.name == "no":
            raise Denied
        if chosen.name == "always":
            self._remembered.add(_files(changes))

    def _apply(self, call: str, changes: list[Change]) -> str:
        cwd = self.session.options.cwd
        try:
            for change in changes:
                change.apply(cwd)
        except (BadPatch, OSError) as problem:
            return f"apply_patch verification failed: {problem}"
        listed = "".join(f"{change.letter} {change.path}\n" for change in changes)
        done = f"Success. Updated the following files:\n{listed}"
        told = {str(cwd / change.path): change.told() for change in changes}
        item: Table = {"type": "FileChange", "id": call, "changes": told, "status": "completed", "stdout": done, "stderr": ""}
        self.session.finished(item)
        return f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\n{done}"

    # Questions

    async def _ask(self, call: Table) -> str:
        given = read_table(as_text(call.get("arguments")))
        try:
            await self._before(call, "request_user_input", given)
        except Blocked as blocked:
            return f"request_user_input failed: {blocked.reason}"
        session = self.session
        if session.mode != "plan" and "default_mode_request_user_input" not in session.options.features:
            return "request_user_input is unavailable in Default mode"
        questions = questions_in(given)
        chosen = await self.face.ask(Questions(questions), "question", delay=session.faults.slow_dialog)
        if chosen.name == INTERRUPT:
            raise Denied
        pairs = [(question.text, chosen.answers[question.id]) for question in questions]
        texts = [(text, answers[0]) for text, answers in pairs]
        session.record("retained_context", verified_answer(session.turn, as_text(call.get("call_id")), texts))
        self.face.show(_answered_block(pairs))
        told = json.dumps(
            {"answers": {name: {"answers": list(each)} for name, each in chosen.answers.items()}}, ensure_ascii=False
        )
        await self._after(call, "request_user_input", given, told)
        return told

    # Hooks

    async def _before(self, call: Table, tool: str, asked: Table) -> None:
        """Raises `Blocked`."""
        fields: Table = {"tool_name": tool, "tool_input": asked, "tool_use_id": call.get("call_id")}
        for answer in await self.session.fire("PreToolUse", fields, subject=tool):
            if answer.blocks:
                self._blocked(answer.reason)
            complain(self.face, answer)

    def _blocked(self, reason: str) -> None:
        self.face.live()
        self.face.show(Listed("• Blocked by hook", reason.split("\n")))
        raise Blocked(reason)

    async def _after(self, call: Table, tool: str, asked: Table, told: str) -> None:
        fields: Table = {"tool_name": tool, "tool_input": asked, "tool_response": told, "tool_use_id": call.get("call_id")}
        for answer in await self.session.fire("PostToolUse", fields, subject=tool):
            complain(self.face, answer)


def complain(face: Face, answer: HookAnswer) -> None:
    if (complaint := answer.complaint) is not None:
        face.show(Listed("• Hook failed", [complaint]))
    if words := as_text(answer.said.get("systemMessage")):
        face.show(Plain(f"↳ Hook · {words}"))


def executed(session: Session, shell: Shell) -> None:
    """A command has come to its end, in its turn or after it."""
    cwd = session.options.cwd
    session.finished(command_execution(shell.call, shell.command, cwd, shell.code or 0, shell.output))


def _how_often(name: str) -> str:
    return "every time this session" if name == "always" else "this time"


def _files(changes: list[Change]) -> str:
    """Stands for the files of a patch where commands are remembered too."""
    return "\0".join(["patch", *(change.path for change in changes)])


def _change_block(change: Change, cwd: Path) -> Listed:
    shown = change.numbered(cwd)[:_SHOWN_CHANGES]
    return Listed(f"• {change.heading()}", [*shown, "+ Show details"], first="    ")


def _answered_block(pairs: list[tuple[str, tuple[str, ...]]]) -> Listed:
    below: list[str] = []
    for question, (answer, *notes) in pairs:
        below += [f"• {question}", f"  answer: {answer}", *(f"  note: {note.removeprefix('user_note: ')}" for note in notes)]
    return Listed(f"• Questions {len(pairs)}/{len(pairs)} answered", below, first="  ", rest="  ")
