"""`coop export`: a recording for others, without its secrets; or what it shows, as an asciicast."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coop.cli.reaching import ForScripts, echo_json
from coop.errors import ConfigError

if TYPE_CHECKING:
    from coop.session.export import Exported
    from coop.session.redaction import Secrets


def redacting(command: Any) -> Any:
    """The options by which what is masked is chosen."""
    user = click.option("--redact-user", is_flag=True, help="Mask HOME and the user's name too.")
    names = click.option("--redact-env", multiple=True, metavar="NAME", help="Mask the value of this variable. Repeatable.")
    patterns = click.option("--redact", multiple=True, metavar="REGEX", help="Mask what this matches. Repeatable.")
    return patterns(names(user(command)))


@click.command(cls=ForScripts)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--cast", "as_cast", is_flag=True, help="As an asciicast, with states and prompts as markers.")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Write it here; - is stdout.  [default: FILE's name, in this folder]",
)
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@redacting
def export(
    file: Path,
    as_cast: bool,
    to: Path | None,
    force: bool,
    redact: tuple[str, ...],
    redact_env: tuple[str, ...],
    redact_user: bool,
    *,
    as_json: bool,
) -> None:
    """Write a recording without its secrets, or as an asciicast.

    What was masked keeps its length; the export says what and how often. With --json too: where it is, what was masked, whether it
    can be replayed, and which kinds of secrets can still be read on the screen.
    """
    from coop.cli.files import STDOUT, write_private
    from coop.session.cast import cast
    from coop.session.export import file_of

    exported = exported_file(file, secrets_of(redact, redact_env, user=redact_user, env=os.environ))
    lines = "".join(f"{line}\n" for line in cast(exported.recorded)).encode() if as_cast else file_of(exported.recorded)
    target = to or Path(_stem(file) + (".cast" if as_cast else ".redacted.coop.jsonl"))
    is_piped = str(target) == STDOUT
    if is_piped and as_json:
        raise ConfigError("--to - and --json both want stdout; leave one of the two out")
    if is_piped:
        click.echo(lines, nl=False)
    else:
        write_private(target, lines, force=force)
    if as_json:
        echo_json({"path": str(target), **facts(exported, is_cast=as_cast)})
        return
    if not is_piped:
        click.echo(f"{target}")
    for line in told(exported, is_cast=as_cast):
        click.echo(f"  {line}", err=is_piped)  # what is piped is nothing but the export


def secrets_of(patterns: Sequence[str], names: Sequence[str], *, user: bool, env: Mapping[str, str]) -> "Secrets":
    """Raises `ConfigError`."""
    from coop.session.redaction import Secrets

    if unset := [name for name in names if not env.get(name)]:
        raise ConfigError(f"--redact-env {unset[0]}: that variable is not set here, so its value is not known")
    values = {f"${name}": env[name] for name in names}
    if not user:
        return Secrets.of(patterns, values)
    home = env.get("HOME", "")
    return Secrets.of(patterns, {**values, "home": home}, {"user": env.get("USER") or Path(home).name})


def exported_file(file: Path, secrets: "Secrets") -> "Exported":
    """Raises `BadRecording` and `ConfigError`."""
    from coop.cli.files import read_recording
    from coop.session.export import redacted
    from coop.session.replay import agent_of

    return redacted(read_recording(file), secrets, agent_of)


def facts(exported: "Exported", *, is_cast: bool = False) -> dict[str, object]:
    """What became of it, for programs."""
    header = exported.recorded.header
    return {
        "removed": header.removed or {},
        "replayable": bool(header.replayable) and not is_cast,
        "still_readable": sorted(exported.left),
    }


def told(exported: "Exported", *, is_cast: bool = False) -> list[str]:
    """What became of it, in words."""
    header = exported.recorded.header
    removed = ", ".join(f"{count} × {kind}" for kind, count in (header.removed or {}).items())
    lines = [f"masked: {removed or 'nothing was found to be secret'}"]
    if is_cast:
        lines.append("shows the screen; coop cannot replay it")
    elif header.begins == "middle":
        lines.append("replayable for the screen only: it was begun in the middle of a session")
    else:
        lines.append(
            "still replayable" if header.replayable else "no longer replayable: the agent is seen to do something else"
        )
    if exported.left:
        kinds = ", ".join(sorted(exported.left))
        lines.append(f"WARNING: can still be read on the screen, where it was drawn piece by piece: {kinds}; do not share it")
    return lines


def _stem(file: Path) -> str:
    return file.name.removesuffix(".jsonl").removesuffix(".coop")
