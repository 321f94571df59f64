from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from coop import errors
from coop.cli.reaching import (
    MEANINGS,
    Asking,
    Door,
    Exit,
    complete_session,
    complete_session_or_file,
    echo_json,
    exit_of,
    session,
    words_from,
    words_of,
)
from coop.wire.errors import HTTP_STATUS

SEEN: list[Door] = []


@click.command(cls=Asking)
@session
def look(door: Door, *, as_json: bool) -> None:
    SEEN.append(door)


@click.command(cls=Asking)
@session
@click.argument("words", nargs=-1)
@click.option("--note")
def tell(door: Door, *, as_json: bool, words: tuple[str, ...], note: str | None) -> None:
    echo_json({"socket": door.url, "said": [words_from(each) for each in words]})


def looked(*arguments: str, **env: str) -> Door:
    result = CliRunner().invoke(look, ["http://127.0.0.1:1", *arguments], env=env)
    assert result.exit_code == 0, result.output
    return SEEN.pop()


def test_every_exit_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Exit)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.NoSuchSession("x"), 3),
        (errors.Unreachable("x"), 3),
        (errors.Unauthorized("x"), 4),
        (errors.SelfAnswer("x"), 4),
        (errors.BadRequest("x"), 2),
        (errors.Exited("x"), 6),
        (errors.Internal("x"), 70),
        (errors.CoopError("of a newer coop"), 1),
        (errors.AgentBusy("x", "agent_busy", "working"), 1),
        (errors.Unverified("x", "unverified", "working"), 7),
        (errors.WriterBusy("x"), 1),
        (errors.TimedOut("x"), 5),
        (errors.BadRecording("x"), 2),
        (errors.Declined("x"), 1),
    ],
)
def test_what_goes_wrong_has_its_exit_code(error: errors.CoopError, code: int) -> None:
    assert exit_of(error) == code


def busy(message: str, state: str) -> errors.AgentBusy:
    return errors.AgentBusy(message, "agent_busy", state)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (busy("it asks something; answer that first", "ask_user"), "it asks something; answer it with coop respond"),
        (
            busy("it is at work; give when: queue", "working"),
            "it is at work; coop wait tells when it is idle; or give --when queue, interrupt or steer",
        ),
        (busy("it is not waiting; watch its state", "alt_screen"), "it is not waiting; watch its state"),
        (
            errors.NoDriver("agent 'unknown' cannot be nudged; start coop with --agent, or use /api/v1/input"),
            "agent 'unknown' cannot be nudged; start coop with --agent, or use coop type and coop keys",
        ),
        (
            errors.Unauthorized("a token is required: send 'Authorization: Bearer TOKEN'"),
            "a token is required; give --token, --token-file or COOP_TOKEN",
        ),
        (errors.WriterBusy("somebody types; try again"), "somebody types; try again"),
    ],
)
def test_people_are_told_what_to_do_by_the_names_of_commands(error: errors.CoopError, words: str) -> None:
    assert words_of(error) == words


def test_every_code_of_the_api_leads_to_an_exit_code_that_is_not_success() -> None:
    from coop.wire.errors import decode_error

    for code in HTTP_STATUS:
        error = decode_error({"error": {"code": code, "message": "x"}})
        assert error is not None
        assert exit_of(error) is not Exit.DONE


def test_the_token_comes_from_the_command_line_a_file_or_the_environment(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("filed\n")
    assert looked().token is None
    assert looked("--token", "given", COOP_TOKEN="around").token == "given"
    assert looked("--token-file", str(tmp_path / "token")).token == "filed"
    assert looked(COOP_TOKEN="around", COOP_AUTH_TOKEN="of coop itself").token == "around"
    assert looked(COOP_AUTH_TOKEN="of coop itself").token == "of coop itself"
    assert looked(COOP_TOKEN_FILE=str(tmp_path / "token")).token == "filed"


def test_what_the_command_line_says_counts_before_the_environment(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("filed\n")
    (tmp_path / "other").write_text("other\n")
    assert looked("--token-file", str(tmp_path / "token"), COOP_TOKEN="around").token == "filed"
    assert looked("--token", "given", COOP_TOKEN_FILE=str(tmp_path / "token")).token == "given"
    assert looked("--token-file", str(tmp_path / "other"), COOP_TOKEN_FILE=str(tmp_path / "token")).token == "other"
    assert looked(COOP_TOKEN="around", COOP_TOKEN_FILE=str(tmp_path / "token")).token == "around"


def test_two_tokens_or_none_in_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("\n")
    both = CliRunner().invoke(look, ["http://127.0.0.1:1", "--token", "x", "--token-file", str(tmp_path / "token")])
    assert (both.exit_code, both.stderr) == (2, "look: --token and --token-file: give one of them\n")
    empty = CliRunner().invoke(look, ["http://127.0.0.1:1", "--token-file", str(tmp_path / "token")])
    assert (empty.exit_code, empty.stderr) == (2, f"look: --token-file {tmp_path}/token: the file is empty\n")


@pytest.mark.parametrize("around", [None, "around"])
def test_a_token_file_that_cannot_be_read_is_told_of(around: str | None) -> None:
    result = CliRunner().invoke(look, ["http://127.0.0.1:1", "--token-file", "/nowhere"], env={"COOP_TOKEN": around})
    assert (result.exit_code, result.stderr) == (2, "look: --token-file /nowhere: No such file or directory\n")


def test_a_dot_is_the_session_this_runs_in() -> None:
    result = CliRunner().invoke(look, ["."], env={"COOP": "1", "COOP_SOCKET": "/run/mine.sock"})
    assert result.exit_code == 0
    assert SEEN.pop().url == "unix:/run/mine.sock"


def test_an_empty_name_is_a_mistake_on_the_command_line() -> None:
    result = CliRunner().invoke(look, [""], env={"COOP": "1", "COOP_SOCKET": "/run/mine.sock"})
    assert (result.exit_code, SEEN) == (2, [])
    assert result.stderr.startswith("look: the name of the session is empty; ")


def test_an_error_is_json_too_where_json_is_asked_for(tmp_path: Path) -> None:
    result = CliRunner().invoke(look, ["nobody", "--json"], env={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert result.exit_code == 3
    assert result.stdout == '{"error":{"code":"NO_SESSION","message":"no session is named \'nobody\'; none runs here"}}\n'
    assert result.stderr == "look: no session is named 'nobody'; none runs here\n"


def test_a_mistake_on_the_command_line_is_a_line_and_json_as_all_else_that_goes_wrong() -> None:
    mistaken = CliRunner().invoke(look, ["a", "b", "--json"])
    words = "Got unexpected extra argument (b); look --help tells how it is used"
    assert (mistaken.exit_code, mistaken.stderr) == (2, f"look: {words}\n")
    assert mistaken.stdout == f'{{"error":{{"code":"BAD_REQUEST","message":"{words}"}}}}\n'


@pytest.mark.parametrize(
    ("arguments", "given", "name"),
    [
        (["a", "b\udcff"], b"", "WORDS"),
        (["a", "--note", "\udcff"], b"", "--note"),
        (["-"], b"a\xffb", "standard input"),
    ],
)
def test_bytes_that_are_no_text_are_told_of(arguments: list[str], given: bytes, name: str) -> None:
    result = CliRunner().invoke(tell, ["unix:/x", *arguments, "--json"], input=given)
    words = f"{name}: expected text in UTF-8, got the byte 0xff; iconv makes UTF-8 of other text"
    assert (result.exit_code, result.stderr) == (2, f"tell: {words}\n")
    assert result.stdout == f'{{"error":{{"code":"BAD_REQUEST","message":"{words}"}}}}\n'


def test_a_path_of_any_bytes_is_taken_and_told_as_well_as_json_can() -> None:
    result = CliRunner().invoke(tell, ["unix:/x\udcff", "a"])
    assert (result.exit_code, result.stdout) == (0, '{"socket":"unix:/x�","said":["a"]}\n')


def test_json_that_is_no_option_makes_no_json() -> None:
    mistaken = CliRunner().invoke(look, ["--", "a", "--json"])
    assert (mistaken.exit_code, mistaken.stdout) == (2, "")


def test_completion_does_not_fail_where_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert complete_session(click.Context(look), look.params[0], "") == []
    (tmp_path / "coop").touch()
    assert complete_session(click.Context(look), look.params[0], "") == []


def test_files_are_completed_where_no_session_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (found,) = complete_session_or_file(click.Context(look), look.params[0], "wo")
    assert (found.type, found.value) == ("file", "wo")
