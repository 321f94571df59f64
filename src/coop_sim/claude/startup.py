"""The dialogs before the prompt box: trust, API key, bypass, and settings that cannot be used."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from coop_sim.claude.answers import Allow, Answer, Deny
from coop_sim.claude.flags import Options
from coop_sim.claude.home import Home
from coop_sim.claude.hook_config import HookConfig
from coop_sim.claude.keys import Key, Reply
from coop_sim.claude.menu import Dialog, Menu, Option, press_all
from coop_sim.claude.paint import Frame, Inline
from coop_sim.claude.projects import Server, imports_dialog, imports_of, server_dialog, server_of
from coop_sim.claude.terminal import Terminal
from coop_sim.claude.versions import Version

_CONFIRM = "Enter to confirm · Esc to cancel"
_TRUST = """ Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source
 project, or work from your team). If not, take a moment to review what's in this folder first.

 Claude Code'll be able to read, edit, and execute files here.

 Security guide
"""
_BYPASS = """  WARNING: Claude Code running in Bypass Permissions mode

  In Bypass Permissions mode, Claude Code will not ask for your approval before running potentially dangerous
  commands.
  This mode should only be used in a sandboxed container/VM that has restricted internet access and can easily be
  restored if damaged.

  By proceeding, you accept all responsibility for actions taken while running in Bypass Permissions mode.

  https://code.claude.com/docs/en/security
"""


@dataclass(frozen=True, slots=True)
class Started:
    """`code` is the exit code when a dialog ended it; `None` when the prompt box may come."""

    code: int | None = None
    was_asked: bool = False
    is_reporting: bool = False
    """The terminal answered the OSC 7501 probe meanwhile."""
    key_rejected: bool = False
    server: Server | None = None
    """The one of the project that may be started."""
    imports: tuple[Path, ...] = ()
    """The files outside that may be read."""


@dataclass
class Startup:
    terminal: Terminal
    options: Options
    inbox: "asyncio.Queue[tuple[Key, ...]]"
    _painter: Inline = field(default_factory=Inline)
    _started: Started = Started()

    async def run(self, hooks: HookConfig) -> Started:
        home = Home(self.options)
        refused = await self._trust(home)
        if refused is None:
            await self._api_key(home)
            refused = await self._bypass(home)
        if refused is None and hooks.problem is not None:
            answer = await self._ask(settings_dialog(hooks.problem))
            refused = 1 if answer == Deny() else None
        if refused is None:
            await self._project()
        return replace(self._started, code=refused)

    async def _project(self) -> None:
        folder, version = self.options.cwd.resolve(), self.options.version
        server, imports = server_of(folder), imports_of(folder)
        if server is not None and isinstance(await self._ask(server_dialog(server.name, version)), Allow):
            self._started = replace(self._started, server=server)
        if imports and isinstance(await self._ask(imports_dialog(imports, version)), Allow):
            self._started = replace(self._started, imports=imports)

    async def _trust(self, home: Home) -> int | None:
        folder, version = self.options.cwd.resolve(), self.options.version
        if home.trusts(folder) or self.options.env.get("CLAUDE_CODE_SANDBOXED"):
            return None
        match await self._ask(trust_dialog(str(folder), version)):
            case Allow():
                home.trust(folder)
                return None
            case Deny(feedback):
                return version.trust_cancel_code if feedback == "cancelled" else 1
            case _:
                return 1

    async def _api_key(self, home: Home) -> None:
        key = self.options.env.get("ANTHROPIC_API_KEY")
        verdict = home.key_verdict(key) if key else True
        if key and verdict is None:
            verdict = isinstance(await self._ask(key_dialog(key, self.options.version)), Allow)
            home.judge_key(key, approved=verdict)
        self._started = replace(self._started, key_rejected=not verdict)

    async def _bypass(self, home: Home) -> int | None:
        if self.options.mode != "bypassPermissions" or home.setting("skipDangerousModePermissionPrompt") is True:
            return None
        return None if isinstance(await self._ask(bypass_dialog(self.options.version)), Allow) else 1

    async def _ask(self, dialog: Dialog) -> Answer:
        if not self._started.was_asked:
            self.terminal.query()
            self._started = replace(self._started, was_asked=True)
        while True:
            self._paint(dialog.rows(self.terminal.size()[0]))
            keys = self._without_replies(await self.inbox.get())
            pressed, _ = press_all(dialog, keys, has_stale_focus=False)
            if isinstance(pressed, Answer):
                self._paint([])
                return pressed
            dialog = pressed

    def _paint(self, rows: list[str]) -> None:
        columns, height = self.terminal.size()
        self.terminal.write(self._painter.draw(Frame((), ["", "─" * columns, *rows] if rows else [""], (), columns, height)))

    def _without_replies(self, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        if any(is_7501(key) for key in keys):
            self._started = replace(self._started, is_reporting=True)
        return tuple(key for key in keys if not isinstance(key, Reply))


def is_7501(key: Key) -> bool:
    return isinstance(key, Reply) and key.text.startswith("\x1b]7501;?")


def _choice(heading: tuple[str, ...], yes: Option, no: Option, version: Version, *, no_first: bool, indent: int) -> Menu:
    options = (no, yes) if no_first else (yes, no)
    cancel = Deny("cancelled")
    return Menu(heading, options, _CONFIRM, cancel, numbered=version.numbers_start_dialogs, indent=indent)


def trust_dialog(folder: str, version: Version) -> Menu:
    heading = (" Accessing workspace:", "", f" {folder}", "", *_TRUST.split("\n"))
    yes, no = Option("Yes, I trust this folder", Allow()), Option("No, exit", Deny())
    return _choice(heading, yes, no, version, no_first=version.safe_start_default, indent=1)


def key_dialog(key: str, version: Version) -> Menu:
    shown = f"  ANTHROPIC_API_KEY: sk-ant-...{key[-20:]}"
    told = "  Detected a custom API key in your environment"
    heading = (told, "", shown, "", "  Do you want to use this API key?", "")
    yes, no = Option("Yes", Allow()), Option("No (recommended)", Deny())
    return replace(_choice(heading, yes, no, version, no_first=False, indent=2), focus=1)


def bypass_dialog(version: Version) -> Menu:
    yes, no = Option("Yes, I accept", Allow()), Option("No, exit", Deny())
    return _choice(tuple(_BYPASS.split("\n")), yes, no, version, no_first=True, indent=2)


def settings_dialog(problem: str) -> Menu:
    heading = (
        " Settings Error",
        "",
        f"  └ {problem}",
        "",
        " Files with errors are skipped entirely, not just the invalid settings.",
        "",
    )
    options = (
        Option("Fix with Claude", Allow()),
        Option("Exit and fix manually", Deny()),
        Option("Continue without these settings", Allow()),
    )
    return Menu(heading, options, _CONFIRM, Deny())
