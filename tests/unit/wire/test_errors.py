import json
from typing import get_args

import pytest

from coop import errors
from coop.model.commands import Progress, Reason, Receipt, Refused
from coop.model.ids import ReceiptId
from coop.model.state import Exited, ExitStatus
from coop.wire.errors import GRPC_STATUS, HTTP_STATUS, ErrorCode, as_error, decode_error, encode_error, error_trailers
from coop.wire.http import ReceiptBody

NEVER_ON_THE_WIRE = {"LAUNCH_FAILED", "UNREACHABLE", "NO_SESSION", "TIMED_OUT", "DECLINED", "BAD_RECORDING", "CONFIG"}
ONLY_GRPC = {"LAGGED"}


def test_every_error_has_a_status_and_a_documented_code() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.CoopError)]
    codes = {kind.code for kind in kinds} - NEVER_ON_THE_WIRE
    assert codes - ONLY_GRPC <= set(HTTP_STATUS)
    assert set(GRPC_STATUS) == set(HTTP_STATUS) | ONLY_GRPC
    assert set(HTTP_STATUS) == set(get_args(ErrorCode))


def test_every_refusal_is_an_error_of_the_table() -> None:
    assert {as_error(Refused(reason, "why")).code for reason in Reason} <= set(HTTP_STATUS)


def test_an_exit_tells_the_receipt_of_what_was_on_its_way_and_is_an_exit_all_the_same() -> None:
    receipt = Receipt(ReceiptId("r1"), "fix it", Progress.UNVERIFIABLE)
    error = as_error(Refused(Reason.EXITED, "gone", Exited(ExitStatus(0)), receipt))
    body = json.loads(encode_error(error))
    assert body == {
        "delivered": False,
        "reason": "exited",
        "state": "exited",
        "receipt": {"id": "r1", "progress": "unverifiable", "message": "fix it"},
        "error": {"code": "EXITED", "message": "gone"},
    }
    assert isinstance(decode_error(body), errors.Exited)
    assert type(decode_error({"error": {"code": "EXITED", "message": "gone"}})) is errors.Exited


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


def test_trailers_have_the_whole_envelope() -> None:
    error = errors.AgentBusy("it works", "agent_busy", "working")
    words, metadata = error_trailers(error)
    assert (words, metadata) == ("it works", {"coop-code": "AGENT_BUSY", "coop-error-bin": encode_error(error)})


@pytest.mark.parametrize(
    "error",
    [
        errors.NotFound("ä" * 100_000),
        errors.Unverified("no proof", "unverified", "working", {"receipt": ReceiptBody("r7", "submitted", "x" * 100_000)}),
        errors.Unrecognized("what is this?", "dialog_unrecognized", "working", {"screen_lines": ("─" * 200,) * 50}),
    ],
)
def test_trailers_are_never_more_than_a_client_takes(error: errors.CoopError) -> None:
    words, metadata = error_trailers(error)
    body = metadata["coop-error-bin"]
    assert isinstance(body, bytes)
    read = decode_error(json.loads(body))
    assert len(body) * 4 / 3 + len(words.encode()) * 3 < 8000
    assert type(read) is type(error)
    if isinstance(read, errors.Unverified):
        assert read.more["receipt"] == {"id": "r7", "progress": "submitted"}
