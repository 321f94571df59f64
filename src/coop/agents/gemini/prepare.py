"""How Gemini CLI is started: with a session id of ours, and with our hooks where it takes them.

It has no flag for settings. A layer of them can be named by the environment, but it is only read when nobody but root can
change the file and every folder above it. So hooks are installed for root in such a folder; others can put one line of their own
into their settings, which `COOP_HOOK` is for. Without hooks, the title, the log and the screen tell what there is to tell.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath
from typing import cast

from coop.agents.commands import agent_in, split
from coop.agents.gemini.resume import is_id, resumed
from coop.agents.relay import relay_command, relay_file
from coop.errors import ConfigError
from coop.model.launch import Disk, HooksHere, Launch, Prepared, SessionPlaces

HOOKS = {
    "SessionStart": "",
    "BeforeAgent": "",
    "BeforeTool": "^(ask_user|exit_plan_mode)$",
    "Notification": "",
    "AfterAgent": "",
}
"""Only those that say what no other source does, and for which tools: each is waited for."""
WITHIN = 3000
"""Milliseconds."""
DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
_ADMINS = "/etc/gemini-cli/settings.json"
NAMES = ("gemini", "gemini-cli", "gemini.js")
"""Its command, its package for `npx`, and what `node` is given."""
_SUBCOMMANDS = frozenset("mcp extensions extension skills skill hooks hook gemma".split())
_NOT_A_SESSION = frozenset(
    {"--version", "-v", "--help", "-h", "--list-sessions", "--list-extensions", "-l", "--delete-session"}
)
_OWN_ID = frozenset({"--session-id", "--resume", "-r", "--session-file", "--acp", "--experimental-acp"})


def prepare(launch: Launch, places: SessionPlaces, disk: Disk) -> Prepared:
    """Raises `ConfigError` when there is nothing to go on with."""
    program = agent_in(launch, NAMES)
    if places.resume is not None and program is None:
        raise ConfigError("--resume: there is no gemini in the command to give it to; put it there as a word of its own")
    if program is None or _is_not_a_session(program.arguments):
        return Prepared(launch)
    home, given = config_home(program.env), program.arguments
    found = resumed(places.resume, program.within(launch), home, disk) if places.resume is not None else None
    going_on = ("--resume", found.session_id) if found else ()
    session_id = None if found or _names_session(given) else places.session_id
    ours = (*going_on, *(("--session-id", session_id) if session_id else ()))
    env, files = _hooks(program.env, places, disk)
    named = session_id or _given_id(given)
    return Prepared(
        replace(launch, argv=(*program.runner, *ours, *given), env={**launch.env, **env}),
        files,
        log=found.log if found else None,
        log_pattern=str(home / "tmp" / "*" / "chats" / f"session-*-{named[:8]}.jsonl") if named else None,
        log_from_end=found is not None,
        speaks_json="stream-json" in _values(given, "--output-format", "-o"),
        is_headless=bool(_values(given, "--prompt", "-p")) or bool({"-p", "--prompt"} & set(given)),
        log_root=str(home / "tmp"),
        session_id=found.session_id if found else session_id,
    )


def config_home(env: Mapping[str, str]) -> PurePath:
    return PurePath(env.get("GEMINI_CLI_HOME") or env.get("HOME", "/"), ".gemini")


def _is_not_a_session(arguments: Sequence[str]) -> bool:
    first = arguments[0] if arguments else ""
    return bool(_NOT_A_SESSION & set(arguments)) or first in _SUBCOMMANDS


def is_session(argv: tuple[str, ...]) -> bool:
    runner, given = split(argv, NAMES)
    return bool(runner) and not _is_not_a_session(given)


def named_id(arguments: Sequence[str]) -> str | None:
    """The session's, where the command line has it; `None` for a resumed one that is called `latest` or by its number."""
    return next((each for each in _values(arguments, "--session-id", "--resume", "-r") if is_id(each)), None)


def _names_session(arguments: Sequence[str]) -> bool:
    return any(each.partition("=")[0] in _OWN_ID for each in arguments)


def _given_id(arguments: Sequence[str]) -> str | None:
    return next(iter(_values(arguments, "--session-id")), None)


def _values(arguments: Sequence[str], *names: str) -> list[str]:
    """What was given for an option, in either way of writing it."""
    behind = [after for before, after in pairwise(arguments) if before in names]
    return behind + [each.partition("=")[2] for each in arguments if "=" in each and each.partition("=")[0] in names]


# Hooks


def _hooks(env: Mapping[str, str], places: SessionPlaces, disk: Disk) -> tuple[dict[str, str], dict[str, bytes]]:
    """What is added to the environment, and the files it names."""
    path, source = relay_file(places)
    added, files = {"COOP_HOOK": relay_command(places, "").removesuffix(" ''")}, {path: source}
    layer = str(PurePath(places.files, "gemini-defaults.json"))
    theirs = _administrators(env, disk) if disk.is_roots_alone(str(PurePath(places.files).parent)) else None
    if theirs is not None:
        added[DEFAULTS] = layer
        files[layer] = json.dumps(merged(theirs, places), indent=1).encode()
    return added, files


def hooks_here(env: Mapping[str, str], folder: str, disk: Disk) -> HooksHere:
    """`folder` is where the files of all sessions are."""
    is_safe, settings = disk.is_roots_alone(folder), str(config_home(env) / "settings.json")
    if is_safe and _administrators(env, disk) is not None:
        return HooksHere("installed by coop when it is started")
    if _has_hooks(settings, disk):
        return HooksHere(f"in {settings}")
    why = (
        "the system's defaults cannot be read"
        if is_safe
        else f"Gemini reads them only where root alone can write, not in {folder}"
    )
    return HooksHere(f"not installed: {why}; it works without", f"docs/gemini.md has the lines for {settings}")


def _has_hooks(settings: str, disk: Disk) -> bool:
    try:
        return "COOP_HOOK" in disk.read(settings)
    except (OSError, ValueError):
        return False


def _administrators(env: Mapping[str, str], disk: Disk) -> Mapping[str, object] | None:
    """The layer that ours takes the place of; `None` when it cannot be read, and is better left alone."""
    beside = str(PurePath(env.get(SETTINGS) or _ADMINS).parent / "system-defaults.json")
    path = env.get(DEFAULTS) or beside
    if not disk.is_file(path):
        return {}
    try:
        found: object = json.loads(disk.read(path))
    except (OSError, ValueError):
        return None
    return cast("Mapping[str, object]", found) if isinstance(found, dict) else None


def merged(theirs: Mapping[str, object], places: SessionPlaces) -> Mapping[str, object]:
    """Their hooks first, ours after; nothing of theirs is lost. Those of the user and the project are added by Gemini."""
    before = theirs.get("hooks")
    hooks = dict(cast("Mapping[str, object]", before)) if isinstance(before, dict) else {}
    for event in HOOKS:
        there = hooks.get(event)
        hooks[event] = [
            *(cast("list[object]", there) if isinstance(there, list) else []),
            entry(event, relay_command(places, event)),
        ]
    return {**theirs, "hooks": hooks}


def entry(event: str, command: str) -> Mapping[str, object]:
    """The name is short because it is shown while it runs."""
    matcher = {"matcher": HOOKS[event]} if HOOKS[event] else {}
    return {**matcher, "hooks": [{"type": "command", "name": "coop", "command": command, "timeout": WITHIN}]}
