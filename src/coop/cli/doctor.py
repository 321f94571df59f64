"""`coop doctor`: is everything in order for sessions to run here?"""

import os
from collections.abc import Sequence

import click

from coop.cli.checks import Finding, examined
from coop.cli.looks import DIM, PLAIN, Style, painted
from coop.cli.reaching import Exit, echo_json

MARKS: dict[str, Style] = {"ok": {"fg": "green"}, "warn": {"fg": "yellow", "bold": True}, "fail": {"fg": "red", "bold": True}}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(ctx: click.Context, *, as_json: bool) -> None:
    """Check this machine, and say what to do.

    Agents and their versions against those coop was tested with, whether they take coop's hooks here, sockets, ports, terminal, and
    how the tmux that is here can be attached to. Exits with 1 when something is broken.
    """
    findings = tuple(examined(os.environ))
    if as_json:
        echo_json([{"level": each.level, "subject": each.subject, "said": each.said, "do": each.do} for each in findings])
    else:
        click.echo("\n".join(told(findings)))
    ctx.exit(Exit.REFUSED if any(each.level == "fail" for each in findings) else Exit.DONE)


def told(findings: Sequence[Finding]) -> list[str]:
    room = max((len(each.subject) for each in findings), default=0)
    lines: list[str] = []
    for each in findings:
        lines.append(
            f"{painted(f'{each.level:<4}', MARKS[each.level])}  {painted(each.subject.ljust(room), PLAIN)}  {each.said}"
        )
        if each.do:
            lines.append(painted(f"{'':<{room + 8}}→ {each.do}", DIM))
    return lines
