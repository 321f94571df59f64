import pytest

from coop.agents.codex.errors import failure
from coop.model.state import ErrorKind


@pytest.mark.parametrize(
    ("message", "info", "kind"),
    [
        (
            "unexpected status 401 Unauthorized: no",
            {"http_connection_failed": {"http_status_code": 401}},
            ErrorKind.UNAUTHORIZED,
        ),
        ("unexpected status 403 Forbidden", None, ErrorKind.UNAUTHORIZED),
        (
            "exceeded retry limit, last status: 429 Too Many Requests",
            {"response_too_many_failed_attempts": {"http_status_code": 429}},
            ErrorKind.RATE_LIMITED,
        ),
        ("unexpected status 503 Service Unavailable", None, ErrorKind.OVERLOADED),
        ("You have hit your usage limit. Try again at 5 PM.", "usage_limit_exceeded", ErrorKind.RATE_LIMITED),
        ("Quota exceeded. Check your plan and billing details.", "other", ErrorKind.OUT_OF_CREDITS),
        ("Connection failed: error sending request", "other", ErrorKind.NO_NETWORK),
        ("experiencing high demand", "internal_server_error", ErrorKind.OTHER),
        ("stream disconnected before completion", "other", ErrorKind.OTHER),
        ("odd", {"a": 1, "b": 2}, ErrorKind.OTHER),
        ("odd", {"response": {"http_status_code": "x"}}, ErrorKind.OTHER),
    ],
)
def test_an_error_has_a_kind(message: str, info: object, kind: ErrorKind) -> None:
    assert failure(message, info).kind is kind


def test_when_a_limit_ends_is_told() -> None:
    assert failure("usage limit. Try again at 5 PM.").resets_at == "5 PM"
    assert failure("").detail
