import pytest

from coop.client.address import Address, address_of
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


@pytest.mark.parametrize("text", ["", "unix:", "localhost:8080", "ftp://x", "http:", "http://", "/run/a.sock"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected unix:PATH or http://HOST:PORT"):
        address_of(text)
