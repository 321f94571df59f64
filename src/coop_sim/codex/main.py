"""`python -m coop_sim codex`: reads the flags and the configuration, opens the session, and runs it on this terminal."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from coop_sim.codex.app import App
from coop_sim.codex.blocks import Block, Prompted, Said
from coop_sim.codex.config import NAMES, read_config
from coop_sim.codex.errors import ERRORS
from coop_sim.codex.flags import VERSION, BadFlags, Options, read_flags
from coop_sim.codex.hands import Burst, Hands
from coop_sim.codex.history import text_of
from coop_sim.codex.keys import Keyboard
from coop_sim.codex.opening import Opened, open_session, renewed
from coop_sim.codex.printing import print_answer
from coop_sim.codex.session import Session
from coop_sim.codex.stage import Stage
from coop_sim.codex.startup import Startup
from coop_sim.codex.terminal import Terminal
from coop_sim.keys import Key
from coop_sim.scenario import BadScenario, Scenario

SILENT = Scenario(default="I am a pretend Codex. You said: {prompt}")
Inbox = asyncio.Queue[tuple[Key, ...]]


def main(arguments: Sequence[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it dies of its signals, and puts nothing back
    try:
        options = read_flags(arguments, dict(os.environ), Path.cwd())
        if options.shows_version:
            print(f"codex-cli {VERSION}")
            return 0
        return _run(options)
    except BadFlags as problem:
        print(problem, file=sys.stderr)
        return 2
    except BadScenario as problem:
        print(problem, file=sys.stderr)
        return 1


def _run(options: Options) -> int:
    scenario = _scenario(options.scenario) if options.scenario else SILENT
    opened = open_session(options, read_config(options), scenario)
    if options.is_headless:
        prompt = options.prompt or sys.stdin.read()
        return asyncio.run(print_answer(opened, prompt.strip()))
    if not sys.stdin.isatty():
        raise BadFlags("Error: stdin is not a terminal")
    return asyncio.run(_interactive(opened))


def _scenario(path: Path) -> Scenario:
    from coop_sim.scenario_file import read_scenario

    return read_scenario(path, SILENT, ERRORS)


async def _interactive(opened: Opened) -> int:
    session = opened.session
    terminal, inbox = Terminal(has_alt_screen=session.options.has_alt_screen), Inbox()
    gone = asyncio.Event()
    terminal.open()
    stage = Stage(terminal, session.options.cwd, NAMES.get(session.model, session.model), past=_past(session))
    stage.paint()
    asyncio.get_running_loop().add_reader(0, read_keys, 0, Keyboard(), inbox, gone.set)
    try:
        if not await Startup(terminal, session.options, session.config, inbox).run():
            return 0
        await _converse(stage, opened, inbox, gone)
        return 0
    finally:
        terminal.close(farewell=_farewell(session, stage.title))


async def _converse(stage: Stage, opened: Opened, inbox: Inbox, gone: asyncio.Event) -> None:
    session = opened.session
    config = replace(read_config(session.options), given=session.config.given)
    opened = renewed(opened, config)
    app = App(stage, session, opened.model, opened.retries)
    hands = Hands(app, Burst(config.bursts_are_pastes))
    stage.model = NAMES.get(session.model, session.model)
    stage.terminal.on_drained = stage.paint
    asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, stage.resized)
    stage.redraw()
    stage.ready()
    async with asyncio.TaskGroup() as group:
        helpers = [group.create_task(_feed(hands, inbox)), group.create_task(_leave(app, gone))]
        await app.run(session.options.prompt)
        for helper in helpers:
            helper.cancel()
    if not session.rollout.is_empty:
        await session.fire("SessionEnd", {"reason": "other"})


async def _feed(hands: Hands, inbox: Inbox) -> None:
    while True:
        hands.on_keys(await inbox.get())


async def _leave(app: App, gone: asyncio.Event) -> None:
    await gone.wait()
    app.end()


def read_keys(fd: int, keyboard: Keyboard, inbox: Inbox, gone: Callable[[], None]) -> None:
    """One read of the terminal; `gone` when there is nobody left to read from."""
    try:
        data = os.read(fd, 65536)
    except OSError:
        data = b""
    if not data:
        asyncio.get_running_loop().remove_reader(fd)
        gone()
    elif keys := keyboard.receive(data):
        inbox.put_nowait(keys)


def _past(session: Session) -> list[Block]:
    """What a session that goes on has said already."""
    found: list[Block] = []
    for item in session.history.items:
        text = text_of(item)
        if item.get("role") == "user" and not text.startswith("<"):
            found.append(Prompted(text))
        elif item.get("role") == "assistant":
            found.append(Said(text))
    return found


def _farewell(session: Session, title: str) -> str:
    """How to come back; nothing when there is nothing to come back to."""
    if session.rollout.is_empty:
        return ""
    total, came, went = (session.total.get(name, 0) for name in ("total_tokens", "input_tokens", "output_tokens"))
    told = f"Token usage: total={total:,} input={came:,} output={went:,}\n" if total else ""
    told += f"To continue this session, run:\n  \x1b[36mcodex resume {session.id}\x1b[39m\n"
    return told + (f"Or run \x1b[36mcodex resume\x1b[39m and select \x1b[36m{title}\x1b[39m.\n" if title else "")
