"""All that coop must know of Parrot."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from coop.agents import Agent, Record, Script
from coop.agents.hints import read_status
from coop.model.commands import Nudge, Reason, Refused, Respond, Stroke
from coop.model.ids import PromptId
from coop.model.launch import Disk, Launch, Prepared, SessionPlaces
from coop.model.prompt import Permission, Prompt
from coop.model.readings import Composer, Heard, Learned, Readings, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import Idle, Prompted, Working


def prepare(launch: Launch, places: SessionPlaces, disk: Disk) -> Prepared:
    log = f"{places.files}/parrot.jsonl"
    return Prepared(replace(launch, env={**launch.env, "PARROT_LOG": log}), {log: b""}, log=log, log_root=places.files)


def read_log(record: Record) -> Readings:
    match record:
        case {"heard": str(text)}:
            return (Heard(text), Says(Working()))
        case {"rests": True, "version": str(version)}:
            return (Says(Idle()), Learned(version=version))
    return ()


def read_screen(screen: ScreenSnapshot) -> ScreenReading:
    last = next((line for line in reversed(screen.lines) if line.strip()), "")
    if asked := re.match(r"May I write (\S+)\? \[y/n\]", last):
        return ScreenReading(Says(Prompted(Permission(PromptId(""), "Write", {"file_path": asked[1]}, ("y", "n"), (last,)))))
    if last.startswith("parrot>"):
        return ScreenReading(Says(Idle()), Composer(last.removeprefix("parrot>").strip()))
    return ScreenReading(Says(Working()) if last else None)


def type_nudge(nudge: Nudge) -> Script:
    view = yield Stroke(b"")  # a look: nothing is typed blindly
    if view.reading.composer is None or view.draft:
        return Refused(Reason.AGENT_BUSY, "Parrot is not at an empty prompt; nothing was typed", view.state)
    if not nudge.message.isprintable() or not nudge.message.strip():
        return Refused(Reason.BAD_COMMAND, "message: expected one line; Parrot repeats no other")
    yield Stroke(nudge.message.encode() + b"\r")
    return None


def type_answer(respond: Respond, prompt: Prompt) -> Script:
    view = yield Stroke(b"")
    if not isinstance(view.state, Prompted) or view.state.prompt.screen_lines != prompt.screen_lines:
        return Refused(Reason.PROMPT_CHANGED, "another question is on the screen; nothing was typed", view.state)
    if respond.accept is None:
        return Refused(Reason.BAD_COMMAND, "body: expected accept; Parrot takes yes and no only")
    yield Stroke(b"y\r" if respond.accept else b"n\r")
    return None


def parrot(dialogs: Mapping[str, object] | None = None, *, source: str = "") -> Agent:
    return Agent(
        name="parrot",
        commands=("parrot",),
        prepare=prepare,
        read_log=read_log,
        read_report=partial(read_status, app="parrot"),
        read_screen=read_screen,
        type_nudge=type_nudge,
        type_answer=type_answer,
        is_same=lambda sent, heard: sent.strip() == heard,
        tested=("1.0",),
    )
