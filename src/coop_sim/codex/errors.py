"""What Codex makes of the API's errors."""

from http import HTTPStatus

from coop_sim.codex.model import Failure
from coop_sim.scenario import ApiError, KnownError
from coop_sim.shapes import as_table, as_text, read_table

_BUSY = "We’re currently experiencing high demand, which may cause temporary errors."
_NO_QUOTA = Failure("Quota exceeded. Check your plan and billing details.", "usage_limit_exceeded")
DROPPED = Failure(
    "stream disconnected before completion: Transport error: network error: error decoding response body", is_retried=True
)
CLOSED = Failure("stream disconnected before completion: stream closed before response.completed", is_retried=True)
UNREACHABLE = Failure("Connection failed: error sending request", is_network=True)
ERRORS = {
    400: KnownError("other", '{"error":{"message":"a bad request"}}'),
    401: KnownError("unauthorized", "unexpected status 401 Unauthorized: Incorrect API key provided"),
    429: KnownError("rate_limit_exceeded", "exceeded retry limit, last status: 429 Too Many Requests"),
    500: KnownError("internal_server_error", _BUSY),
}


def http_failure(status: int, body: str, url: str) -> Failure:
    told = as_table(read_table(body).get("error"))
    if as_text(told.get("code")) == "insufficient_quota":
        return _NO_QUOTA
    match status:
        case 400:
            return Failure(body)
        case 429:
            name = "response_too_many_failed_attempts"
            return Failure(f"exceeded retry limit, last status: {_named(status)}", {name: {"http_status_code": status}})
        case 500:
            return Failure(_BUSY, "internal_server_error", is_retried=True)
        case _:
            message = f"unexpected status {_named(status)}: {as_text(told.get('message'), body)}, url: {url}"
            return Failure(message, {"http_connection_failed": {"http_status_code": status}}, is_retried=True)


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def stream_failure(code: str, message: str) -> Failure:
    """The stream itself said that it failed."""
    match code:
        case "insufficient_quota":
            return _NO_QUOTA
        case "rate_limit_exceeded":
            return Failure(f"rate limit exceeded: {message}", "rate_limit_exceeded")
        case "context_length_exceeded":
            return Failure(message, "context_window_exceeded")
        case _:
            return Failure(f"stream disconnected before completion: {message}", is_retried=True)


def scripted_failure(error: ApiError) -> Failure:
    return Failure(error.message, error.kind)
