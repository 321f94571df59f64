import click
import pytest

from coop.cli.whole import Whole


@pytest.mark.parametrize(("said", "number"), [("0", 0), ("65535", 65535)])
def test_a_number_of_the_range_is_taken(said: str, number: int) -> None:
    assert Whole(0, 65535).convert(said, None, None) == number


@pytest.mark.parametrize("said", ["abc", "-1", "65536", "1.5", ""])
def test_what_is_none_is_told_what_is_expected(said: str) -> None:
    with pytest.raises(click.BadParameter, match=f"^expected a number from 0 to 65535, got {said}$"):
        Whole(0, 65535).convert(said, None, None)
