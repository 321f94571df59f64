"""A twentieth of the campaign: the whole of it is `make evidence`."""

from tests.fuzz.campaign import run

GATE = 5_000


def test_five_thousand_bad_inputs_crash_hang_or_break_nothing() -> None:
    rows = run(seed=1, count=GATE)
    assert sum(row.count for row in rows) >= GATE
