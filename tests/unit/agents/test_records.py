"""Nothing that an agent writes is taken for granted."""

import pytest

from coop.agents.records import items_of, stamp_of, table_of, text_of


@pytest.mark.parametrize(("value", "text"), [("x", "x"), ("", None), (3, None), (None, None), (["x"], None)])
def test_text_is_some_text(value: object, text: str | None) -> None:
    assert text_of({"key": value}, "key") == text
    assert text_of({}, "key") is None


def test_what_is_no_table_or_list_is_an_empty_one() -> None:
    assert (table_of({"a": 1}), table_of([1]), table_of(None)) == ({"a": 1}, {}, {})
    assert (items_of([1]), items_of({"a": 1}), items_of(None)) == ([1], [], [])


@pytest.mark.parametrize(
    ("written", "at"), [("1970-01-01T00:01:00Z", 60.0), ("1970-01-01T01:00:30.5+01:00", 30.5), ("soon", None), (7, None)]
)
def test_a_time_is_read_or_is_not_known(written: object, at: float | None) -> None:
    assert stamp_of({"timestamp": written}) == at
    assert stamp_of({}) is None
