"""`coop completion SHELL`: the script that completes `coop` in that shell."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print the script that completes coop in your shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Prints the completion script of a shell. Use it so:

    \b
    eval "$(coop completion bash)"    in ~/.bashrc
    eval "$(coop completion zsh)"     in ~/.zshrc
    coop completion fish | source     in ~/.config/fish/config.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "coop", "_COOP_COMPLETE").source())
