from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from coop.cli.reaching import Door
from coop.cli.wait import ATTENTION, KINDS, complete_kinds, kinds_of, wait
from coop.errors import BadRequest, NoSuchSession
from coop.model.prompt import Permission
from coop.model.state import Exited, Failed, Idle, Prompted


def test_states_are_named_as_people_or_as_the_api_name_them() -> None:
    assert kinds_of("idle") is kinds_of("waiting_for_input") is Idle
    assert kinds_of("idle, prompt") == Idle | Prompted
    assert kinds_of("permission_prompt") is Permission
    assert kinds_of(ATTENTION) == Idle | Prompted | Failed | Exited


def test_an_end_is_named_as_every_surface_names_it_in_letters_of_any_size() -> None:
    assert kinds_of("exit") is kinds_of("exited") is kinds_of("Exited") is Exited
    assert kinds_of("IDLE,Waiting_For_Input") is Idle


def test_states_are_completed_each_after_its_comma() -> None:
    def completed(begun: str) -> list[str]:
        return [item.value for item in complete_kinds(click.Context(wait), wait.params[1], begun)]

    assert completed("p") == ["prompt", "permission", "plan"]
    assert completed("idle,ex") == ["idle,exited"]
    assert completed("idle,zz") == []


def test_a_name_that_is_not_there_yet_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str | None] = []

    def door_of(word: str | None, token: str | None) -> Door:
        looks.append(word)
        if len(looks) < 3:
            raise NoSuchSession("no session is named 'soon'")
        return Door("unix:/nowhere/soon.sock", token)

    monkeypatch.setattr("coop.cli.wait.door_of", door_of)
    assert "unix:/nowhere/soon.sock cannot be reached" in CliRunner().invoke(wait, ["soon", "--timeout", "30"]).stderr
    assert looks == ["soon"] * 3


@pytest.mark.parametrize("arguments", [["nobody", "--timeout", "0"], ["nobody", "--timeout", "0.2"], []])
def test_it_is_not_looked_for_longer_than_it_may_be(arguments: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(wait, arguments, env={"XDG_RUNTIME_DIR": str(tmp_path), "COOP": None})
    assert (done.exit_code, "no session" in done.stderr) == (3, True)


@pytest.mark.parametrize("words", ["", ",", "idel", "idle,promt"])
def test_a_word_that_is_none_is_answered_with_those_there_are(words: str) -> None:
    with pytest.raises(BadRequest, match=", ".join(KINDS)):
        kinds_of(words)
