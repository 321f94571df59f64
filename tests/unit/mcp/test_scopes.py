import pytest

from coop.errors import ConfigError
from coop.mcp.scopes import Scope, scopes_of


def test_scopes_are_words_with_commas_between_them() -> None:
    assert scopes_of("read") == {Scope.READ}
    assert scopes_of(" nudge, respond,start") == {Scope.NUDGE, Scope.RESPOND, Scope.START}


@pytest.mark.parametrize("text", ["", ",", "write", "read,all", "READ"])
def test_anything_else_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(ConfigError, match="read, nudge, respond, start"):
        scopes_of(text)
