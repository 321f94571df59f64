"""Patches: what they change."""

from pathlib import Path

import pytest

from coop_sim.codex.patch import BadPatch, changes_in

PATCH = """*** Begin Patch
*** Add File: new/one
+first
+second
*** Update File: old
@@
 kept
-before
+after
*** Delete File: gone
*** End Patch
"""


def test_a_patch_adds_changes_and_deletes(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("top\nkept\nbefore\n")
    (tmp_path / "gone").write_text("x")
    changes = changes_in(PATCH)
    assert [change.heading() for change in changes] == ["Added new/one (+2 -0)", "Edited old (+1 -1)", "Deleted gone (+0 -0)"]
    assert changes[1].numbered(tmp_path) == ["2  kept", "3 -before", "3 +after"]
    for change in changes:
        change.apply(tmp_path)
    assert (tmp_path / "new/one").read_text() == "first\nsecond\n"
    assert (tmp_path / "old").read_text() == "top\nkept\nafter\n"
    assert not (tmp_path / "gone").exists()


def test_what_does_not_fit_is_said(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("something else\n")
    with pytest.raises(BadPatch, match="Failed to find expected lines"):
        changes_in(PATCH)[1].apply(tmp_path)
