from typing import get_args

from coop import errors
from coop.model.commands import Reason, Refused
from coop.wire.errors import HTTP_STATUS, ErrorCode, as_error, encode_error

NEVER_ON_THE_WIRE = {"LAUNCH_FAILED", "CONFIG"}


def test_every_error_has_a_status_and_a_documented_code() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.CoopError)]
    codes = {kind.code for kind in kinds} - NEVER_ON_THE_WIRE
    assert codes <= set(HTTP_STATUS)
    assert set(HTTP_STATUS) == set(get_args(ErrorCode))


def test_every_refusal_is_an_error_of_the_table() -> None:
    assert {as_error(Refused(reason, "why")).code for reason in Reason} <= set(HTTP_STATUS)


def test_the_envelope_is_the_seeds() -> None:
    assert encode_error(errors.NotFound("no")) == b'{"error":{"code":"NOT_FOUND","message":"no"}}'
