"""What the errors of the API are called."""

import pytest

from coop_sim.claude.errors import api_error, unreachable


@pytest.mark.parametrize(
    ("status", "message", "kind", "shown", "is_retried"),
    [
        (400, "a bad thing", "unknown", "API Error: 400 a bad thing", False),
        (400, "Your credit balance is too low", "billing_error", "Credit balance is too low", False),
        (401, "no", "authentication_failed", "Invalid API key · Fix external API key", False),
        (403, "no", "authentication_failed", "Please run /login · API Error: 403 no", False),
        (429, "slow down", "rate_limit", "API Error: Request rejected (429) · slow down", True),
        (500, "broken", "server_error", "API Error: 500 broken", True),
    ],
)
def test_a_status_has_its_name_and_words(status: int, message: str, kind: str, shown: str, *, is_retried: bool) -> None:
    error = api_error(status, "type", message, host="h")
    assert (error.kind, error.message, error.retries > 0) == (kind, shown, is_retried)
    assert api_error(status, "type", message, host="h", may_retry=False).retries == 0


def test_an_overloaded_one_names_the_gateway() -> None:
    assert api_error(529, "overloaded_error", "Overloaded", host="127.0.0.1:1").message.endswith("gateway (127.0.0.1:1).")


def test_a_server_that_is_not_there_is_tried_again() -> None:
    assert unreachable("ECONNREFUSED").retries == 10
