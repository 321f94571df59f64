"""`python -m scripts.commands_page`: writes the reference in docs/commands.md anew, from what the commands say of themselves."""

from pathlib import Path

import click

from coop.cli.command import command
from coop.cli.reaching import MEANINGS
from coop.cli.subcommands import SUBCOMMANDS

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
BEGIN, END = "<!-- made by python -m scripts.commands_page -->\n", "<!-- until here -->\n"
_WIDTH = 110


def reference() -> str:
    return f"{_exit_codes()}{''.join(_section(section) for section in dict.fromkeys(each.section for each in SUBCOMMANDS.values()))}"


def _exit_codes() -> str:
    rows = "".join(f"| {code.value} | {meaning} |\n" for code, meaning in MEANINGS.items())
    return f"\n## Exit codes\n\n| code | meaning |\n|---|---|\n{rows}"


def _section(section: str) -> str:
    names = [each.name for each in SUBCOMMANDS.values() if each.section == section]
    return f"\n## {section}\n" + "".join(f"\n### coop {name}\n\n```text\n{_help(name)}\n```\n" for name in names)


def _help(name: str) -> str:
    """Without the exit codes, which are the same for all."""
    coop = click.Context(command, info_name="coop", terminal_width=_WIDTH, **command.context_settings)
    found = SUBCOMMANDS[name].load()
    said = click.unstyle(found.get_help(click.Context(found, parent=coop, info_name=name, terminal_width=_WIDTH)))
    return said.partition("\n\nExit codes:")[0].rstrip()


def written(page: str) -> str:
    """The page with the reference as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{reference()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
