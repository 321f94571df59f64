import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import cast

import pytest

from coop.agents.claude.prepare import A_DAY, HTTP_HOOKS, merged, prepare, slug, speaks_json
from coop.errors import ConfigError
from coop.model.launch import Launch, Prepared, SessionPlaces
from coop.model.screen import Size
from coop.model.state import Tier
from coop.session.disk import RealDisk

NEW = "11111111-2222-4333-8444-555555555555"
OLD = "99999999-2222-4333-8444-555555555555"
PLACES = SessionPlaces("/run/coop/it.files", "http://127.0.0.1:4711/api/v1/hooks", "COOP_HOOK_TOKEN", NEW)
SETTINGS = "/run/coop/it.files/claude-settings.json"
OURS = ("--settings", SETTINGS, "--session-id", NEW)
Hooks = Mapping[str, list[Mapping[str, object]]]


def prepared(*argv: str, cwd: str = "/work/demo", resume: str | None = None, home: str = "/home/dev") -> Prepared:
    launch = Launch(("claude", *argv), {"HOME": home}, Size(80, 24), cwd)
    return prepare(launch, replace(PLACES, resume=resume), RealDisk())


def started(*argv: str) -> Prepared:
    return prepare(Launch(argv, {"HOME": "/home/dev"}, Size(80, 24), "/work/demo"), PLACES, RealDisk())


def arguments(*argv: str) -> tuple[str, ...]:
    command, *rest = prepared(*argv).launch.argv
    assert command == "claude"
    return tuple(rest)


def settings(given: Prepared) -> Mapping[str, object]:
    (content,) = given.files.values()
    return cast("Mapping[str, object]", json.loads(content))


def hooks(given: Mapping[str, object]) -> Hooks:
    return cast("Hooks", given["hooks"])


def test_claude_is_started_with_our_settings_and_our_session_id() -> None:
    given = prepared()
    assert given.launch.argv == ("claude", *OURS)
    assert given.session_id == NEW
    assert set(given.files) == {SETTINGS}
    assert given.log == f"/home/dev/.claude/projects/-work-demo/{NEW}.jsonl"
    assert given.status_files == "/home/dev/.claude/sessions"
    assert not given.log_from_end


def test_a_config_home_of_its_own_is_respected() -> None:
    launch = Launch(("claude",), {"HOME": "/home/dev", "CLAUDE_CONFIG_DIR": "/cfg"}, Size(80, 24), "/work/demo")
    given = prepare(launch, PLACES, RealDisk())
    assert given.log == f"/cfg/projects/-work-demo/{NEW}.jsonl"
    assert given.status_files == "/cfg/sessions"


@pytest.mark.parametrize(
    ("runner", "status", "log"),
    [
        (("env", "CLAUDE_CONFIG_DIR=/cfg"), "/cfg/sessions", "/cfg/projects/-work-demo"),
        (("env", "HOME=/home/claude"), "/home/claude/.claude/sessions", "/home/claude/.claude/projects/-work-demo"),
        (("env", "-C", "/src"), "/home/dev/.claude/sessions", "/home/dev/.claude/projects/-src"),
        (("env", "-i", "HOME=/h"), "/h/.claude/sessions", "/h/.claude/projects/-work-demo"),
    ],
)
def test_what_env_gives_it_says_where_its_traces_are(runner: tuple[str, ...], status: str, log: str) -> None:
    given = started(*runner, "claude")
    assert given.status_files == status
    assert (given.log, given.log_root) == (f"{log}/{NEW}.jsonl", str(PurePath(log).parent))
    assert given.launch.env == {"HOME": "/home/dev"}
    assert given.launch.cwd == "/work/demo"


def test_the_rest_of_the_launch_is_as_it_was() -> None:
    launch = Launch(("claude",), {"HOME": "/home/dev", "X": "y"}, Size(80, 24), "/work/demo")
    assert replace(prepare(launch, PLACES, RealDisk()).launch, argv=launch.argv) == launch


def test_arguments_of_the_caller_come_after_ours() -> None:
    assert arguments("--model", "opus", "fix it") == (*OURS, "--model", "opus", "fix it")


@pytest.mark.parametrize(
    "argv",
    [
        ("--session-id", OLD),
        (f"--session-id={OLD}",),
        ("--resume", OLD),
        ("-r",),
        ("--continue",),
        ("-c", "-p", "go on"),
        ("-cp", "go on"),
        ("-pc", "go on"),
        (f"-r{OLD}",),
        ("--model", "opus", "--resume", OLD, "--fork-session"),
    ],
)
def test_a_session_the_caller_names_gets_no_id_of_ours(argv: tuple[str, ...]) -> None:
    given = prepared(*argv)
    assert given.launch.argv == ("claude", "--settings", SETTINGS, *argv)
    assert (given.session_id, given.log) == (None, None)
    assert given.log_from_end


@pytest.mark.parametrize("message", ["-c", "--resume", "--session-id"])
def test_what_stands_behind_two_dashes_is_a_message(message: str) -> None:
    assert arguments("--", message) == (*OURS, "--", message)


@pytest.mark.parametrize(
    "argv", [("mcp", "list"), ("doctor",), ("update",), ("--version",), ("-v",), ("--help",), ("-p", "-h")]
)
def test_what_starts_no_session_is_left_alone(argv: tuple[str, ...]) -> None:
    given = prepared(*argv)
    assert given.launch.argv == ("claude", *argv)
    assert (given.files, given.session_id, given.log) == ({}, None, None)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("-p", "hi"), True),
        (("--print", "hi"), True),
        (("-cp", "hi"), True),
        (("-pc", "hi"), True),
        (("-pr", OLD, "hi"), True),
        (("-dapi",), False),
        (("-rp",), False),
        (("--", "-p"), False),
        ((), False),
    ],
)
def test_one_that_prints_asks_nobody(argv: tuple[str, ...], expected: bool) -> None:
    assert prepared(*argv).is_headless is expected


@pytest.mark.parametrize("argv", [("-p", "doctor"), ("fix the mcp",), ("--model", "opus", "update")])
def test_a_message_is_not_a_subcommand(argv: tuple[str, ...]) -> None:
    assert arguments(*argv) == (*OURS, *argv)


@pytest.mark.parametrize("message", ["--help", "-v"])
def test_a_message_behind_two_dashes_is_no_option(message: str) -> None:
    assert arguments("--", message) == (*OURS, "--", message)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("-p", "--output-format", "stream-json", "x"), True),
        (("-p", "--output-format=stream-json"), True),
        (("-p", "--output-format", "json"), False),
        (("--", "--output-format", "stream-json"), False),
        ((), False),
    ],
)
def test_json_on_its_output_is_asked_for(argv: tuple[str, ...], expected: bool) -> None:
    assert speaks_json(argv) is expected
    assert prepared(*argv).speaks_json is expected


def test_a_workspace_is_named_as_claude_names_it() -> None:
    assert slug("/work/my_demo.v2") == "-work-my-demo-v2"
    assert len(slug("/x" * 300)) == 200


# Settings


def test_every_hook_of_ours_has_our_door_and_the_name_of_the_token() -> None:
    ours = hooks(settings(prepared()))
    assert set(ours) == {"SessionStart", *HTTP_HOOKS}
    for event, seconds in HTTP_HOOKS.items():
        (entry,) = ours[event]
        (hook,) = cast("list[Mapping[str, object]]", entry["hooks"])
        assert (entry["matcher"], hook["type"], hook["timeout"]) == ("", "http", seconds)
        assert hook["url"] == f"http://127.0.0.1:4711/api/v1/hooks/{event}"
        assert hook["headers"] == {"Authorization": "Bearer $COOP_HOOK_TOKEN"}
        assert hook["allowedEnvVars"] == ["COOP_HOOK_TOKEN"]


def test_a_permission_may_take_a_day_and_nothing_else_may() -> None:
    assert {event for event, seconds in HTTP_HOOKS.items() if seconds >= A_DAY} == {"PermissionRequest"}


def test_no_file_of_ours_holds_the_token_itself() -> None:
    launch = Launch(("claude",), {"HOME": "/h", "COOP_HOOK_TOKEN": "secret"}, Size(80, 24), "/w")
    assert b"secret" not in b"".join(prepare(launch, PLACES, RealDisk()).files.values())


THEIRS: Mapping[str, object] = {
    "model": "opus",
    "env": {"A": "b"},
    "hooks": {
        "Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "theirs"}]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
    },
}


def test_nothing_of_theirs_is_lost_and_their_hooks_come_first() -> None:
    both = merged(THEIRS, PLACES)
    assert {key: value for key, value in both.items() if key != "hooks"} == {"model": "opus", "env": {"A": "b"}}
    theirs, ours = hooks(THEIRS), hooks(both)
    assert ours["PreToolUse"] == theirs["PreToolUse"]
    assert ours["Stop"][0] == theirs["Stop"][0]
    assert len(ours["Stop"]) == 2


def test_their_settings_are_not_changed_in_place() -> None:
    before = json.dumps(THEIRS)
    merged(THEIRS, PLACES)
    assert json.dumps(THEIRS) == before


def test_a_list_of_allowed_urls_gets_ours_as_well() -> None:
    both = merged({"allowedHttpHookUrls": ["https://theirs/*"]}, PLACES)
    assert both["allowedHttpHookUrls"] == ["https://theirs/*", "http://127.0.0.1:4711/api/v1/hooks/*"]
    assert "allowedHttpHookUrls" not in merged({}, PLACES)


def test_a_list_of_allowed_variables_gets_that_of_our_token() -> None:
    both = merged({"httpHookAllowedEnvVars": ["THEIRS"]}, PLACES)
    assert both["httpHookAllowedEnvVars"] == ["THEIRS", "COOP_HOOK_TOKEN"]
    assert "httpHookAllowedEnvVars" not in merged({}, PLACES)


@pytest.mark.parametrize("path", ["home/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"])
@pytest.mark.parametrize("key", ["allowedHttpHookUrls", "httpHookAllowedEnvVars"])
def test_a_policy_in_a_file_that_shuts_our_hooks_out_is_kept_and_told(tmp_path: Path, path: str, key: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({key: ["theirs"]}))
    given = prepared("--model", "x", cwd=str(tmp_path), home=str(tmp_path / "home"))
    assert f"{key} in {file}" in given.absent[Tier.HOOKS]
    assert given.launch.argv == ("claude", "--session-id", NEW, "--model", "x")
    assert (given.files, given.session_id) == ({}, NEW)
    assert given.log_of_status is not None
    assert (given.log_of_status({"sessionId": OLD, "cwd": "/w"}) or "").endswith(f"projects/-w/{OLD}.jsonl")


@pytest.mark.parametrize(
    ("given", "files", "is_off"),
    [
        ({}, {"home/.claude/settings.json": True}, True),
        ({}, {"home/.claude/settings.json": True, ".claude/settings.local.json": False}, False),
        ({"disableAllHooks": False}, {".claude/settings.json": True}, False),
        ({"disableAllHooks": True}, {".claude/settings.json": False}, True),
        ({}, {"home/.claude/settings.json": "false"}, False),
    ],
)
def test_hooks_that_are_all_switched_off_are_told(
    tmp_path: Path, given: dict[str, object], files: dict[str, object], *, is_off: bool
) -> None:
    for path, value in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps({"disableAllHooks": value}))
    made = prepared("--settings", json.dumps(given), cwd=str(tmp_path), home=str(tmp_path / "home"))
    assert ("switched off" in made.absent.get(Tier.HOOKS, "")) == is_off


@pytest.mark.parametrize(
    "text",
    [
        '{"allowedHttpHookUrls": ["http://127.0.0.1:*"], "httpHookAllowedEnvVars": ["X", "COOP_HOOK_TOKEN"]}',
        '{"allowedHttpHookUrls": "*"}',
        '{"model": "opus"}',
        "[]",
        "{broken",
    ],
)
def test_a_file_without_such_a_policy_keeps_nobody_out(tmp_path: Path, text: str) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text(text)
    given = prepared(home=str(tmp_path), cwd=str(tmp_path))
    assert (set(given.files), given.absent) == ({SETTINGS}, {})


def test_claude_adds_up_all_lists_so_that_one_of_the_callers_lets_ours_in(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text('{"httpHookAllowedEnvVars": []}')
    given = prepared("--settings", '{"httpHookAllowedEnvVars": ["THEIRS"]}', cwd=str(tmp_path))
    assert settings(given)["httpHookAllowedEnvVars"] == ["THEIRS", "COOP_HOOK_TOKEN"]


@pytest.mark.parametrize("theirs", [{"hooks": None}, {"hooks": {"Stop": None}}, {"hooks": []}])
def test_settings_that_are_no_settings_do_not_keep_ours_out(theirs: Mapping[str, object]) -> None:
    assert set(hooks(merged(theirs, PLACES))) == {"SessionStart", *HTTP_HOOKS}


@pytest.mark.parametrize("form", ["{}", "--settings={}"])
def test_settings_given_as_json_are_merged_and_their_argument_goes(form: str) -> None:
    own = json.dumps(THEIRS)
    argv = ("--settings", own) if form == "{}" else (f"--settings={own}",)
    given = prepared(*argv, "--verbose")
    assert given.launch.argv == ("claude", *OURS, "--verbose")
    assert settings(given)["model"] == "opus"


def test_settings_in_a_file_are_found_from_where_the_child_starts(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps(THEIRS))
    given = prepared("--settings", "own.json", cwd=str(tmp_path))
    assert settings(given)["model"] == "opus"


def test_of_several_settings_the_last_counts() -> None:
    given = prepared("--settings", '{"model": "a"}', '--settings={"model": "b"}')
    assert settings(given)["model"] == "b"
    assert given.launch.argv == ("claude", *OURS)


def test_settings_behind_two_dashes_are_a_message() -> None:
    assert arguments("--", "--settings", "nowhere") == (*OURS, "--", "--settings", "nowhere")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("nowhere.json", "--settings nowhere.json: No such file"),
        ("{broken", "--settings {broken: expected JSON"),
        ("list.json", "--settings list.json: expected a JSON object, got list"),
        ("binary.json", "--settings binary.json: expected JSON"),
        ("", "--settings : "),
    ],
)
def test_settings_that_cannot_be_read_are_told_before_anything_starts(tmp_path: Path, value: str, says: str) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError) as told:
        prepared("--settings", value, cwd=str(tmp_path))
    assert told.value.message.startswith(says)


# Going on


def test_a_session_that_goes_on_keeps_its_id_and_its_log(tmp_path: Path) -> None:
    log = tmp_path / ".claude/projects/-work-demo" / f"{OLD}.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("{}\n")
    given = prepared("--model", "opus", home=str(tmp_path), resume=OLD)
    assert given.launch.argv == ("claude", "--settings", SETTINGS, "--resume", OLD, "--model", "opus")
    assert (given.session_id, given.log) == (None, str(log))
    assert given.log_from_end


def test_whoever_goes_on_with_a_session_of_another_folder_is_told_where_it_was_begun(tmp_path: Path) -> None:
    log = tmp_path / ".claude/projects/-work-other" / f"{OLD}.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"cwd":"/work/other"}\n')
    assert "begun in /work/other;" in (prepared(home=str(tmp_path), resume=OLD).warning or "")
    assert prepared(cwd="/work/other", home=str(tmp_path), resume=OLD).warning is None
    assert prepared().warning is None


@pytest.mark.parametrize(
    "runner",
    [
        ("env", "X=1", "claude"),
        ("npx", "@anthropic-ai/claude-code"),
        ("npx", "-y", "@anthropic-ai/claude-code@2.1.325"),
        ("env", "HOME=/home/claude", "claude"),
        ("env", "CLAUDE_CONFIG_DIR=~/.config/claude", "claude"),
        ("env", "-C", "/work/claude", "claude"),
        ("sudo", "-u", "claude", "claude"),
        ("timeout", "60", "/opt/bin/claude"),
        ("python", "-m", "coop_sim", "claude"),
    ],
)
def test_whoever_starts_it_our_arguments_go_to_claude(runner: tuple[str, ...]) -> None:
    argv = started(*runner, "--model", "x").launch.argv
    assert argv[: len(runner)] == runner
    assert (argv[len(runner)], argv[-2:]) == ("--settings", ("--model", "x"))


def test_a_shell_that_hides_claude_is_left_alone() -> None:
    argv = ("sh", "-c", "claude --model x")
    made = started(*argv)
    assert (made.launch.argv, made.files) == (argv, {})
