"""A mistake in a request is answered with what was expected and what came."""

import pytest
from msgspec import inspect

from coop.errors import BadRequest
from coop.v1.coop_pb2 import NudgeRequest as GrpcNudge
from coop.wire import grpc, http, ws

NUDGES = "Expected one of `idle`, `interrupt`, `queue`, `steer`"


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b'{"message":"x","when":"foo"}', http.NudgeRequest, f"body: {NUDGES}, got 'foo' - at `$.when`"),
        (b'{"mode":"x"}', http.StopConfigBody, "body: Expected one of `allow`, `gate`, got 'x' - at `$.mode`"),
        (b'{"cols":0,"rows":3}', http.ResizeRequest, "body: Expected `int` >= 1, got 0 - at `$.cols`"),
        (b'{"message":"x","wait":99}', http.NudgeRequest, "body: Expected `float` <= 60.0, got 99 - at `$.wait`"),
        (
            b'{"keys":["a","%b"]}' % (b"x" * 70),
            http.KeysRequest,
            "body: Expected `str` of length <= 64, got 70 - at `$.keys[1]`",
        ),
        (b'{"answers":[{"option":0}]}', http.RespondRequest, "body: Expected `int` >= 1, got 0 - at `$.answers[0].option`"),
        (b'{"cols":"a","rows":3}', http.ResizeRequest, "body: Expected `int`, got `str` - at `$.cols`"),
        (b'{"txt":"a"}', http.InputRequest, "body: Object contains unknown field `txt`"),
        (b'{"cols":0', http.ResizeRequest, "body: Expected `int` >= 1 - at `$.cols`"),
    ],
)
def test_of_a_body(body: bytes, kind: type, said: str) -> None:
    with pytest.raises(BadRequest) as refused:
        http.decode(body, kind)
    assert refused.value.message == said


def test_of_a_query() -> None:
    with pytest.raises(BadRequest, match=r"^query: Expected one of `ansi`, `text`, got 'html' - at `\$\.format`$"):
        http.query({"format": "html"}, http.ScreenQuery)
    with pytest.raises(BadRequest, match=r"one of `all`, `raw`, `screen`, `state`, `terminal`, got 'foo' - at `\$\.mode`$"):
        http.query({"mode": "foo"}, ws.StreamQuery)


def test_of_a_message() -> None:
    with pytest.raises(BadRequest, match=r"^message: Expected one of `acquire`, `release`, got 'x' - at `\$\.action`$"):
        ws.decode('{"type":"lock","action":"x"}')
    with pytest.raises(BadRequest, match=r"^message: Expected one of `input`, .*`auth`, `ping`, got 'lok' - at `\$\.type`$"):
        ws.decode('{"type":"lok"}')
    with pytest.raises(BadRequest, match=r"`int` >= 0, got -1 - at `\$\.offset`$"):
        ws.decode('{"type":"replay","offset":-1}')


def test_of_a_call() -> None:
    with pytest.raises(BadRequest, match=r"^request: Expected `float` <= 60.0, got 99.0 - at `\$\.wait`$"):
        grpc.decode(GrpcNudge(message="x", wait=99), http.NudgeRequest)


def test_what_came_is_cut_where_it_is_long() -> None:
    with pytest.raises(BadRequest) as refused:
        http.decode(b'{"message":"x","when":"%b"}' % (b"f" * 1000), http.NudgeRequest)
    assert len(refused.value.message) < 200


def test_what_there_was_to_choose_from_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[object] = []
    describe = inspect.type_info

    def counted(kind: object) -> inspect.Type:
        described.append(kind)
        return describe(kind)

    monkeypatch.setattr(inspect, "type_info", counted)
    for _ in range(3):
        with pytest.raises(BadRequest, match=r"^message: Expected one of `input`, .*, got 'x' - at `\$\.type`$"):
            ws.decode('{"type":"x"}')
    assert len(described) <= 1
