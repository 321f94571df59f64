"""As both versions were seen to do it."""

from pathlib import Path

import pytest

from coop_sim.claude.images import attached


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    path = tmp_path / "my shot.png"
    path.write_bytes(b"\x89PNG\r\n")
    (tmp_path / "text.png").write_text("no image")
    return path


@pytest.mark.parametrize(
    ("pasted", "old", "new"),
    [
        ("{}", "[Image #3]", "[Image #3]"),
        ("'{}'", "[Image #3]", "[Image #3]"),
        ("see\n  \\{} \nok", "[Image #3]see\nok", "[Image #3]see\nok"),
        ("{0} {0}", "[Image #3] [Image #4]", "[Image #3] [Image #4]"),
        ("look at {}", "[Image #3]look at", None),
        ("compare {0} with {0}", "[Image #3]compare\n{0} with", None),
        ("/nowhere.png {}", "[Image #3]", "[Image #3]/nowhere.png"),
        ("{} is wrong", None, None),
        ("`{}`", None, None),
        ("/nowhere.png", None, None),
        ("my shot.png", None, None),
    ],
)
def test_the_path_of_an_image_makes_way_for_it(shot: Path, pasted: str, old: str | None, new: str | None) -> None:
    text = pasted.format(shot)
    for expected, within_lines in ((old, True), (new, False)):
        said = attached(text, 2, within_lines=within_lines)
        assert said == (text, 2) if expected is None else said[0] == expected.format(shot)


def test_a_file_that_is_no_image_stays_a_path(shot: Path) -> None:
    text = str(shot.with_name("text.png"))
    assert attached(text, 0, within_lines=True) == (text, 0)
