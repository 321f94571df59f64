import json

import msgspec
import pytest

from coop.wire.text import encode


class Place(msgspec.Struct):
    path: str


@pytest.mark.parametrize("body", [{"a": [1, "é", None]}, "\U0001f600", Place("/tmp")])
def test_what_json_can_say_is_said(body: object) -> None:
    assert encode(body) == msgspec.json.encode(body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("/tmp/\udcff\udcfe", "/tmp/��"),
        ([{"cwd": "x\udcff", "n": 1}, ("y",)], [{"cwd": "x�", "n": 1}, ["y"]]),
        ({"k\udcff": True}, {"k�": True}),
        (Place("é\udcff"), {"path": "é�"}),
    ],
)
def test_bytes_that_are_no_utf_8_are_replaced_and_all_else_is_told(body: object, said: object) -> None:
    assert json.loads(encode(body)) == said
