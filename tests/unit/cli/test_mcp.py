from pathlib import Path

import pytest
from click.testing import CliRunner

from coop.cli.mcp import mcp


@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_token_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "token").write_text(content)
    done = CliRunner().invoke(mcp, ["--http-port", "0", "--token-file", str(tmp_path / "token")])
    assert (done.exit_code, "the file is empty" in done.output) == (2, True)


def test_its_help_names_the_scopes() -> None:
    assert "read,nudge,respond,start" in CliRunner().invoke(mcp, ["--help"]).output
