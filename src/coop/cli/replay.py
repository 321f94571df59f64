"""`coop replay`: runs a recording through the core again, and says whether the same came of it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coop.cli.looks import harmless
from coop.cli.reaching import ForScripts, echo_json

if TYPE_CHECKING:
    from coop.session.replay import Difference, Replayed

SAME, DIFFERS, OTHER_VERSIONS = 0, 1, 3
_MOST = 20
_COLUMN = 58


@click.command(cls=ForScripts)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--rules", type=click.Path(path_type=Path), metavar="TOML", help="Read the screen by these dialogs instead.")
@click.option("--diff", is_flag=True, help="Show both, side by side.")
def replay(file: Path, rules: Path | None, diff: bool, as_json: bool) -> None:
    """Run a recording again, and say whether the same came of it.

    Exit code 0: the same events; 1: others; 2: it cannot be used; 3: others, but it was made with other versions.
    """
    replayed = replayed_file(file, rules)
    if as_json:
        echo_json(_as_json(replayed))
    elif diff:
        _show_both(replayed, rules)
    else:
        _tell(replayed)
    sys.exit(_code(replayed, rules))


def replayed_file(file: Path, rules: Path | None = None) -> "Replayed":
    """Raises `BadRecording` and `ConfigError`."""
    from coop.cli.files import read_recording, toml
    from coop.session.replay import agent_of, replay

    recorded = read_recording(file)
    tables = toml(rules, "--rules") if rules is not None else None
    return replay(recorded, agent_of(recorded.header, tables, source=str(rules) if rules else "the recording"))


def _code(replayed: "Replayed", rules: Path | None) -> int:
    from coop.session.replay import others

    if replayed.is_same:
        return SAME
    return OTHER_VERSIONS if rules is None and others(replayed.recorded.header) else DIFFERS


def _tell(replayed: "Replayed") -> None:
    recorded = replayed.recorded
    told, items = len(recorded.published()), len(recorded.lines)
    _tell_limits(replayed)
    if replayed.core is None:
        _say(f"{'the same' if replayed.is_same else 'another'} screen at the end, from {items} lines")
        return
    _say(f"{'same' if replayed.is_same else 'DIFFERS'}: {told} events, from {items} lines")
    for difference in replayed.differences[:_MOST]:
        _tell_difference(difference, recorded.header.now)
    if (more := len(replayed.differences) - _MOST) > 0:
        _say(f"and {more} more")
    if not replayed.has_same_screen:
        _say("the screen at the end is another one")


def _tell_limits(replayed: "Replayed") -> None:
    from coop.session.replay import others

    recorded = replayed.recorded
    if recorded.header.begins == "middle":
        _say("recorded from the middle of a session: only the screen can be replayed")
    elif recorded.header.replayable is False:
        _say("an export whose redaction has changed what the agent was seen to do: it is not expected to be the same")
    if recorded.end is None:
        _say("it breaks off: coop was killed, or the recording is still being made")
    for name, (then, now) in others(recorded.header).items():
        _say(f"made with {name} {then}, replayed with {now}: what differs need not be a fault")


def _tell_difference(difference: "Difference", began: float) -> None:
    from coop.session.timeline import changed_fields, words

    was, now = difference.recorded, difference.replayed
    _say(f"  {difference.at - began:9.3f}  recorded  {words(was.message) if was else '(nothing)'}")
    _say(f"             replayed  {words(now.message) if now else '(nothing)'}")
    if was and now and words(was.message) == words(now.message):
        for line in changed_fields(was.message, now.message) if was.message != now.message else (f"at: {was.at} → {now.at}",):
            _say(f"                       {line}")


def _show_both(replayed: "Replayed", rules: Path | None) -> None:
    from coop.session.timeline import side_by_side

    _tell_limits(replayed)
    recorded = replayed.recorded
    _say(_row("time", "recorded", f"with {rules.name}" if rules else "replayed"))
    for row in side_by_side(recorded.published(), replayed.published):
        time, one = f"{row.at - recorded.header.now:.3f}", row.one or ""
        _say(_row(time, one, "=" if row.is_same else row.other or "-", mark=" " if row.is_same else "*"))


def _row(time: str, one: str, other: str, *, mark: str = " ") -> str:
    return f"{mark} {time:>9}  {one:<{_COLUMN}}  {other}".rstrip()


def _as_json(replayed: "Replayed") -> dict[str, object]:
    from coop.session.replay import others

    header = replayed.recorded.header
    return {
        "same": replayed.is_same,
        "events": len(replayed.published),
        "screen_only": replayed.core is None,
        "same_screen": replayed.has_same_screen,
        "complete": replayed.recorded.end is not None,
        "other_versions": {name: list(pair) for name, pair in others(header).items()},
        "differences": _differences(replayed.differences, header.now),
    }


def _differences(differences: Sequence["Difference"], began: float) -> list[dict[str, object]]:
    return [
        {
            "at": each.at - began,
            "recorded": dict(each.recorded.message) if each.recorded else None,
            "replayed": dict(each.replayed.message) if each.replayed else None,
        }
        for each in differences
    ]


def _say(text: str) -> None:
    """One line. A recording may be anybody's: a terminal obeys nothing that is in it."""
    click.echo(harmless(text).replace("\n", "\\n"))
