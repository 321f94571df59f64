import pytest

from coop.agents.gemini.failures import failure
from coop.model.state import ErrorKind


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ('[API Error: {"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}]', ErrorKind.UNAUTHORIZED),
        ('[API Error: {"error":{"code":403,"message":"quota project"}}]', ErrorKind.UNAUTHORIZED),
        ('[API Error: {"error":{"code":429,"message":"slow down"}}]', ErrorKind.RATE_LIMITED),
        ('[API Error: {"error":{"code":503,"message":"busy"}}]', ErrorKind.OVERLOADED),
        ('[API Error: {"error":{"code":500,"message":"it is a network"}}]', ErrorKind.OTHER),
        (
            '[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]',
            ErrorKind.UNAUTHORIZED,
        ),
        ('[API Error: {"error":{"code":400,"message":"a bad thing"}}]', ErrorKind.OTHER),
        ("[API Error: exception TypeError: fetch failed sending request]", ErrorKind.NO_NETWORK),
        ("You have exhausted your capacity on this model.", ErrorKind.RATE_LIMITED),
        ("Model stream ended without a finish reason.", ErrorKind.OTHER),
        ("", ErrorKind.OTHER),
    ],
)
def test_an_error_is_classified(words: str, kind: ErrorKind) -> None:
    assert failure(words).kind is kind
    assert failure(words).detail == words
