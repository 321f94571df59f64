import click
import pytest

from coop.cli.seconds import Seconds


@pytest.mark.parametrize(("said", "seconds"), [("0", 0.0), ("2.5", 2.5), ("1e3", 1000.0)])
def test_a_number_of_seconds_is_taken(said: str, seconds: float) -> None:
    assert Seconds(0).convert(said, None, None) == seconds


@pytest.mark.parametrize("said", ["nan", "NaN", "inf", "-inf", "soon", ""])
def test_what_is_no_number_or_not_finite_is_refused(said: str) -> None:
    with pytest.raises(click.BadParameter, match=f"expected a number of seconds, got {said}"):
        Seconds(0).convert(said, None, None)


@pytest.mark.parametrize("said", ["-1", "61"])
def test_so_is_what_is_out_of_range(said: str) -> None:
    with pytest.raises(click.BadParameter):
        Seconds(0, 60).convert(said, None, None)
