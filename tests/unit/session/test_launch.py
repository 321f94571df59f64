import stat
from pathlib import Path

from coop.model.launch import Launch, Prepared
from coop.model.screen import Size
from coop.session.launch import HookDoor, launch, remove_files, write_files
from coop.session.places import Places

PLACES = Places(Path("/run/coop"), "it")
DOOR = HookDoor("http://127.0.0.1:4711", "a token")
CHILD = Launch(("sh",), {}, Size(80, 24))


def env_of(**inherited: str) -> dict[str, str]:
    size = Size(80, 24)
    return dict(launch(("sh",), inherited=inherited, size=size, term="xterm-256color", places=PLACES, door=DOOR).env)


def test_the_child_is_told_where_it_runs() -> None:
    env = env_of()
    assert env == {
        "TERM": "xterm-256color",
        "COOP": "1",
        "COOP_SOCKET": "/run/coop/it.sock",
        "COOP_HOOK_PIPE": "/run/coop/it.hooks",
        "COOP_URL": "http://127.0.0.1:4711",
        "COOP_HOOK_TOKEN": "a token",
    }


def test_the_host_terminals_variables_are_scrubbed() -> None:
    env = env_of(TMUX="x", TERM_PROGRAM="y", KITTY_WINDOW_ID="1", STY="z", COLUMNS="80", TERM="tmux-256color", HOME="/h")
    assert set(env) == {"TERM", "COOP", "COOP_SOCKET", "COOP_HOOK_PIPE", "COOP_URL", "COOP_HOOK_TOKEN", "HOME"}
    assert env["TERM"] == "xterm-256color"


def test_no_setting_or_token_of_ours_reaches_the_child() -> None:
    env = env_of(COOP_AUTH_TOKEN="secret", COOP_PORT="1", COOP_SOCKET="/parents")
    assert "secret" not in env.values()
    assert "COOP_PORT" not in env
    assert env["COOP_SOCKET"] == "/run/coop/it.sock"


FILE = "/settings.json"


def test_files_for_the_child_are_for_its_user_alone(tmp_path: Path) -> None:
    directory = tmp_path / "it.files"
    path = f"{directory}{FILE}"
    write_files(Prepared(CHILD, {path: b"{}"}), directory)
    assert Path(path).read_bytes() == b"{}"
    assert (stat.S_IMODE(Path(path).stat().st_mode), stat.S_IMODE(directory.stat().st_mode)) == (0o600, 0o700)
    write_files(Prepared(CHILD, {path: b"[]"}), directory)
    assert Path(path).read_bytes() == b"[]"


def test_what_was_written_for_the_child_goes_with_it(tmp_path: Path) -> None:
    directory = tmp_path / "it.files"
    prepared = Prepared(CHILD, {f"{directory}{FILE}": b"{}"})
    write_files(prepared, directory)
    remove_files(prepared, directory)
    assert list(tmp_path.iterdir()) == []
    remove_files(prepared, directory)


def test_without_files_nothing_is_made(tmp_path: Path) -> None:
    write_files(Prepared(CHILD), tmp_path / "it.files")
    assert list(tmp_path.iterdir()) == []


def test_what_somebody_else_put_there_stays(tmp_path: Path) -> None:
    directory = tmp_path / "it.files"
    prepared = Prepared(CHILD, {f"{directory}{FILE}": b"{}"})
    write_files(prepared, directory)
    (directory / "theirs").write_text("x")
    remove_files(prepared, directory)
    assert [path.name for path in directory.iterdir()] == ["theirs"]
