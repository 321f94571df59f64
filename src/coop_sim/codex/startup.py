"""The dialogs before the composer: login, trust, hooks that somebody should look at, a newer model."""

import asyncio
from dataclasses import dataclass, field

from coop_sim.codex.config import NAMES, Config, repository
from coop_sim.codex.flags import Options
from coop_sim.codex.hook_config import Hook, fingerprint, read_hooks
from coop_sim.codex.menu import Chosen, Menu, Option
from coop_sim.codex.paint import Frame, Painter
from coop_sim.codex.terminal import Terminal
from coop_sim.keys import Key, Reply

QUIT = "quit"
_TRUST = (
    "Trust this folder? Codex can read, edit, and run files here, subject to your permission settings. Folder settings can run "
    "code automatically, even without a model request. Continue only if you trust these files. Your trust decision will be saved."
)


@dataclass
class Startup:
    terminal: Terminal
    options: Options
    config: Config
    inbox: "asyncio.Queue[tuple[Key, ...]]"
    _painter: Painter = field(default_factory=Painter)

    async def run(self) -> bool:
        """May it begin? What was answered is kept in the configuration."""
        if self.config.needs_login:
            return await self._without_mouse(login_dialog()) != QUIT
        return await self._trust() and await self._hooks() and await self._model()

    async def _trust(self) -> bool:
        folder = self.options.cwd
        if self.config.trusts(folder) or repository(folder) is None or self.options.bypasses_approvals:
            return True
        if await self._without_mouse(trust_dialog(str(folder))) == QUIT:
            return False
        self.config.write(f'projects."{folder}"', "trust_level", "trusted")
        return True

    async def _hooks(self) -> bool:
        new = [hook for hook in read_hooks(self.config, self.options) if not hook.is_trusted]
        chosen = await self._ask(hooks_dialog(len(new))) if new else ""
        if chosen == "trust":
            self._keep(new)
        return chosen != QUIT

    def _keep(self, hooks: list[Hook]) -> None:
        for hook in hooks:
            self.config.write(f'hooks.state."{hook.key}"', "trusted_hash", fingerprint(hook))

    async def _model(self) -> bool:
        newer = self.config.migration()
        if newer is None:
            return True
        chosen = await self._ask(model_dialog(NAMES[newer]))
        if chosen == "old":
            self.config.write("notice.model_migrations", self.config.model, newer)
        elif chosen == "new":
            self.config.given["model"] = newer
        return chosen != QUIT

    async def _without_mouse(self, menu: Menu) -> str:
        self.terminal.mouse(wanted=False)
        chosen = await self._ask(menu)
        self.terminal.mouse(wanted=True)
        return chosen

    async def _ask(self, menu: Menu) -> str:
        while True:
            self._paint(menu)
            for key in await self.inbox.get():
                pressed = menu if isinstance(key, Reply) else menu.press(key)
                if isinstance(pressed, Chosen):
                    return pressed.name
                menu = pressed

    def _paint(self, menu: Menu) -> None:
        columns, height = self.terminal.size()
        rows = ["", *menu.rows(columns)[0]]
        padded = [*rows, *[""] * (height - len(rows))][:height]
        self.terminal.write(self._painter.draw(Frame(padded, None), columns))


def trust_dialog(folder: str) -> Menu:
    options = (Option("trust", "Trust and continue"), Option(QUIT, "Quit", "n"))
    heading = ("Folder access", folder, "", _TRUST, "")
    return Menu(heading, options, "enter continue · esc quit", QUIT, acts_at_once=frozenset({2}), moves=False)


def hooks_dialog(count: int) -> Menu:
    are = "hook is" if count == 1 else "hooks are"
    heading = ("Hooks need review", f"{count} {are} new or changed.", "Hooks can run outside the sandbox after you trust them.")
    options = (
        Option("review", "Review hooks"),
        Option("trust", "Trust all and continue"),
        Option("skip", "Continue without trusting (hooks won't run)"),
    )
    return Menu((*heading, "", ""), options, "enter confirm · esc skip", "skip", acts_at_once=frozenset({1, 3}), ctrl_c=QUIT)


def model_dialog(name: str) -> Menu:
    heading = (f"Meet {name}", "", "A newer model than the one that is configured.", "")
    options = (Option("new", "Try new model"), Option("old", "Use existing model"))
    return Menu(heading, options, "enter/esc confirm · ^c quit", "new", ctrl_c=QUIT)


def login_dialog() -> Menu:
    heading = ("Welcome to Codex, OpenAI's command-line coding agent", "", "Choose how you want to use Codex.", "")
    options = (
        Option(QUIT, "Sign in with ChatGPT", under="Usage included with Plus, Pro, Business, and Enterprise plans"),
        Option(QUIT, "Sign in with Device Code", under="Sign in from another device with a one-time code"),
        Option(QUIT, "Use an OpenAI API key", under="Pay for what you use"),
        Option(QUIT, "Use Amazon Bedrock", under="Connect using your AWS credentials"),
    )
    return Menu(heading, options, "Press enter to continue", QUIT, acts_at_once=frozenset(), pointer=">")
