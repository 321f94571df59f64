"""What the API's errors are called in hooks and on the screen."""

from coop_sim.scenario import ApiError, KnownError

_RETRIES = 10
_FIRST_WAIT = 0.5


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


def api_error(status: int, type_: str, message: str, *, host: str, may_retry: bool = True) -> ApiError:
    """What an HTTP error of the API becomes. Only what may pass by itself is tried again."""
    retries = _RETRIES if may_retry and (status == 429 or status >= 500) else 0
    kind, told = _told(status, message, host)
    return ApiError(status, kind, told, retries, _FIRST_WAIT, 2.0, type_)


def _told(status: int, message: str, host: str) -> tuple[str, str]:
    lower = message.lower()
    match status:
        case 400 if "credit balance" in lower:
            return "billing_error", "Credit balance is too low"
        case 400 if "prompt is too long" in lower:
            return "invalid_request", "Prompt is too long"
        case 401:
            return "authentication_failed", ERRORS[401].message
        case 403:
            return "authentication_failed", f"Please run /login · API Error: 403 {message}"
        case 429:
            return "rate_limit", f"API Error: Request rejected (429) · {message}"
        case 529:
            return "server_error", f"{ERRORS[529].message} If it persists, check your inference gateway ({host})."
        case _ if status >= 500:
            return "server_error", f"API Error: {status} {message}"
        case _:
            return "unknown", f"API Error: {status} {message}"


def unreachable(problem: str) -> ApiError:
    """Nobody listens there, or the connection broke before an answer."""
    return ApiError(0, "server_error", f"API Error: Unable to connect to API ({problem})", _RETRIES, _FIRST_WAIT, 2.0)


def broken(message: str) -> ApiError:
    """The stream itself said that it failed."""
    return ApiError(0, "unknown", f"API Error: {message}")


def broken_off(problem: str) -> ApiError:
    return ApiError(0, "server_error", f"API Error: {problem} mid-response. The response above may be incomplete.")
