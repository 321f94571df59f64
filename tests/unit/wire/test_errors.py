import json
from typing import get_args

import pytest

from coop import errors
from coop.model.commands import Reason, Refused
from coop.wire.errors import HTTP_STATUS, ErrorCode, as_error, decode_error, encode_error

NEVER_ON_THE_WIRE = {"LAUNCH_FAILED", "UNREACHABLE", "NO_SESSION", "BAD_RECORDING", "CONFIG"}


def test_every_error_has_a_status_and_a_documented_code() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.CoopError)]
    codes = {kind.code for kind in kinds} - NEVER_ON_THE_WIRE
    assert codes <= set(HTTP_STATUS)
    assert set(HTTP_STATUS) == set(get_args(ErrorCode))


def test_every_refusal_is_an_error_of_the_table() -> None:
    assert {as_error(Refused(reason, "why")).code for reason in Reason} <= set(HTTP_STATUS)


def test_the_envelope_is_the_seeds() -> None:
    assert encode_error(errors.NotFound("no")) == b'{"error":{"code":"NOT_FOUND","message":"no"}}'


@pytest.mark.parametrize("code", sorted(HTTP_STATUS))
def test_an_error_is_the_same_class_on_the_other_side(code: str) -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.CoopError)]
    kind = next(kind for kind in reversed(kinds) if kind.code == code)
    sent = kind("no", "why", "working", {"lines": 1}) if issubclass(kind, errors.NotNow) else kind("no")
    read = decode_error(json.loads(encode_error(sent)))
    assert type(read) is kind
    assert vars(read) | {"code": code} == vars(sent) | {"code": code}


@pytest.mark.parametrize("body", [None, [], {}, {"error": "no"}, {"error": {"code": 1, "message": "x"}}])
def test_what_is_no_error_of_ours_is_none(body: object) -> None:
    assert decode_error(body) is None
