"""The sessions of this user on this machine, and the one that a word means."""

import json
import os
import re
import socket
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coop.errors import BadRequest, ConfigError, NoSuchSession
from coop.model.runtime import LOG_SUFFIX, SOCKET_SUFFIX, is_private, must_be_private, runtime_directory

_MOST_NAMED = 8
_ANSWERS_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class Found:
    """A session that listens."""

    name: str
    socket: Path

    @property
    def url(self) -> str:
        """As `connect` takes it."""
        return f"unix:{self.socket}"


def sessions(env: Mapping[str, str]) -> tuple[Found, ...]:
    """By name. What is left of a coop that was killed is no session.

    Raises `ConfigError` where somebody else could have put them: what they are told would be told to somebody else.
    """
    directory = runtime_directory(env, os.getuid())
    try:
        status = directory.lstat()
        if not is_private(status.st_mode, status.st_uid, os.getuid()):
            raise ConfigError(must_be_private(directory))
        sockets = sorted(path for path in directory.iterdir() if path.suffix == SOCKET_SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(Found(path.stem, path) for path in sockets if _listens(path))


def find(word: str | None, env: Mapping[str, str], *, may_be_begun: bool = False) -> str:
    """Where the session is that is meant by its name, a socket or a URL, as `connect` takes it.

    `may_be_begun`: the beginning of a name will do. That is for who only looks: the session that was meant may have ended, and
    what was for it is not to be done to another whose name happens to begin so. Without a word: the session this process runs in, or else the only one. Raises `NoSuchSession` that names those there are,
    and `BadRequest` for a word that is empty: a script whose variable is not set means no session, and not any.
    """
    if word is None:
        return _own(env) or _only(sessions(env)).url
    if not word:
        raise BadRequest(
            "the name of the session is empty; give its name, or `.` for the session this runs in, or the only one"
        )
    if word.startswith(("unix:", "http://", "https://")):
        return word
    if os.sep in word:
        return f"unix:{Path(word).absolute()}"
    if port := re.fullmatch(r"([^/]*)(:\d+)", word):  # no name has a colon
        raise NoSuchSession(f"no session is named {word!r}; for one on a port say http://{port[1] or 'localhost'}{port[2]}")
    return _named(word, sessions(env), env, may_be_begun=may_be_begun).url


def _own(env: Mapping[str, str]) -> str | None:
    own = env.get("COOP_SOCKET")
    return f"unix:{own}" if own and env.get("COOP") == "1" else None


def _only(found: Sequence[Found]) -> Found:
    match found:
        case [only]:
            return only
        case []:
            raise NoSuchSession("no session runs here; start one with: coop -- COMMAND")
        case _:
            raise NoSuchSession(f"which session? {_names(found)}")


def _named(word: str, found: Sequence[Found], env: Mapping[str, str], *, may_be_begun: bool) -> Found:
    exact = [each for each in found if each.name == word]
    begun = [each for each in found if each.name.startswith(word)]
    match exact or begun:
        case [only] if exact or may_be_begun:
            return only
        case []:
            there = f"there are: {_names(found)}" if found else "none runs here"
            raise NoSuchSession(_end_of(word, env) or f"no session is named {word!r}; {there}")
        case matching if may_be_begun:
            raise NoSuchSession(f"{word!r} is the beginning of several names: {_names(matching)}")
        case matching:
            gone = _end_of(word, env) or f"no session is named {word!r}"
            raise NoSuchSession(f"{gone}; did you mean {_names(matching)}?")


def _end_of(word: str, env: Mapping[str, str]) -> str:
    """What the log of a session that had no terminal says of its end; nothing, where there is none or it says none."""
    path = runtime_directory(env, os.getuid()) / f"{word}{LOG_SUFFIX}"
    try:
        last: object = json.loads(path.read_bytes().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return ""
    match last:
        case {"event": "exited", "code": int(code)}:
            return f"{word!r} has ended (code {code}); its log is {path}"
        case {"event": "exited", "signal": int(signal)}:
            return f"{word!r} has ended (signal {signal}); its log is {path}"
        case {"event": "exited"}:
            return f"{word!r} has ended; its log is {path}"
        case _:
            return ""


def _names(found: Sequence[Found]) -> str:
    named = ", ".join(each.name for each in found[:_MOST_NAMED])
    return f"{named}, and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else named


def _listens(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:  # it has ended meanwhile
        return False
    if not stat.S_ISSOCK(status.st_mode):
        return False
    if status.st_uid != os.getuid():
        raise ConfigError(f"{path} is a socket of user {status.st_uid}, not of yours; remove it")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_ANSWERS_WITHIN)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True  # it may be alive but slow
    return True
