import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coop.agents.codex.prepare import HELD, HOOKS, SHORT, prepare
from coop.agents.codex.trust import Hook, trusted_hash
from coop.errors import ConfigError
from coop.model.launch import Launch, Prepared, SessionPlaces
from coop.model.screen import Size
from coop.model.state import Tier
from coop.session.disk import RealDisk

PLACES = SessionPlaces(
    "/run/coop/it.files", "http://127.0.0.1:4711/api/v1/hooks", "COOP_HOOK_TOKEN", "new", python="/usr/bin/python3"
)


def started(*argv: str, places: SessionPlaces = PLACES, env: dict[str, str] | None = None) -> Prepared:
    return prepare(Launch(argv, env or {"HOME": "/home/dev"}, Size(80, 24), "/work/demo"), places, RealDisk())


def ours(given: Prepared) -> tuple[str, ...]:
    """What was put behind the word `codex`, without the hooks."""
    argv = list(given.launch.argv)
    while "-c" in argv and any(word.startswith("hooks.") for word in argv):
        at = next(n for n, word in enumerate(argv) if word.startswith("hooks."))
        del argv[at - 1 : at + 1]
    return tuple(argv)


def hooks(given: Prepared) -> dict[str, Any]:
    settings = [word for word in given.launch.argv if word.startswith("hooks.")]
    parsed: dict[str, Any] = tomllib.loads("\n".join(settings))["hooks"]
    return parsed


def test_codex_is_started_alone_and_with_our_hooks() -> None:
    given = started("codex", "fix it")
    assert ours(given) == ("codex", "--no-daemon", "fix it")
    assert set(given.files) == {"/run/coop/it.files/hook.py"}
    assert set(hooks(given)) == {*HOOKS, "state"}
    assert (given.log, given.log_root) == (None, "/home/dev/.codex/sessions")
    assert not given.absent
    assert not given.is_headless


def test_each_hook_is_trusted_and_has_no_secret() -> None:
    given = hooks(started("codex"))
    for event in HOOKS:
        (entry,) = given[event][0]["hooks"]
        assert entry["timeout"] == SHORT
        assert trusted_hash(event, Hook(entry["command"], SHORT)) in str(given["state"])
    assert "4711" not in " ".join(started("codex").launch.argv)


def test_a_permission_is_held_only_for_whoever_asks_for_that() -> None:
    given = hooks(started("codex", places=replace(PLACES, holds_hooks=True)))
    assert given["PermissionRequest"][0]["hooks"][0]["timeout"] == HELD
    assert given["Stop"][0]["hooks"][0]["timeout"] == SHORT


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("codex", "--no-daemon"), ("codex", "--no-daemon")),
        (("codex", "-m", "exec", "login"), ("codex", "-m", "exec", "login")),
        (("codex", "-m", "gpt", "resume", "--last"), ("codex", "--no-daemon", "-m", "gpt", "resume", "--last")),
        (("codex", "--", "login"), ("codex", "--no-daemon", "--", "login")),
        (("codex", "exec", "--json", "hi"), ("codex", "exec", "--json", "hi")),
        (("env", "A=/x/codex", "npx", "-y", "@openai/codex@0.166.0", "hi"), None),
        (("npx", "--package", "@openai/codex", "codex", "hi"), None),
        (("node", "/opt/lib/codex.js", "hi"), None),
        (("env", "-C", "/src/codex", "codex", "hi"), None),
        (("sudo", "-u", "codex", "codex", "hi"), None),
    ],
)
def test_nothing_of_the_callers_is_lost(argv: tuple[str, ...], expected: tuple[str, ...] | None) -> None:
    given = ours(started(*argv))
    assert given == expected or (expected is None and given == (*argv[:-1], "--no-daemon", argv[-1]))


@pytest.mark.parametrize("argv", [("codex", "login"), ("codex", "mcp", "list"), ("codex", "--version"), ("codex", "-h")])
def test_what_is_no_session_is_left_alone(argv: tuple[str, ...]) -> None:
    given = started(*argv)
    assert (given.launch.argv, given.files, given.absent) == (argv, {}, {})


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("sh", "-c", "codex"), "not a word of its own"),
        (("codex", "-c", "hooks.Stop=[]"), "hooks of its own"),
        (("codex", "--config=hooks={}"), "hooks of its own"),
        (("codex", "--disable", "hooks"), "turns hooks off"),
        (("codex", "-c", "features.hooks = false"), "turns hooks off"),
        (("codex", "--remote", "ws://there"), "another server"),
    ],
)
def test_where_hooks_cannot_be_given_it_is_told_why(argv: tuple[str, ...], why: str) -> None:
    given = started(*argv)
    assert why in given.absent[Tier.HOOKS]
    assert not given.files
    assert not any(word.startswith("hooks.state") for word in given.launch.argv)
    assert given.open_log


def test_a_printed_session_is_known() -> None:
    assert started("codex", "exec", "--json", "hi").speaks_json
    assert started("codex", "exec", "hi").is_headless
    assert not started("codex", "exec", "hi").speaks_json
    assert not started("codex", "--", "exec", "--json").is_headless


@pytest.mark.parametrize(
    ("argv", "env", "root"),
    [
        (("codex",), {"HOME": "/home/dev", "CODEX_HOME": "/cfg"}, "/cfg/sessions"),
        (("env", "CODEX_HOME=/cfg", "codex"), {"HOME": "/home/dev"}, "/cfg/sessions"),
        (("env", "HOME=/other", "codex"), {"HOME": "/home/dev"}, "/other/.codex/sessions"),
        (("env", "-u", "CODEX_HOME", "codex"), {"HOME": "/home/dev", "CODEX_HOME": "/cfg"}, "/home/dev/.codex/sessions"),
        (("env", "-C", "/src/codex", "CODEX_HOME=cfg", "codex"), {"HOME": "/home/dev"}, "/src/codex/cfg/sessions"),
    ],
)
def test_a_home_of_its_own_is_respected(argv: tuple[str, ...], env: dict[str, str], root: str) -> None:
    assert started(*argv, env=env).log_root == root


ID = "01a1ddf8-ee6a-7892-99fc-8e3356f98ca0"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    log = tmp_path / f".codex/sessions/2026/11/15/rollout-2026-11-15T06-50-41-{ID}.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("{}\n")
    return {"HOME": str(tmp_path)}


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("codex", "-m", "gpt"), ("codex", "--no-daemon", "resume", ID, "-m", "gpt")),
        (("codex", "exec", "--json", "hi"), ("codex", "exec", "resume", ID, "--json", "hi")),
    ],
)
def test_a_session_is_gone_on_with(home: dict[str, str], argv: tuple[str, ...], expected: tuple[str, ...]) -> None:
    given = started(*argv, places=replace(PLACES, resume=ID), env=home)
    assert ours(given) == expected
    assert given.log is not None
    assert given.log.endswith(f"{ID}.jsonl")
    assert given.log_from_end


@pytest.mark.parametrize("argv", [("sh", "-c", "codex"), ("codex", "resume"), ("codex", "login")])
def test_what_cannot_be_gone_on_with_is_told(home: dict[str, str], argv: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="--resume"):
        started(*argv, places=replace(PLACES, resume=ID), env=home)
