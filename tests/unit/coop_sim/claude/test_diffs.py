"""Changes as they are shown."""

from pathlib import Path

from coop_sim.claude.diffs import counted, diff_rows, numbered


def test_a_change_is_shown_with_its_surroundings(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("alpha\nbeta\ngamma\n")
    assert diff_rows(file, "beta", "BETA")[:4] == [" 1  alpha", " 2 -beta", " 2 +BETA", " 3  gamma"]


def test_lines_are_counted() -> None:
    assert counted("a\nb\nc", "a\nB\nB2\nc") == (2, 1)


def test_a_new_file_is_numbered() -> None:
    assert numbered("line1\nline2\n") == [" 1 line1", " 2 line2"]
