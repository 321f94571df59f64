"""The hooks of the settings."""

from coop_sim.claude.hook_config import CommandHook, HttpHook, read_hooks
from coop_sim.shapes import Table


def config(event: str, *hooks: Table, matcher: str = "") -> Table:
    return {"hooks": {event: [{"matcher": matcher, "hooks": list(hooks)}]}}


HTTP: Table = {"type": "http", "url": "http://127.0.0.1:1/", "headers": {"a": "${TOKEN}-$OTHER"}, "allowedEnvVars": ["TOKEN"]}


def test_commands_have_the_timeouts_of_their_events() -> None:
    command: Table = {"type": "command", "command": "x"}
    for event, timeout in (("Stop", 600.0), ("UserPromptSubmit", 30.0), ("SessionEnd", 1.5)):
        assert read_hooks([config(event, command)]).hooks(event, "") == [CommandHook("x", timeout)]
    assert read_hooks([config("Stop", command | {"timeout": 3})]).hooks("Stop", "") == [CommandHook("x", 3.0)]


def test_headers_are_filled_only_with_what_is_allowed() -> None:
    (hook,) = read_hooks([config("Stop", HTTP)]).hooks("Stop", "")
    assert isinstance(hook, HttpHook)
    assert hook.expanded({"TOKEN": "t", "OTHER": "o"}) == {"a": "t-"}


def test_http_hooks_do_not_hear_the_start() -> None:
    assert read_hooks([config("SessionStart", HTTP)]).hooks("SessionStart", "startup") == []


def test_a_matcher_is_about_the_whole_name() -> None:
    read = read_hooks([config("PreToolUse", HTTP, matcher="Bash|Edit")])
    assert [len(read.hooks("PreToolUse", name)) for name in ("Bash", "Edit", "BashOutput")] == [1, 1, 0]


def test_several_settings_add_up() -> None:
    assert len(read_hooks([config("Stop", HTTP), config("Stop", HTTP)]).hooks("Stop", "")) == 2


def test_a_flat_entry_is_an_error_of_the_settings() -> None:
    problem = read_hooks([{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}]).problem
    assert problem is not None
    assert "hooks.Stop" in problem
