import os
from pathlib import Path

import pytest

from coop.cli.files import read_recording, toml, write_private
from coop.errors import BadRecording, ConfigError


def test_what_is_left_is_for_its_user_alone(tmp_path: Path) -> None:
    for name, force in (("new", False), ("forced", True)):
        write_private(tmp_path / name, b"x", force=force)
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    with pytest.raises(ConfigError, match="--force overwrites it"):
        write_private(tmp_path / "theirs", b"x", force=False)
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "link").symlink_to("theirs")
    with pytest.raises(ConfigError):
        write_private(tmp_path / "link", b"x", force=False)
    write_private(tmp_path / "link", b"x", force=True)
    assert ((tmp_path / "theirs").read_text(), (tmp_path / "link").is_symlink()) == ("theirs", False)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "theirs"]


def test_what_cannot_be_written_or_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write"):
        write_private(tmp_path / "no" / "file", b"x", force=False)
    with pytest.raises(BadRecording, match="No such file"):
        read_recording(tmp_path / "no")
    with pytest.raises(ConfigError, match=r"--rules .*No such file"):
        toml(tmp_path / "no", "--rules")
    (tmp_path / "bad").write_text("=")
    with pytest.raises(ConfigError, match="not TOML"):
        toml(tmp_path / "bad", "--rules")


def test_only_a_plain_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(ConfigError, match="no plain file"):
            write_private(tmp_path / name, b"x", force=True)
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "pipe"]


def test_a_dash_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="standard output"):
        write_private(Path("-"), b"x", force=True)
    assert not list(tmp_path.iterdir())
