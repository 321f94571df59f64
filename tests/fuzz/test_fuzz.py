"""A twentieth of the campaign: the whole of it is `make evidence`."""

from tests.fuzz.campaign import run

GATE = 5_000


def test_five_thousand_bad_inputs_of_each_kind_crash_hang_or_break_nothing() -> None:
    assert [row.count for row in run(seed=1, count=GATE)] == [GATE] * 3
