import pytest
from click.testing import CliRunner

from coop.cli.command import command
from coop.cli.completion import SHELLS
from coop.cli.main import Invocation


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_names_coop(shell: str) -> None:
    result = CliRunner().invoke(command, ["completion", shell], obj=Invocation(None, nested=False))
    assert result.exit_code == 0
    assert "_COOP_COMPLETE" in result.output


def test_another_shell_is_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(command, ["completion", "csh"], obj=Invocation(None, nested=False))
    assert result.exit_code == 2
    assert "'bash', 'zsh', 'fish'" in result.output
