import pytest

from coop.cli.resize import size_of
from coop.errors import BadRequest
from coop.wire.http import ResizeRequest


@pytest.mark.parametrize("text", ["200x50", "200X50", "200×50"])
def test_a_size_is_a_width_and_a_height(text: str) -> None:
    assert size_of(text) == ResizeRequest(200, 50)


@pytest.mark.parametrize("text", ["", "200", "200x", "x50", "-1x5", "200 50", "9" * 10 + "x1", "²x5"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        size_of(text)
