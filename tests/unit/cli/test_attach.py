from pathlib import Path

import pytest
from click.testing import CliRunner

from coop.cli.attach import _control_character, _name, _refuse_own, attach
from coop.client.address import Address, address_of
from coop.errors import ConfigError


@pytest.mark.parametrize(
    ("key", "code"), [("Ctrl-\\", 0x1C), ("Ctrl-]", 0x1D), ("ctrl-b", 2), ("C-a", 1), ("Ctrl-^", 0x1E), ("none", None)]
)
def test_a_detach_key_is_a_control_character(key: str, code: int | None) -> None:
    assert _control_character(key) == code


@pytest.mark.parametrize("key", ["", "x", "F5", "Enter", "Tab", "Escape", "Ctrl-M", "Ctrl-I", "Alt-d", "Ctrl-é", "Ctrl-Up"])
def test_another_key_is_refused(key: str) -> None:
    with pytest.raises(ConfigError, match="expected a key with Ctrl"):
        _control_character(key)


def test_nobody_looks_at_a_session_from_within(tmp_path: Path) -> None:
    own = str(tmp_path / "work.sock")
    with pytest.raises(ConfigError, match="the session you are in"):
        _refuse_own(address_of(f"unix:{own}"), {"COOP": "1", "COOP_SOCKET": own})
    _refuse_own(address_of(f"unix:{own}"), {"COOP_SOCKET": own})
    _refuse_own(address_of(f"unix:{own}2"), {"COOP": "1", "COOP_SOCKET": own})


def test_a_session_is_called_by_its_name_or_its_place() -> None:
    assert _name(Address("http://localhost", "/run/coop/work.sock")) == "work"
    assert _name(Address("http://127.0.0.1:8080")) == "127.0.0.1:8080"


def test_a_wrong_key_is_told_before_anything_is_done() -> None:
    done = CliRunner().invoke(attach, ["--detach-key", "x"])
    assert done.exit_code == 2
    assert "expected a key with Ctrl" in done.output


def test_a_session_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(attach, ["nobody"], env={"XDG_RUNTIME_DIR": str(tmp_path), "COOP": ""})
    assert done.exit_code == 3
    assert "no session is named 'nobody'" in done.output
