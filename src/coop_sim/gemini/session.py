"""What a session is while it runs: its id, its mode, its chat, its hooks, and what it may do without asking."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from coop_sim.gemini.chat import Chat, forget_empty, now, read_chat, stamp
from coop_sim.gemini.flags import BAD_INPUT, BadFlags, Options
from coop_sim.gemini.home import Home
from coop_sim.gemini.hooks import HookAnswer, Hooks, read_hooks
from coop_sim.gemini.settings import Settings
from coop_sim.scenario import Faults
from coop_sim.shapes import Table, as_table

_HEADLESS_TOOLS = ("glob", "grep_search", "list_directory", "read_file", "replace", "write_file")
_TOOLS = (*_HEADLESS_TOOLS, "run_shell_command", "ask_user", "enter_plan_mode", "exit_plan_mode")


@dataclass
class Session:
    options: Options
    home: Home
    settings: Settings
    hooks: Hooks
    chat: Chat
    mode: str
    is_trusted: bool = True
    source: str = "startup"
    decoy: Path | None = None
    """The log that a resumed session names, and never writes to."""
    allowed: set[str] = field(default_factory=set[str])
    """What may run in this session without asking: the first words of commands."""
    faults: Faults = field(default_factory=Faults)
    is_leaving: bool = False
    """What is broken off now is not told of."""
    on_change: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        return self.chat.session_id

    @property
    def cwd(self) -> Path:
        return self.options.cwd

    @property
    def plans(self) -> Path:
        return self.home.sessions / self.id / "plans"

    @property
    def tools(self) -> tuple[str, ...]:
        """Without a terminal nobody can be asked."""
        return _HEADLESS_TOOLS if self.options.prompt is not None and self.mode != "yolo" else _TOOLS

    @property
    def system(self) -> str:
        told = "You are a pretend Gemini CLI."
        return f"{told} You are in Plan Mode: write plans to `{self.plans}/` only." if self.mode == "plan" else told

    def change_mode(self, mode: str) -> None:
        self.mode = mode
        self.on_change()

    def open(self) -> None:
        self.plans.mkdir(parents=True, exist_ok=True)
        forget_empty(self.chat.path.parent)
        if self.decoy is None:
            self.chat.open(self._context())
        else:
            Chat(self.decoy, self.id, self.cwd).open(self._context())
            self.chat.go_on()

    def _context(self) -> str:
        folder = self.home.sessions
        lines = (
            "<session_context>",
            "This is the Gemini CLI. We are setting up the context for our chat.",
            f"The project's temporary directory is: {folder}",
            f"- **Workspace Directories:**\n  - {self.cwd}",
            "</session_context>",
        )
        return "\n".join(lines)

    async def fire(self, event: str, more: Table, *, subject: str = "") -> list[HookAnswer]:
        if self.faults.no_hooks or not self.is_trusted:
            return []
        path = self.decoy if event == "SessionStart" and self.decoy else self.chat.path
        payload: Table = {
            "session_id": self.id,
            "transcript_path": str(path),
            "cwd": str(self.cwd),
            "hook_event_name": event,
            "timestamp": stamp(now()),
            **more,
        }
        self.hooks.env = self._environment()
        return await self.hooks.fire(event, payload, subject=subject)

    def _environment(self) -> dict[str, str]:
        cwd = str(self.cwd)
        told = {"GEMINI_PROJECT_DIR": cwd, "GEMINI_CWD": cwd, "CLAUDE_PROJECT_DIR": cwd, "GEMINI_CLI_NO_RELAUNCH": "true"}
        return {**self.options.env, **told, "GEMINI_SESSION_ID": self.id, "GEMINI_PLANS_DIR": str(self.plans)}

    def begin_again(self, session_id: str) -> None:
        """`/clear`: another session, in another log."""
        self.chat = _new_chat(self.home, session_id)
        self.source, self.decoy = "clear", None
        self.open()


def open_session(options: Options, home: Home, settings: Settings) -> Session:
    """Raises `BadFlags` for a session that is not there, or is there already."""
    trusted = home.trust() is True
    hooks = Hooks(read_hooks(as_table(settings.get("hooks"))), options.env)
    if options.resume is not None:
        path = home.chat(options.resume)
        if path is None:
            raise BadFlags("Error resuming session: No previous sessions found for this project.", BAD_INPUT)
        session_id, messages = read_chat(path)
        chat = Chat(path, session_id, options.cwd, messages=messages)
        decoy = _log(home, session_id)
        return Session(options, home, settings, hooks, chat, options.mode, trusted, "resume", decoy)
    if options.session_id is not None and home.chat(options.session_id) is not None:
        raise BadFlags(f'Session ID "{options.session_id}" already exists.', BAD_INPUT)
    chat = _new_chat(home, options.session_id or str(uuid4()))
    return Session(options, home, settings, hooks, chat, options.mode, trusted)


def _new_chat(home: Home, session_id: str) -> Chat:
    return Chat(_log(home, session_id), session_id, home.options.cwd)


def _log(home: Home, session_id: str) -> Path:
    return home.sessions / "chats" / f"session-{now():%Y-%m-%dT%H-%M}-{session_id[:8]}.jsonl"
