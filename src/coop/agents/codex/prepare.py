"""How Codex is started: without its daemon, and with hooks of ours on the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePath

from coop.agents.codex.resume import resumed
from coop.agents.codex.trust import Hook, flags
from coop.agents.commands import agent_in, split
from coop.agents.relay import relay_command, relay_file
from coop.errors import ConfigError
from coop.model.launch import Disk, Launch, Prepared, SessionPlaces
from coop.model.state import Tier

SHORT = 5
HELD = 600
"""How long a permission may be held back for whoever answers by the hook: Codex shows nothing meanwhile."""
HOOKS = ("SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop")
"""Only those that say what no other source does."""
OWN_LOG = '"thread_source":"user"'
"""What begins the log of a session; a subagent's says otherwise."""
NAMES = ("codex", "codex.js")
"""Its command, which is its package's name too, and what `node` is given."""
_TAKE_A_VALUE = frozenset(
    "-c --config --enable --disable --remote --remote-auth-token-env -i --image -m --model --local-provider -p --profile "
    "-s --sandbox -C --cd --add-dir -a --ask-for-approval --color --output-schema -o --output-last-message".split()
)
_INTERACTIVE = frozenset({"", "resume", "fork"})
_HEADLESS = frozenset({"exec", "e", "review"})
_OTHER = frozenset(
    "agents login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a queue archive delete "
    "migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help".split()
)
_NOT_A_SESSION = frozenset({"--version", "-V", "--help", "-h"})
_NO_CODEX = "codex is not a word of its own in the command, so no hooks could be given to it"


@dataclass(frozen=True, slots=True)
class Words:
    """A command line, taken apart."""

    runner: tuple[str, ...]
    """Codex with whatever starts it (`env`, `npx`, `node`); empty where it is not a word of its own."""
    arguments: tuple[str, ...]

    @property
    def options(self) -> Sequence[str]:
        return self.arguments[: self.arguments.index("--")] if "--" in self.arguments else self.arguments

    @property
    def subcommand_at(self) -> int | None:
        """Where the first word stands that is no option and no option's value, if it is a subcommand."""
        at = 0
        while at < len(self.options) and self.options[at].startswith("-"):
            at += 2 if self.options[at] in _TAKE_A_VALUE else 1
        is_one = at < len(self.options) and self.options[at] in _INTERACTIVE | _HEADLESS | _OTHER
        return at if is_one else None

    @property
    def subcommand(self) -> str:
        at = self.subcommand_at
        return "" if at is None else self.options[at]

    @property
    def is_session(self) -> bool:
        return bool(self.runner) and self.subcommand not in _OTHER and not _NOT_A_SESSION & set(self.options)

    def settings(self) -> Sequence[str]:
        """What `-c` says, as it says it."""
        apart = [after for before, after in pairwise(self.options) if before in ("-c", "--config")]
        joined = [word.partition("=")[2] for word in self.options if word.startswith("--config=")]
        return (*apart, *joined)


def prepare(launch: Launch, places: SessionPlaces, disk: Disk) -> Prepared:
    """Raises `ConfigError` when there is nothing to go on with."""
    program = agent_in(launch, NAMES)
    seen = launch if program is None else program.within(launch)
    home = codex_home(seen.env, seen.cwd)
    words, log = _going_on(words_of(launch.argv), seen, places, home, disk)
    traces = Prepared(
        launch,
        log=log,
        log_from_end=log is not None,
        log_root=str(home / "sessions"),
        open_log=OWN_LOG,
        speaks_json=words.subcommand in _HEADLESS and bool({"--json", "--experimental-json"} & set(words.options)),
        is_headless=words.subcommand in _HEADLESS,
    )
    if not words.is_session:
        return traces if words.runner else replace(traces, absent={Tier.HOOKS: _NO_CODEX})
    alone = ("--no-daemon",) if words.subcommand in _INTERACTIVE and "--no-daemon" not in words.options else ()
    if why := _without_hooks(words):
        return replace(traces, launch=_launch(launch, words, alone), absent={Tier.HOOKS: why})
    path, relay = relay_file(places)
    ours = (*alone, *flags({event: _hook(event, places) for event in HOOKS}))
    return replace(traces, launch=_launch(launch, words, ours), files={path: relay})


def words_of(argv: tuple[str, ...]) -> Words:
    return Words(*split(argv, NAMES))


def codex_home(env: Mapping[str, str], cwd: str) -> PurePath:
    return PurePath(cwd, env.get("CODEX_HOME") or PurePath(env.get("HOME", "/"), ".codex"))


def _going_on(words: Words, launch: Launch, places: SessionPlaces, home: PurePath, disk: Disk) -> tuple[Words, str | None]:
    if places.resume is None:
        return words, None
    if not words.runner:
        raise ConfigError("--resume: there is no codex in the command to give it to; put it there as a word of its own")
    if words.subcommand not in ("", "exec", "e"):
        raise ConfigError(f"--resume does not go with codex {words.subcommand}; leave one of the two out")
    found = resumed(places.resume, launch, home, disk)
    after = 0 if words.subcommand_at is None else words.subcommand_at + 1
    given = words.arguments
    return replace(words, arguments=(*given[:after], "resume", found.session_id, *given[after:])), found.log


def _without_hooks(words: Words) -> str:
    """Why ours are left out; empty when they are not. What the caller says about hooks is not ours to change."""
    settings = [each.replace(" ", "").replace('"', "") for each in words.settings()]
    if any(each.startswith(("hooks.", "hooks=")) for each in settings):
        return "the command line has hooks of its own, which ours would replace"
    disabled = {after for before, after in pairwise(words.options) if before == "--disable"}
    if "hooks" in disabled or "features.hooks=false" in settings:
        return "the command line turns hooks off"
    if any(word.partition("=")[0] == "--remote" for word in words.options):
        return "the session runs on another server"
    return ""


def _launch(launch: Launch, words: Words, ours: tuple[str, ...]) -> Launch:
    return replace(launch, argv=(*words.runner, *ours, *words.arguments))


def _hook(event: str, places: SessionPlaces) -> Hook:
    is_held = event == "PermissionRequest" and places.holds_hooks
    return Hook(relay_command(places, event), HELD if is_held else SHORT)
