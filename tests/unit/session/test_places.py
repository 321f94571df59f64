import os
from pathlib import Path

import pytest

from coop.errors import ConfigError
from coop.model.runtime import runtime_directory
from coop.session.places import default_name, places


def test_a_session_is_found_by_its_name(tmp_path: Path) -> None:
    where = places("build", {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert where.socket == tmp_path / "coop/build.sock"
    assert where.hook_pipe == tmp_path / "coop/build.hooks"
    assert where.directory.stat().st_mode & 0o777 == 0o700


def test_without_a_runtime_directory_one_is_made_that_nobody_else_can_enter(tmp_path: Path) -> None:
    where = places("x", {"TMPDIR": str(tmp_path)})
    assert where.directory == tmp_path / f"coop-{os.getuid()}"
    assert where.directory.stat().st_mode & 0o777 == 0o700


def test_a_variable_that_is_set_to_nothing_names_no_directory() -> None:
    assert runtime_directory({"TMPDIR": "", "XDG_RUNTIME_DIR": ""}, 7) == Path("/tmp/coop-7")
    # The child is told of what is in it, and may go elsewhere.
    assert runtime_directory({"TMPDIR": "here", "XDG_RUNTIME_DIR": "run"}, 7) == Path("/tmp/coop-7")


def test_a_directory_others_can_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "coop").mkdir(mode=0o755)
    with pytest.raises(ConfigError, match="mode 0700"):
        places("x", {"XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_symlink_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "coop").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="must be a directory of yours"):
        places("x", {"XDG_RUNTIME_DIR": str(tmp_path)})


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "-x", "a" * 65, "a b", "a\n"])
def test_a_name_that_is_no_file_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--name"):
        places(name, {"XDG_RUNTIME_DIR": str(tmp_path)})


@pytest.mark.parametrize(("command", "name"), [("/bin/bash", "bash-7"), ("./my tool", "my-tool-7"), ("...", "session-7")])
def test_a_default_name_is_after_the_command(command: str, name: str, tmp_path: Path) -> None:
    assert default_name(command, 7) == name
    places(default_name(command, 7), {"XDG_RUNTIME_DIR": str(tmp_path)})
