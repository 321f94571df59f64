import signal

import pytest

from coop.errors import BadRequest
from coop.wire.http import InputRequest, KeysRequest, ResizeRequest, decode, decode_base64, signal_number


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (b"", InputRequest, "expected a JSON object"),
        (b"[]", InputRequest, "Expected `object`"),
        (b"{", InputRequest, "truncated"),
        (b'{"text":1}', InputRequest, r"\$\.text"),
        (b'{"text":"a","entre":true}', InputRequest, "entre"),
        (b"{}", InputRequest, "text"),
        (b"\xff", InputRequest, "JSON"),
        (b'{"text":"\\ud800"}', InputRequest, "JSON"),
        (b'{"keys":"Enter"}', KeysRequest, r"\$\.keys"),
        (b'{"cols":0,"rows":5}', ResizeRequest, r"\$\.cols"),
        (b'{"cols":80,"rows":99999}', ResizeRequest, r"\$\.rows"),
        (b'{"cols":80}', ResizeRequest, "rows"),
    ],
)
def test_a_malformed_body_is_refused_by_its_field(body: bytes, kind: type, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        decode(body, kind)


@pytest.mark.parametrize("name", ["SIGINT", "INT", "int", "2", " sigint "])
def test_a_signal_has_many_names(name: str) -> None:
    assert signal_number(name) == signal.SIGINT


@pytest.mark.parametrize("name", ["", "SIGNOPE", "0", "9999", "-9", "SIG_DFL", "SIGINT\n2", "²"])
def test_what_is_no_signal_is_refused(name: str) -> None:
    with pytest.raises(BadRequest, match="signal: expected"):
        signal_number(name)


@pytest.mark.parametrize("text", ["a", "a b=", "é", "====", "YQ=\n="])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="data: expected base64"):
        decode_base64(text)
