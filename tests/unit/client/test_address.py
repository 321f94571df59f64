import pytest

from coop.client.address import Address, address_of, bearer
from coop.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("unix:/run/a.sock", Address("http://localhost", "/run/a.sock")),
        ("unix:///run/a.sock", Address("http://localhost", "/run/a.sock")),
        ("unix:a.sock", Address("http://localhost", "a.sock")),
        ("http://localhost:8080/", Address("http://localhost:8080")),
        ("https://coop.example", Address("https://coop.example")),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["", "unix:", "localhost:8080", "ftp://x", "http:", "http://", "/run/a.sock", "http://:80"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected unix:PATH or http://HOST:PORT"):
        address_of(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [("http://h:99999", "out of range"), ("http://h:abc", "abc"), ("http://[::1", "Invalid IPv6")],
)
def test_what_is_wrong_with_a_url_is_said(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        address_of(text)


def test_a_token_is_sent_as_it_is_when_it_can_be() -> None:
    assert bearer("ключ") == "Bearer ключ"
    for token, says in (("", "is empty"), ("two\nlines", "cannot be sent"), ("\udcff", "cannot be sent")):
        with pytest.raises(ConfigError, match=says):
            bearer(token)
