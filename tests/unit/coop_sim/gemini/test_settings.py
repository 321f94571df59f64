"""The layers of the settings."""

import json
from pathlib import Path

from coop_sim.gemini.settings import read_settings


def layer(path: Path, **values: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))
    return path


def test_later_layers_win_and_hooks_of_all_are_kept(tmp_path: Path) -> None:
    layer(tmp_path / "home/settings.json", ui={"hideTips": True, "theme": "a"}, hooks={"AfterAgent": [1]})
    layer(tmp_path / "work/.gemini/settings.json", ui={"theme": "b"}, hooks={"AfterAgent": [2]})
    found = read_settings({}, tmp_path / "home", tmp_path / "work", is_trusted=True)
    assert (found.get("ui", "hideTips"), found.get("ui", "theme")) == (True, "b")
    assert found.get("hooks", "AfterAgent") == [1, 2]
    untrusted = read_settings({}, tmp_path / "home", tmp_path / "work", is_trusted=False)
    assert untrusted.get("ui", "theme") == "a"


def test_an_administrators_layer_that_others_can_change_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    defaults = layer(tmp_path / "defaults.json", ui={"theme": "c"})
    env = {"GEMINI_CLI_SYSTEM_DEFAULTS_PATH": str(defaults)}
    found = read_settings(env, tmp_path / "home", tmp_path / "work", is_trusted=True)
    assert found.get("ui", "theme") is None
    assert "Security Warning: Skipping system defaults file" in found.warnings[0]


def test_variables_are_replaced(tmp_path: Path) -> None:
    layer(tmp_path / "home/settings.json", hooks={"A": ["${HOOK:-true} x", "$HOOK", "${OTHER}"]})
    assert read_settings({}, tmp_path / "home", tmp_path, is_trusted=False).get("hooks", "A") == ["true x", "$HOOK", "${OTHER}"]
    found = read_settings({"HOOK": "relay"}, tmp_path / "home", tmp_path, is_trusted=False)
    assert found.get("hooks", "A") == ["relay x", "relay", "${OTHER}"]
