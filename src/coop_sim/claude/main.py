"""`python -m coop_sim claude`: reads the flags, opens the session, and runs it on this terminal."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from coop_sim.claude.app import App, Ending, read_keys
from coop_sim.claude.errors import ERRORS
from coop_sim.claude.flags import BadFlags, Options, read_flags
from coop_sim.claude.hands import Hands
from coop_sim.claude.home import Home
from coop_sim.claude.hook_config import HookConfig, read_hooks
from coop_sim.claude.keys import Key, Keyboard
from coop_sim.claude.models import model_of
from coop_sim.claude.opening import Opened, open_session
from coop_sim.claude.printing import print_answer
from coop_sim.claude.stage import Stage
from coop_sim.claude.startup import Started, Startup
from coop_sim.claude.terminal import Terminal
from coop_sim.claude.turn import Conversation
from coop_sim.scenario import BadScenario, Scenario

SILENT = Scenario(title="Claude Code", default="I am a pretend Claude. You said: {prompt}")


def main(arguments: Sequence[str]) -> int:
    try:
        options = read_flags(arguments, dict(os.environ), Path.cwd())
        if options.shows_version:
            print(f"{options.version.number} (Claude Code)")
            return 0
        return _run(options)
    except (BadFlags, BadScenario) as problem:
        print(problem, file=sys.stderr)
        return 1


def _run(options: Options) -> int:
    scenario = _scenario(options.scenario) if options.scenario else SILENT
    home = Home(options)
    hooks = read_hooks(home.settings())
    opened = open_session(options, scenario, hooks)
    if options.prints:
        return asyncio.run(print_answer(opened))
    if not home.is_onboarded() and "ANTHROPIC_AUTH_TOKEN" not in options.env:
        raise BadFlags("Unable to connect to Anthropic services\n\nFailed to connect to api.anthropic.com: ERR_BAD_REQUEST")
    if not sys.stdin.isatty():
        raise BadFlags("Error: Input must be provided either through stdin or as a prompt argument when using --print")
    return asyncio.run(_interactive(opened, hooks))


def _scenario(path: Path) -> Scenario:
    # Whoever has no scenario does not wait for the reader of TOML.
    from coop_sim.scenario_file import read_scenario

    return read_scenario(path, SILENT, ERRORS)


def _terminal(options: Options) -> Terminal:
    env, home = options.env, Home(options)
    off = env.get("CLAUDE_CODE_NO_FLICKER") == "0" or "CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN" in env
    on = env.get("CLAUDE_CODE_NO_FLICKER") == "1"
    is_fullscreen = on or (options.version.is_fullscreen and not off and home.setting("tui") != "default")
    return Terminal(options.version, is_fullscreen, has_titles="CLAUDE_CODE_DISABLE_TERMINAL_TITLE" not in env)


async def _interactive(opened: Opened, hooks: HookConfig) -> int:
    terminal = _terminal(opened.session.options)
    inbox: asyncio.Queue[tuple[Key, ...]] = asyncio.Queue()
    app = _app(terminal, opened)
    terminal.open()
    asyncio.get_running_loop().add_reader(0, read_keys, 0, Keyboard(), inbox, lambda: app.end(129, "other"))
    try:
        started = await Startup(terminal, opened.session.options, inbox).run(hooks)
        if started.code is not None:
            return started.code
        ending = await _after_startup(app, opened, started, inbox)
        await _leave(opened, ending)
        return ending.code
    finally:
        terminal.close(farewell=_farewell(opened))


def _app(terminal: Terminal, opened: Opened) -> App:
    stage = Stage(terminal, opened.session, past=list(opened.past))
    app = App(stage, Conversation(opened.session, stage, model_of(opened.session)))
    app.on_keys = Hands(app).on_keys
    return app


async def _after_startup(app: App, opened: Opened, started: Started, inbox: "asyncio.Queue[tuple[Key, ...]]") -> Ending:
    stage, session = app.stage, opened.session
    session.imported = "\n".join(path.read_text() for path in started.imports if path.is_file())
    if started.server is not None:
        started.server.start(session.cwd)
    session.open()
    stage.open(reports=started.is_reporting and session.version.reports_state)
    if not started.was_asked or session.version.reports_state:
        stage.terminal.query(is_again=started.was_asked)
    app.on_signals()
    app.conversation.is_logged_in = not started.key_rejected
    if started.key_rejected:
        stage.notice = "Not logged in · Run /login"
    return await app.run(inbox, source=opened.source, first=session.options.prompt)


async def _leave(opened: Opened, ending: Ending) -> None:
    session = opened.session
    await session.fire("SessionEnd", {"reason": ending.reason}, subject=ending.reason)
    session.close()


def _farewell(opened: Opened) -> str:
    """How to come back; nothing when there is nothing to come back to."""
    session, options = opened.session, opened.session.options
    if not session.log.path.exists():
        return ""
    mode = f"--permission-mode {options.mode} " if options.mode and options.version.offers_auto else ""
    return f"\nResume this session with:\nclaude {mode}--resume {session.id}\n"
