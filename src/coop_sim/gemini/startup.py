"""What is asked before the first prompt: whether the folder is trusted, and how to sign in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from coop_sim.gemini.boxes import box
from coop_sim.gemini.dialogs import Answer, Cancelled, Chosen, Menu, Typed
from coop_sim.gemini.home import DO_NOT_TRUST, TRUST_FOLDER, TRUST_PARENT
from coop_sim.gemini.keys import ENTER, ESC, Key, Named, Paste, Text
from coop_sim.gemini.stage import Stage

RELAUNCH = 199
"""The exit code that asks for another start."""
_ABANDONED = 130
_RESTART = 0.3
"""So long it takes to end for that."""
_TRUSTING = (
    "Trusting a folder allows Gemini CLI to load its local configurations, including custom commands, hooks, MCP "
    "servers, agent skills, and settings. These configurations could execute code on your behalf or change the behavior "
    "of the CLI."
)
_RESTARTING = " Gemini CLI is restarting to apply the trust changes..."
_WAYS = ("Sign in with Google", "Use Gemini API Key", "Vertex AI")
_DETECTED = 'Existing API key detected (GEMINI_API_KEY). Select "Gemini API Key" option to use it.'
_TERMS = ("Terms of Services and Privacy Notice for Gemini CLI", "", "https://geminicli.com/docs/resources/tos-privacy/", "")


@dataclass
class WayDialog:
    """How to sign in."""

    has_key: bool
    menu: Menu

    def rows(self, columns: int, count: str) -> list[str]:
        options = [f"  {'●' if n == self.menu.at else ' '} {n + 1}. {way}" for n, way in enumerate(_WAYS)]
        found = [f"  {_DETECTED}", ""] if self.has_key else []
        below = [f"  {row}" for row in ("(Use Enter to select)", "", *_TERMS)]
        question = "  How would you like to authenticate for this project?"
        return box(["", "? Get started", "", question, "", *options, "", *found, *below], columns)

    def press(self, key: Key) -> Answer | None:
        answer = self.menu.press(key)
        return answer if answer == Chosen(_WAYS[1]) else None  # the others need a browser, and Esc does nothing


@dataclass
class KeyDialog:
    """The key itself; the one of the environment is taken when none is given."""

    has_key: bool
    key: str = ""

    def rows(self, columns: int, count: str) -> list[str]:
        field = box([self.key or "Paste your API key here"], columns - 4)
        found = [_DETECTED, ""] if self.has_key else []
        words = (
            "Please enter your Gemini API key. It will be securely stored in your system keychain.",
            "You can get an API key from https://aistudio.google.com/app/apikey",
        )
        hint = "(Press Enter to submit, Esc to cancel, Ctrl+C to clear stored key)"
        return box(["", "Enter Gemini API Key", "", *words, "", *field, "", *found, hint, ""], columns)

    def press(self, key: Key) -> Answer | None:
        match key:
            case Text(text) | Paste(text):
                self.key += text
            case Named("backspace"):
                self.key = self.key[:-1]
            case _ if key == ENTER and (self.key or self.has_key):
                return Typed(self.key)
            case _ if key == ESC:
                return Cancelled()
            case _:
                pass
        return None


@dataclass
class Startup:
    stage: Stage

    async def ask(self) -> int | None:
        """The exit code when it goes no further."""
        session = self.stage.session
        if session.home.trust() is None and (code := await self._trust()) is not None:
            return code
        while session.settings.get("security", "auth", "selectedType") is None:
            if await self._sign_in():
                session.home.say_auth("gemini-api-key")
                session.settings = session.home.settings()
        return None

    async def _trust(self) -> int | None:
        session = self.stage.session
        labels = (f"Trust folder ({session.cwd.name})", f"Trust parent folder ({session.cwd.parent.name})", "Don't trust")
        heading = ["", "Do you trust the files in this folder?", "", _TRUSTING, "", ""]
        dialog = _Padded(heading, (), labels, indent=1)
        answer = await self.stage.ask(dialog)
        if not isinstance(answer, Chosen):
            return _ABANDONED
        word = (TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST)[labels.index(answer.label)]
        session.home.say_trust(word)
        if word == DO_NOT_TRUST:
            return None
        self.stage.sign_off(["", *dialog.rows(self.stage.columns, ""), "", _RESTARTING])
        await asyncio.sleep(_RESTART)
        return RELAUNCH

    async def _sign_in(self) -> bool:
        has_key = bool(self.stage.session.options.env.get("GEMINI_API_KEY"))
        await self.stage.ask(WayDialog(has_key, Menu((), (), _WAYS, at=1 if has_key else 0)))
        return isinstance(await self.stage.ask(KeyDialog(has_key)), Typed)


class _Padded(Menu):
    """With a blank row at its end."""

    def rows(self, columns: int, count: str) -> list[str]:
        *rows, bottom = super().rows(columns, count)
        return [*rows, f" │{' ' * (columns - 4)}│", bottom]


def notices(warnings: Sequence[str], *, is_trusted: bool, is_bright: bool) -> list[str]:
    """What is said below the banner."""
    few = (
        "⚠  Warning: True color (24-bit) support not detected. Using a terminal with true color enabled will result in a better"
    )
    told = [] if is_bright else [f"{few}\n   visual experience."]
    agents = "ℹ Skipping project agents due to untrusted folder. To enable, ensure that the project root is trusted."
    return [*([] if is_trusted else [agents]), *told, *(f"⚠  {warning}" for warning in warnings)]
