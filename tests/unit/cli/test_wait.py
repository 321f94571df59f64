import pytest

from coop.cli.wait import ATTENTION, KINDS, kinds_of
from coop.errors import BadRequest
from coop.model.prompt import Permission
from coop.model.state import Exited, Failed, Idle, Prompted


def test_states_are_named_as_people_or_as_the_api_name_them() -> None:
    assert kinds_of("idle") is kinds_of("waiting_for_input") is Idle
    assert kinds_of("idle, prompt") == Idle | Prompted
    assert kinds_of("permission_prompt") is Permission
    assert kinds_of(ATTENTION) == Idle | Prompted | Failed | Exited


@pytest.mark.parametrize("words", ["", ",", "idel", "idle,promt"])
def test_a_word_that_is_none_is_answered_with_those_there_are(words: str) -> None:
    with pytest.raises(BadRequest, match=", ".join(KINDS)):
        kinds_of(words)
