"""What is recorded of Claude Code can be told again, and what other dialogs would have made of it."""

from pathlib import Path

from coop.testing.claude import seeded_home
from tests.live.claude.conftest import StartLab
from tests.support.recordings import shows_what_a_broken_dialog_file_would_have_said


def test_a_broken_dialog_file_shows_what_it_would_have_said(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=seeded_home(tmp_path, trusted=False))
    shows_what_a_broken_dialog_file_would_have_said(lab, "claude", tmp_path)
