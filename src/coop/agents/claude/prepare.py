"""How Claude Code is started with our hooks: a settings file merged with the caller's own, and a session id of ours."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import pairwise
from pathlib import PurePath
from typing import cast

from coop.agents.claude.resume import folder_elsewhere, resumed
from coop.agents.commands import Program, agent_in
from coop.agents.records import items_of, table_of, text_of
from coop.errors import ConfigError
from coop.model.launch import Disk, Launch, Prepared, SessionPlaces
from coop.model.state import Tier

SHORT = 5
A_DAY = 86_400
HTTP_HOOKS = {"UserPromptSubmit": SHORT, "PermissionRequest": A_DAY, "Stop": SHORT, "StopFailure": SHORT}
"""Only those that say what no other source does, and how many seconds each may take."""
# HTTP hooks are not run for SessionStart. Opened for both ways, the pipe never makes the agent wait for a reader.
SESSION_START = (
    'd=$(cat); [ -p "$COOP_HOOK_PIPE" ] && printf \'{"event":"SessionStart","data":%s}\\n\' "$d" 1<>"$COOP_HOOK_PIPE"; exit 0'
)
NAMES = ("claude", "claude-code")
"""Its command, and its package for `npx`."""
_SUBCOMMANDS = frozenset(
    "agents auth doctor gateway install mcp plugin setup-token update upgrade config migrate-installer".split()
)
_NOT_A_SESSION = frozenset({"--version", "-v", "--help", "-h"})
_HEADLESS = frozenset({"-p", "--print"})
_OWN_ID = frozenset({"--session-id", "--resume", "-r", "--continue", "-c", "--from-pr", "--teleport", "--remote"})
_SHORT_TAKING_WORDS = frozenset("drnw")
"""Of `-dapi` all but the first letter is a word that the option takes."""
_PROJECTS = (".claude/settings.json", ".claude/settings.local.json")
_ADMINS = "/etc/claude-code/managed-settings.json"
_SLUG = re.compile(r"[^A-Za-z0-9]")
_LONGEST_SLUG = 200


def prepare(launch: Launch, places: SessionPlaces, disk: Disk) -> Prepared:
    """Raises `ConfigError` when the caller's own settings cannot be read, or there is nothing to go on with."""
    program = agent_in(launch, NAMES)
    if program is None:
        if places.resume is not None:
            raise ConfigError("--resume: there is no claude in the command to give it to; put it there as a word of its own")
        return Prepared(launch, status_files=str(config_home(launch.env) / "sessions"))
    home = config_home(program.env)
    arguments, log = _going_on(program, launch, places, home, disk)
    if _is_not_a_session(arguments):
        return Prepared(launch, status_files=str(home / "sessions"))
    given, settings = _taken_settings(arguments, program.cwd, disk)
    path = str(PurePath(places.files, "claude-settings.json"))
    session_id = None if log is not None or _names_session(arguments) else places.session_id
    named = ("--session-id", session_id) if session_id else ()
    own_log = str(home / "projects" / slug(disk.real(program.cwd)) / f"{session_id}.jsonl") if session_id else log
    traces = Prepared(
        replace(launch, argv=(*program.runner, *named, *arguments)),
        log=own_log,
        log_from_end=session_id is None,
        status_files=str(home / "sessions"),
        speaks_json=speaks_json(arguments),
        is_headless=bool(_HEADLESS & _options(arguments)),
        log_root=str(home / "projects"),
        session_id=session_id,
        warning=_of_another_folder(program, log, disk),
    )
    if why := shut_out(settings, _settings_found(home, program.cwd, disk), places):
        log_of_it = partial(log_of, home=home, disk=disk)  # no hook will tell where the session goes on after `/clear`
        return replace(traces, absent={Tier.HOOKS: why}, log_of_status=log_of_it)
    hooked = replace(launch, argv=(*program.runner, "--settings", path, *named, *given))
    return replace(traces, launch=hooked, files={path: json.dumps(merged(settings, places), indent=1).encode()})


def _going_on(
    program: Program, launch: Launch, places: SessionPlaces, home: PurePath, disk: Disk
) -> tuple[tuple[str, ...], str | None]:
    if places.resume is None:
        return program.arguments, None
    found = resumed(places.resume, program.within(launch), home, disk)
    return ("--resume", found.session_id, *program.arguments), found.log


def _of_another_folder(program: Program, log: str | None, disk: Disk) -> str | None:
    """Which release it is nobody knows before it starts."""
    folder = folder_elsewhere(log, program.cwd, disk) if log is not None else None
    if folder is None:
        return None
    return (
        f"--resume: this session was begun in {folder}; older releases of Claude Code (2.1.197) find it only there, and exit with "
        "'No conversation found': run coop in that folder then"
    )


def config_home(env: Mapping[str, str]) -> PurePath:
    return PurePath(env.get("CLAUDE_CONFIG_DIR") or PurePath(env.get("HOME", "/"), ".claude"))


def slug(workspace: str) -> str:
    """How Claude names the folder of a workspace; a long one it ends with a hash, and hooks tell us of that."""
    return _SLUG.sub("-", workspace)[:_LONGEST_SLUG]


def log_of(status: Mapping[str, object], home: PurePath, disk: Disk) -> str | None:
    """A session that goes on elsewhere, after `/clear` or a `cd`, has its log where the file is named after it."""
    session_id, cwd = text_of(status, "sessionId"), text_of(status, "cwd")
    if session_id is None or "/" in session_id:
        return None
    name, projects = f"{session_id}.jsonl", home / "projects"
    found = disk.newest(str(projects), f"*/{name}")
    if found:
        return found[0]
    return str(projects / slug(disk.real(cwd)) / name) if cwd else None


def _is_not_a_session(arguments: Sequence[str]) -> bool:
    arguments = _before_dashes(arguments)
    first = next((each for each in arguments if not each.startswith("-")), "")
    return bool(_NOT_A_SESSION & _options(arguments)) or (bool(arguments) and arguments[0] == first and first in _SUBCOMMANDS)


def _names_session(arguments: Sequence[str]) -> bool:
    return bool(_OWN_ID & _options(arguments))


def _options(arguments: Sequence[str]) -> frozenset[str]:
    """By their names, those that are written as one word too: `-pc`."""
    words = [each.partition("=")[0] for each in _before_dashes(arguments) if each.startswith("-")]
    return frozenset(name for word in words for name in ([word] if word.startswith("--") else _clustered(word)))


def _clustered(word: str) -> Iterator[str]:
    for letter in word[1:]:
        yield f"-{letter}"
        if letter in _SHORT_TAKING_WORDS:
            return


def speaks_json(arguments: Sequence[str]) -> bool:
    """`-p --output-format stream-json`."""
    given = _before_dashes(arguments)
    formats = {after for before, after in pairwise(given) if before == "--output-format"}
    return "stream-json" in formats or "--output-format=stream-json" in given


def _before_dashes(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


# Settings


def _taken_settings(arguments: tuple[str, ...], cwd: str, disk: Disk) -> tuple[tuple[str, ...], Mapping[str, object]]:
    """The arguments without `--settings`, and what it said. Claude takes the last one only, and so do we."""
    rest: list[str] = []
    value = None
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument == "--settings":
            value = next(waiting, "")
        elif argument.startswith("--settings="):
            value = argument.partition("=")[2]
        else:
            rest.append(argument)
    return tuple(rest), {} if value is None else _read_settings(value, cwd, disk)


def _read_settings(value: str, cwd: str, disk: Disk) -> Mapping[str, object]:
    """A file, or JSON itself."""
    try:
        text = value if value.lstrip().startswith("{") else disk.read(str(PurePath(cwd, value)))
        settings: object = json.loads(text)
    except OSError as error:
        raise ConfigError(f"--settings {value}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"--settings {value[:80]}: expected JSON: {error}") from None
    if not isinstance(settings, dict):
        raise ConfigError(f"--settings {value[:80]}: expected a JSON object, got {type(settings).__name__}")
    return cast("Mapping[str, object]", settings)


def merged(theirs: Mapping[str, object], places: SessionPlaces) -> Mapping[str, object]:
    """Their hooks first, ours after; nothing of theirs is lost."""
    hooks = dict(table_of(theirs.get("hooks")))
    for event, entry in _our_hooks(places).items():
        before = hooks.get(event)
        theirs_first = cast("list[object]", before) if isinstance(before, list) else [] if before is None else [before]
        hooks[event] = [*theirs_first, entry]
    settings = {**theirs, "hooks": hooks}
    for key, ours in _let_in(places).items():
        if isinstance(theirs.get(key), list):  # a list of theirs would shut ours out
            settings[key] = [*items_of(theirs[key]), ours]
    return settings


def _let_in(places: SessionPlaces) -> Mapping[str, str]:
    """Lists of what hooks may do, where there is one, and what ours must find in them."""
    return {"allowedHttpHookUrls": f"{places.hook_url}/*", "httpHookAllowedEnvVars": places.token_variable}


def shut_out(given: Mapping[str, object], found: Mapping[str, Mapping[str, object]], places: SessionPlaces) -> str:
    """Why our hooks cannot come, by the settings found on disk; empty when they can.

    Claude adds the lists of all settings to one. The one that is given with the command gets ours as well; what stands in files is
    somebody's policy, which it is not for us to widen.
    """
    if path := _switched_off(given, found):
        return f"all hooks are switched off in {path}"
    for key, ours in _let_in(places).items():
        lists = {path: items_of(settings[key]) for path, settings in found.items() if isinstance(settings.get(key), list)}
        is_let_in = any(fnmatchcase(ours, str(each)) for allowed in lists.values() for each in allowed)
        if lists and not is_let_in and not isinstance(given.get(key), list):
            return f"{key} in {' and '.join(lists)} does not have {ours}"
    return ""


def _switched_off(given: Mapping[str, object], found: Mapping[str, Mapping[str, object]]) -> str:
    """Where; empty when they are not. The last that says anything holds, and an administrator's word always."""
    if found.get(_ADMINS, {}).get("allowManagedHooksOnly") is True:
        return _ADMINS
    files = {path: settings for path, settings in found.items() if path != _ADMINS}
    in_order = {**files, "--settings": given, _ADMINS: found.get(_ADMINS, {})}
    said = [(path, settings["disableAllHooks"]) for path, settings in in_order.items() if "disableAllHooks" in settings]
    return said[-1][0] if said and said[-1][1] not in (None, False, "false") else ""


def _settings_found(home: PurePath, cwd: str, disk: Disk) -> Mapping[str, Mapping[str, object]]:
    paths = (str(home / "settings.json"), *(str(PurePath(cwd, each)) for each in _PROJECTS), _ADMINS)
    return {path: _settings_in(path, disk) for path in paths}


def _settings_in(path: str, disk: Disk) -> Mapping[str, object]:
    """Of a file that may not be there, or be broken: Claude tells of that itself."""
    try:
        return table_of(json.loads(disk.read(path)))
    except (OSError, ValueError):
        return {}


def _our_hooks(places: SessionPlaces) -> Mapping[str, object]:
    http = {event: _entry(_http(places, event, seconds)) for event, seconds in HTTP_HOOKS.items()}
    start = {"type": "command", "command": SESSION_START, "timeout": 1}
    return {"SessionStart": _entry(start), **http}


def _http(places: SessionPlaces, event: str, seconds: int) -> Mapping[str, object]:
    return {
        "type": "http",
        "url": f"{places.hook_url}/{event}",
        "timeout": seconds,
        "headers": {"Authorization": f"Bearer ${places.token_variable}"},
        "allowedEnvVars": [places.token_variable],
    }


def _entry(hook: Mapping[str, object]) -> Mapping[str, object]:
    return {"matcher": "", "hooks": [hook]}
