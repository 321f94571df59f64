"""What the API's errors are called in hooks and on the screen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownError:
    kind: str
    message: str


ERRORS = {
    400: KnownError("invalid_request", "API Error: 400 Prompt is too long"),
    401: KnownError("authentication_failed", "Invalid API key · Fix external API key"),
    402: KnownError("billing_error", "Credit balance too low · Add funds"),
    403: KnownError("authentication_failed", "Please run /login · API Error: 403 Request not allowed"),
    429: KnownError("rate_limit", "API Error: Request rejected (429) · This request would exceed your rate limit"),
    500: KnownError("server_error", "API Error: 500 Internal server error"),
    529: KnownError(
        "server_error",
        "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.",
    ),
}


def retry_message(status: int) -> str:
    return "529 Overloaded" if status == 529 else "API error"
