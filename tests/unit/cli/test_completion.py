import pytest
from click.shell_completion import ShellComplete
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


def test_agents_are_completed() -> None:
    completed = ShellComplete(command, {"obj": Invocation(None, nested=False)}, "coop", "_COOP_COMPLETE")
    assert [each.value for each in completed.get_completions(["--agent"], "c")] == ["claude", "codex"]
    assert {"auto", "unknown"} < {each.value for each in completed.get_completions(["--agent"], "")}
