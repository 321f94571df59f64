import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.errors import ConfigError
from coop.session.attaching import Spec, spec_of


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("tmux:work", Spec("tmux", "work")),
        ("tmux:work:1.0", Spec("tmux", "work:1.0")),
        ("tmux:%3", Spec("tmux", "%3")),
        ("tmux@second:work", Spec("tmux", "work", "second")),
        ("tmux@/tmp/my.sock:work:1", Spec("tmux", "work:1", "/tmp/my.sock")),
        ("screen:work", Spec("screen", "work")),
    ],
)
def test_a_terminal_is_spelled(text: str, spec: Spec) -> None:
    assert spec_of(text) == spec


@pytest.mark.parametrize("text", ["", "tmux", "tmux:", "zellij:x", "tmux@:x", "screen@x:y", "work", ":work"])
def test_what_is_not_one_says_what_was_expected(text: str) -> None:
    with pytest.raises(ConfigError, match="expected tmux:TARGET"):
        spec_of(text)


@given(st.text())
def test_any_text_is_a_terminal_or_an_error(text: str) -> None:
    try:
        spec = spec_of(text)
    except ConfigError:
        return
    assert spec.target
    assert text.endswith(f":{spec.target}")
