from collections.abc import Mapping

import pytest

from coop.mcp.started import with_token


@pytest.mark.parametrize(
    ("env", "token", "started_with"),
    [
        ({"HOME": "/h"}, None, {"HOME": "/h"}),
        ({"HOME": "/h"}, "ours", {"HOME": "/h"}),
        ({"COOP_AUTH_TOKEN": "theirs"}, "ours", {"COOP_AUTH_TOKEN": "ours"}),
        ({"COOP_AUTH_TOKEN_FILE": "/f", "HOME": "/h"}, "ours", {"COOP_AUTH_TOKEN": "ours", "HOME": "/h"}),
    ],
)
def test_what_wants_a_token_wants_that_of_the_tools(
    env: Mapping[str, str], token: str | None, started_with: Mapping[str, str]
) -> None:
    assert with_token(env, token) == started_with
