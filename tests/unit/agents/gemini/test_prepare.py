import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from coop.agents.gemini.prepare import DEFAULTS, HOOKS, SETTINGS, hooks_here, prepare
from coop.errors import ConfigError
from coop.model.launch import Launch, Prepared, SessionPlaces
from coop.model.screen import Size
from coop.session.disk import RealDisk

NEW = "11111111-2222-4333-8444-555555555555"
PLACES = SessionPlaces(
    "/run/coop/it.files", "http://127.0.0.1:4711/api/v1/hooks", "COOP_HOOK_TOKEN", NEW, python="/usr/bin/python3"
)
RELAY, LAYER = "/run/coop/it.files/hook.py", "/run/coop/it.files/gemini-defaults.json"


class RootsDisk(RealDisk):
    """Every folder is safe, or none is."""

    def __init__(self, *, is_safe: bool = True) -> None:
        self._is_safe = is_safe

    def is_roots_alone(self, folder: str) -> bool:
        return self._is_safe


def prepared(*argv: str, env: Mapping[str, str] | None = None, safe: bool = False, resume: str | None = None) -> Prepared:
    launch = Launch(argv, {"HOME": "/home/dev", **(env or {})}, Size(80, 24), "/work/demo")
    return prepare(launch, replace(PLACES, resume=resume), RootsDisk(is_safe=safe))


def layer(given: Prepared) -> dict[str, list[object]]:
    found = json.loads(given.files[LAYER])
    return cast("dict[str, list[object]]", found["hooks"])


def test_gemini_is_started_with_a_session_id_of_ours() -> None:
    given = prepared("gemini", "-m", "flash")
    assert given.launch.argv == ("gemini", "--session-id", NEW, "-m", "flash")
    assert given.session_id == NEW
    assert given.log_pattern == "/home/dev/.gemini/tmp/*/chats/session-*-11111111.jsonl"
    assert (given.log, given.log_root) == (None, "/home/dev/.gemini/tmp")


def test_a_config_home_of_its_own_is_respected() -> None:
    given = prepared("gemini", env={"GEMINI_CLI_HOME": "/cfg"})
    assert given.log_root == "/cfg/.gemini/tmp"


@pytest.mark.parametrize(
    ("runner", "root"),
    [
        (("env", "GEMINI_CLI_HOME=/cfg", "gemini"), "/cfg/.gemini/tmp"),
        (("env", "HOME=/home/other", "gemini"), "/home/other/.gemini/tmp"),
        (("env", "-u", "HOME", "gemini"), "/.gemini/tmp"),
    ],
)
def test_a_home_that_env_gives_it_is_its_home(runner: tuple[str, ...], root: str) -> None:
    assert prepared(*runner).log_root == root


@pytest.mark.parametrize(
    "argv",
    [("--resume", "latest"), ("-r", "5"), ("--session-id", NEW), ("--session-id=" + NEW,), ("--acp",), ("--session-file", "x")],
)
def test_a_session_that_is_named_keeps_its_name(argv: tuple[str, ...]) -> None:
    given = prepared("gemini", *argv)
    assert given.launch.argv == ("gemini", *argv)
    assert given.session_id is None
    assert (given.log_pattern is not None) == argv[0].startswith("--session-id")


@pytest.mark.parametrize("argv", [("--version",), ("mcp", "list"), ("extensions", "install"), ("--list-sessions",), ("-h",)])
def test_what_starts_no_session_is_left_alone(argv: tuple[str, ...]) -> None:
    given = prepared("gemini", *argv, safe=True)
    assert given.launch.argv == ("gemini", *argv)
    assert not given.files


@pytest.mark.parametrize(
    "runner",
    [
        ("gemini",),
        ("/usr/local/bin/gemini",),
        ("env", "A=1", "gemini"),
        ("npx", "@google/gemini-cli"),
        ("npx", "-y", "@google/gemini-cli@0.61.0"),
        ("npx", "-p", "@google/gemini-cli", "gemini"),
        ("env", "X=/opt/gemini", "gemini"),
        ("node", "/opt/gemini/bundle/gemini.js"),
    ],
)
def test_it_is_found_behind_what_starts_it(runner: tuple[str, ...]) -> None:
    assert prepared(*runner, "-y").launch.argv == (*runner, "--session-id", NEW, "-y")


def test_a_shell_that_hides_it_gets_nothing() -> None:
    given = prepared("sh", "-c", "gemini -y", safe=True)
    assert given.launch.argv == ("sh", "-c", "gemini -y")
    assert not given.files


def test_anybody_is_given_the_command_for_hooks_of_their_own() -> None:
    given = prepared("gemini")
    assert given.launch.env["COOP_HOOK"] == f"/usr/bin/python3 -IS {RELAY}"
    assert set(given.files) == {RELAY}
    assert DEFAULTS not in given.launch.env


def test_root_in_a_safe_folder_gets_a_layer_of_settings_with_our_hooks() -> None:
    given = prepared("gemini", safe=True)
    assert given.launch.env[DEFAULTS] == LAYER
    assert set(layer(given)) == set(HOOKS)
    (entry,) = layer(given)["AfterAgent"]
    command = f"/usr/bin/python3 -IS {RELAY} AfterAgent"
    assert entry == {"hooks": [{"type": "command", "name": "coop", "command": command, "timeout": 3000}]}
    assert "matcher" in cast("Mapping[str, object]", layer(given)["BeforeTool"][0])


@pytest.mark.parametrize("variable", [DEFAULTS, SETTINGS])
def test_what_an_administrator_has_set_still_counts(tmp_path: Path, variable: str) -> None:
    theirs = {"ui": {"theme": "x"}, "hooks": {"AfterAgent": [{"hooks": []}]}}
    (tmp_path / "system-defaults.json").write_text(json.dumps(theirs))
    name = "system-defaults.json" if variable == DEFAULTS else "settings.json"
    given = prepared("gemini", env={variable: str(tmp_path / name)}, safe=True)
    assert json.loads(given.files[LAYER])["ui"] == {"theme": "x"}
    assert layer(given)["AfterAgent"][0] == {"hooks": []}
    assert len(layer(given)["AfterAgent"]) == 2


def test_what_an_administrator_has_set_and_cannot_be_read_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "defaults.json").write_text("{ // broken")
    given = prepared("gemini", env={DEFAULTS: str(tmp_path / "defaults.json")}, safe=True)
    assert given.launch.env[DEFAULTS] == str(tmp_path / "defaults.json")
    assert set(given.files) == {RELAY}


@pytest.mark.parametrize(
    ("argv", "speaks", "headless"),
    [
        (("-p", "hi", "--output-format", "stream-json"), True, True),
        (("-p", "hi", "-o", "stream-json"), True, True),
        (("--prompt=hi", "--output-format=stream-json"), True, True),
        (("-p", "hi"), False, True),
        (("-i", "hi"), False, False),
    ],
)
def test_printing_is_known(argv: tuple[str, ...], speaks: bool, headless: bool) -> None:
    given = prepared("gemini", *argv)
    assert (given.speaks_json, given.is_headless) == (speaks, headless)


def test_a_session_to_go_on_with_is_named_and_its_log_is_read_from_its_end(tmp_path: Path) -> None:
    log = tmp_path / ".gemini/tmp/demo/chats/session-2026-11-15T07-03-99999999.jsonl"
    log.parent.mkdir(parents=True)
    old = "99999999-2222-4333-8444-555555555555"
    log.write_text(json.dumps({"sessionId": old, "kind": "main"}) + "\n")
    given = prepared("gemini", "-y", env={"HOME": str(tmp_path)}, resume=old)
    assert given.launch.argv == ("gemini", "--resume", old, "-y")
    assert (given.log, given.log_from_end, given.log_pattern) == (str(log), True, None)


def test_going_on_needs_a_gemini_to_tell() -> None:
    with pytest.raises(ConfigError, match="no gemini in the command"):
        prepared("sh", "-c", "gemini -y", resume="x")


def test_what_is_said_of_the_hooks_is_what_is_done(tmp_path: Path) -> None:
    defaults = tmp_path / "system-defaults.json"
    env = {"HOME": str(tmp_path), DEFAULTS: str(defaults)}
    for text, safe in (("{}", True), ("{}", False), ("no JSON", True)):
        defaults.write_text(text)
        is_installed = LAYER in prepared("gemini", env=env, safe=safe).files
        here = hooks_here(env, "/run/coop", RootsDisk(is_safe=safe))
        assert (is_installed, here.said == "installed by coop when it is started") in ((True, True), (False, False))
        assert (here.do == "") == is_installed
    assert "cannot be read" in hooks_here(env, "/run/coop", RootsDisk()).said
