import pytest

from coop.cli.resize import size_of
from coop.errors import BadRequest
from coop.wire.http import ResizeRequest


@pytest.mark.parametrize("text", ["200x50", "200X50", "200×50"])
def test_a_size_is_a_width_and_a_height(text: str) -> None:
    assert size_of(text) == ResizeRequest(200, 50)


@pytest.mark.parametrize("text", ["", "200", "200x", "x50", "-1x5", "200 50", "9" * 10 + "x1", "²x5", "0x0", "80x0", "2001x1"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match=f"^expected a width and a height of 1 to 2000 each, like 200x50, got '{text}'$"):
        size_of(text)


def test_the_size_of_no_terminal_is_refused_in_words_of_the_command_line() -> None:
    with pytest.raises(
        BadRequest, match=r"^2000x2000 is 4,000,000 cells, and a terminal has 250,000 at most; choose a smaller"
    ):
        size_of("2000x2000")
