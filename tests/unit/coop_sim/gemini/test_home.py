"""Who is trusted, and how workspaces are named."""

import json
from pathlib import Path

import pytest

from coop_sim.gemini.flags import Options
from coop_sim.gemini.home import Home


def home(root: Path, cwd: Path, **options: bool) -> Home:
    cwd.mkdir(parents=True, exist_ok=True)
    return Home(Options(cwd, {"HOME": str(root)}, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "is_trusted"),
    [
        ({}, None),
        ({"a/b": "TRUST_FOLDER"}, True),
        ({"a": "TRUST_FOLDER"}, True),
        ({"a": "DO_NOT_TRUST"}, False),
        ({"a/c": "TRUST_PARENT"}, True),
        ({"c": "TRUST_FOLDER"}, None),
    ],
)
def test_a_folder_is_trusted_with_what_is_in_it(tmp_path: Path, known: dict[str, str], is_trusted: bool | None) -> None:
    place = home(tmp_path, tmp_path / "a/b")
    place.folder.mkdir()
    told = {str(tmp_path / path): word for path, word in known.items()}
    (place.folder / "trustedFolders.json").write_text(json.dumps(told))
    assert place.trust() is is_trusted
    assert home(tmp_path, tmp_path / "a/b", skips_trust=True).trust() is True


def test_two_folders_of_one_name_have_two(tmp_path: Path) -> None:
    names = [home(tmp_path, tmp_path / path).slug() for path in ("a/My Proj_1.x", "b/My Proj_1.x", "a/My Proj_1.x")]
    assert names == ["my-proj-1-x", "my-proj-1-x-1", "my-proj-1-x"]
