import os
from pathlib import Path

import pytest

from coop.session.disk import RealDisk


def test_a_file_is_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("é")
    assert RealDisk().read(str(tmp_path / "a")) == "é"
    with pytest.raises(OSError, match="No such file"):
        RealDisk().read(str(tmp_path / "b"))


def test_of_what_fits_a_pattern_the_newest_comes_first(tmp_path: Path) -> None:
    for age, name in enumerate(("new", "old", "older")):
        (tmp_path / f"{name}.jsonl").touch()
        os.utime(tmp_path / f"{name}.jsonl", (1000 - age, 1000 - age))
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    found = [Path(path).stem for path in RealDisk().newest(str(tmp_path), "*.jsonl")]
    assert [name for name in found if name != "gone"] == ["new", "old", "older"]


def test_files_and_folders_are_told_apart_and_links_are_followed(tmp_path: Path) -> None:
    disk = RealDisk()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    assert (disk.is_file(f"{tmp_path}/file"), disk.is_folder(f"{tmp_path}/file")) == (True, False)
    assert (disk.is_file(f"{tmp_path}/link"), disk.is_folder(f"{tmp_path}/link")) == (False, True)
    assert disk.real(f"{tmp_path}/link/file") == f"{tmp_path.resolve()}/file"


def test_a_folder_is_roots_alone_when_nobody_else_can_change_it_or_one_above(tmp_path: Path) -> None:
    assert RealDisk().is_roots_alone("/")
    tmp_path.chmod(0o777)
    assert not RealDisk().is_roots_alone(str(tmp_path))
    assert not RealDisk().is_roots_alone(str(tmp_path / "below"))
