"""`python -m coop_sim gemini`: reads the flags, opens the session, and runs it on this terminal."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from coop_sim.gemini.app import App, read_keys
from coop_sim.gemini.flags import UNTRUSTED, BadFlags, Options, read_flags
from coop_sim.gemini.hands import Hands
from coop_sim.gemini.home import Home
from coop_sim.gemini.keys import Key, Keyboard
from coop_sim.gemini.launcher import launch
from coop_sim.gemini.layout import banner
from coop_sim.gemini.models import model_of
from coop_sim.gemini.printing import print_answer
from coop_sim.gemini.session import Session, open_session
from coop_sim.gemini.stage import Stage, tick
from coop_sim.gemini.startup import Startup, notices
from coop_sim.gemini.terminal import Terminal
from coop_sim.scenario import BadScenario

_NOT_TRUSTED = (
    "Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the "
    "`GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode."
)


def main(arguments: Sequence[str]) -> int:
    try:
        options = read_flags(arguments, dict(os.environ), Path.cwd())
        if options.shows_version:
            print(options.version)
            return 0
        return _run(options)
    except (BadFlags, BadScenario) as problem:
        print(problem, file=sys.stderr)
        return problem.code if isinstance(problem, BadFlags) else 1


def _run(options: Options) -> int:
    if options.prompt is not None or not sys.stdin.isatty():
        if Home(options).trust() is not True:
            raise BadFlags(_NOT_TRUSTED, UNTRUSTED)
        session = _session(options)
        return asyncio.run(print_answer(session, model_of(session)))
    if options.env.get("GEMINI_CLI_NO_RELAUNCH") == "true":
        return asyncio.run(_interactive(_session(options), None))
    _session(options)  # what is wrong is said before anything is started
    return launch(lambda watched: asyncio.run(_interactive(_session(options), watched)))


def _session(options: Options) -> Session:
    home = Home(options)
    return open_session(options, home, home.settings())


async def _interactive(session: Session, watched: int | None) -> int:
    terminal = Terminal(place=session.cwd.name)
    inbox: asyncio.Queue[tuple[Key, ...]] = asyncio.Queue()
    stage = Stage(terminal, session)
    app = App(stage, model_of(session))
    terminal.query()
    _listen(app, inbox, watched)
    try:
        stage.open()
        code = await _start(app, inbox)
        if code is None:
            await app.run(inbox, Hands(app).on_keys)
            await _leave(session, times=2 if watched is None else 3)
        return code or 0
    finally:
        terminal.close()


def _listen(app: App, inbox: "asyncio.Queue[tuple[Key, ...]]", watched: int | None) -> None:
    loop = asyncio.get_running_loop()
    loop.add_reader(0, read_keys, 0, Keyboard(), inbox, app.end)
    if watched is not None:
        loop.add_reader(watched, app.end)
    app.on_signals()


async def _start(app: App, inbox: "asyncio.Queue[tuple[Key, ...]]") -> int | None:
    """Dialogs first. The exit code when it goes no further."""
    stage, session = app.stage, app.stage.session
    is_bright = session.options.env.get("COLORTERM") == "truecolor"
    told = notices(session.settings.warnings, is_trusted=session.is_trusted, is_bright=is_bright)
    signed_in = session.settings.get("security", "auth", "selectedType") is not None
    tips = session.settings.get("ui", "hideTips") is not True
    stage.head = banner(session.options.version, is_signed_in=signed_in, has_tips=tips, notices=told)
    asking = asyncio.ensure_future(Startup(stage).ask())
    others = [asyncio.ensure_future(work) for work in (_hands(app, inbox), tick(stage))]
    try:
        code = await asking
    finally:
        for other in others:
            other.cancel()
    if code is None:
        session.open()
        if session.options.first is not None:
            app.submit(session.options.first)
    return code


async def _hands(app: App, inbox: "asyncio.Queue[tuple[Key, ...]]") -> None:
    """Only dialogs hear anything before it has begun."""
    while True:
        for key in await inbox.get():
            if app.stage.dialog is not None:
                app.stage.press(key)


async def _leave(session: Session, *, times: int) -> None:
    """The real one tells it so often."""
    for _ in range(times):
        await session.fire("SessionEnd", {"reason": "exit"}, subject="exit")
