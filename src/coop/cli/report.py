"""`coop report`: one file for a bug report, shown before it is written; and a failing test out of one."""

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from coop.cli.export import exported_file, facts, redacting, secrets_of, told
from coop.cli.reaching import Asking, complete_session_or_file, door_of, echo_json, text_of
from coop.cli.replay import replayed_file
from coop.cli.seconds import Seconds
from coop.errors import BadRecording, ConfigError, Declined

if TYPE_CHECKING:
    from coop.client.api import Api
    from coop.session.bundle import Bundle
    from coop.session.export import Exported
    from coop.session.redaction import Secrets
    from coop.wire.recording import Recorded
    from coop.wire.states import StateName


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What the options say."""

    expected: "StateName | None"
    at: float | None
    note: str | None
    to: Path | None
    force: bool
    yes: bool
    to_test: bool
    redact: tuple[str, ...]
    redact_env: tuple[str, ...]
    redact_user: bool
    token: str | None
    as_json: bool


@click.command(cls=Asking)
@click.argument("subject", metavar="FILE|SESSION|BUNDLE", shell_complete=complete_session_or_file)
@click.option("--expected", metavar="STATE", help="The state that would have been right.")
@click.option("--at", type=Seconds(0), metavar="SECS", help="When, since the recording began.  [default: its end]")
@click.option("--note", metavar="TEXT", help="What you saw, in your words.")
@click.option("--to", type=click.Path(path_type=Path), metavar="PATH", help="Write it here.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@click.option("--yes", is_flag=True, help="Do not ask before writing it.")
@click.option("--to-test", is_flag=True, help="Turn a bundle into a failing test.")
@redacting
def report(subject: str, **options: Any) -> None:
    """Make a bug report, or a failing test out of one.

    A report is a redacted recording, versions and an explanation. It shows what is in it first, and asks. With --json that is on
    stderr, and stdout says where it is and what it holds; of a test, whether it fails.
    """
    given = _Wishes(**options)
    _refuse_unknown_state(given.expected)
    if given.to_test:
        _make_test(Path(subject), given)
    else:
        _make_bundle(subject, given)


def _refuse_unknown_state(expected: str | None) -> None:
    from coop.wire.states import StateName

    if expected is not None and expected not in get_args(StateName):
        raise ConfigError(f"--expected {expected!r}: expected one of {', '.join(get_args(StateName))}")


def _refuse_other_moments(at: float | None, recorded: "Recorded | None") -> None:
    """Before it began, and after its end, nothing is known of what the session did."""
    from coop.session.bundle import length

    if at is None:
        return
    if recorded is None:
        raise ConfigError(f"--at {at:g}: nothing was recorded, so only what is now can be told; leave it out")
    if at > (ends := length(recorded)):
        raise ConfigError(f"--at {at:g}: the recording ends after {math.floor(ends * 1000) / 1000} s")


# The bundle

_NO_BELIEF = "what was believed is not known"
_FROM_THE_START = "record a session from its start (coop --record PATH)"


@dataclass(frozen=True, slots=True)
class _Live:
    """What a running session says of itself."""

    recording: Path | None
    explain: dict[str, Any]
    state: dict[str, Any]
    screen: Sequence[str]
    cols: int


def _make_bundle(subject: str, given: _Wishes) -> None:
    from coop.cli.files import write_private
    from coop.session.bundle import pack

    secrets = secrets_of(given.redact, given.redact_env, user=given.redact_user, env=os.environ)
    live = None if Path(subject).is_file() else door_of(subject, given.token, may_be_begun=True).ask(_asked)
    path = live.recording if live else Path(subject)
    exported = exported_file(path, secrets) if path is not None else None
    _refuse_other_moments(given.at, exported.recorded if exported is not None else None)
    replays = replayed_file(path).is_same if path is not None else None
    files = _files(exported, live, secrets, given, replays=replays)
    target = given.to or Path(f"coop-report-{_name(subject)}.tar.gz")
    click.echo("\n".join(_contents(target, files, exported)), err=given.as_json)
    if not given.yes and not _is_agreed(err=given.as_json):
        raise Declined("nothing was written: nobody said yes; --yes says it beforehand")
    write_private(target, pack(files), force=given.force)
    if given.as_json:
        echo_json(_as_json(target, files, exported))
    else:
        click.echo(f"{target} is written; nothing was sent anywhere")


def _is_agreed(*, err: bool) -> bool:
    """The end of the input is no yes, and no interruption either."""
    click.echo("Write it? [y/N]: ", nl=False, err=err)
    return text_of(sys.stdin.readline).strip().casefold() in ("y", "yes")


async def _asked(api: "Api") -> _Live:
    recording, explain = await api.get("/api/v1/recording"), await api.get("/api/v1/agent/explain")
    state, screen = await api.get("/api/v1/agent/state"), await api.get("/api/v1/screen")
    path = Path(recording["path"]) if recording["path"] else None
    return _Live(path if path and path.is_file() else None, dict(explain), dict(state), screen["lines"], screen["cols"])


def _files(
    exported: "Exported | None", live: _Live | None, secrets: "Secrets", given: _Wishes, *, replays: bool | None
) -> dict[str, bytes]:
    from coop.session.bundle import ABOUT, EXPLAIN, RECORDING, SCREEN
    from coop.session.export import file_of
    from coop.session.redaction import Redactor

    seen = _replayed(exported, given.at) if exported is not None and (live is None or given.at is not None) else live
    assert seen is not None
    masked = exported.redactor if exported is not None else Redactor(secrets)
    masked.learn_screen(seen.screen, seen.cols)
    files = {
        ABOUT: masked.mask_text(_about(exported, seen, given, replays=replays)).encode(),
        EXPLAIN: masked.mask_text(json.dumps(seen.explain, indent=1, ensure_ascii=False)).encode(),
        SCREEN: "".join(f"{row}\n" for row in masked.mask_rows(seen.screen)).encode(),
    }
    return {**files, RECORDING: file_of(exported.recorded)} if exported is not None else files


def _replayed(exported: "Exported", at: float | None) -> _Live:
    """What the session would say of itself then, or at the end of its recording."""
    import msgspec

    from coop.server.facade import Served
    from coop.session.bundle import moment
    from coop.session.replay import agent_of, replay
    from coop.session.runner import Session
    from coop.wire.recording import Received, Recorded

    recorded = exported.recorded
    until = recorded.header.now + (at if at is not None else moment(recorded))
    lines = tuple(line for line in recorded.lines if isinstance(line, Received) and line.now <= until)
    again = replay(Recorded(recorded.header, lines), agent_of(recorded.header))
    shown = (again.screen.lines, again.screen.size.cols)
    if again.core is None:
        return _Live(None, {"why": f"recorded from the middle: {_NO_BELIEF}"}, {"state": "unknown"}, *shown)
    served = Served(Session(again.core, clock=lambda: until), recorded.header.session)
    return _Live(None, msgspec.to_builtins(served.explanation()), msgspec.to_builtins(served.state()), *shown)


def _about(exported: "Exported | None", seen: _Live, given: _Wishes, *, replays: bool | None) -> str:
    import msgspec

    from coop.session.bundle import Report, moment

    recorded = exported.recorded if exported is not None else None
    at = given.at if given.at is not None else moment(recorded) if recorded is not None else 0.0
    made = Report(
        agent=recorded.header.agent if recorded is not None else str(seen.state.get("agent", "")),
        agent_version=seen.state.get("agent_version"),
        state=str(seen.state["state"]),
        at=at,
        expected=given.expected,
        note=given.note,
        replays=replays,
        replayable=recorded.header.replayable if recorded is not None else None,
        removed=(recorded.header.removed or {}) if recorded is not None else {},
    )
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode()


def _contents(target: Path, files: Mapping[str, bytes], exported: "Exported | None") -> list[str]:
    lines = [f"{target} will hold:", *(f"  {name:<22} {len(data):>9,} bytes" for name, data in files.items())]
    if exported is None:
        return [*lines, "  no recording: the session is not being recorded (coop record, or coop --record PATH)"]
    masked = [f"  {line}" for line in told(exported)]
    if exported.recorded.header.begins == "middle":
        masked.append(f"  {_NO_BELIEF}, so it can be made no test of: for one, {_FROM_THE_START}")
    return [*lines, *masked, "  the recording holds all that was typed and shown, but for that: look at it before you share it"]


def _as_json(target: Path, files: Mapping[str, bytes], exported: "Exported | None") -> dict[str, object]:
    from coop.session.bundle import ABOUT

    return {
        "path": str(target),
        "files": {name: len(data) for name, data in files.items()},
        "report": json.loads(files[ABOUT]),
        "recording": facts(exported) if exported is not None else None,
    }


def _name(subject: str) -> str:
    stem = Path(subject).name.removesuffix(".jsonl").removesuffix(".coop").removesuffix(".sock")
    return "".join(each if each.isalnum() or each in "-_" else "-" for each in stem) or "session"


# The test


def _make_test(path: Path, given: _Wishes) -> None:
    from coop.cli.files import write_private
    from coop.session.bundle import failing_test
    from coop.session.export import file_of

    bundle = _read_bundle(path)
    expected = given.expected or bundle.report.expected
    if expected is None:
        raise ConfigError(f"{path} does not say what would have been right: give --expected STATE, and --at SECS")
    assert bundle.recording is not None
    if bundle.recording.header.begins == "middle":
        raise BadRecording(
            f"{path} was recorded from the middle: {_NO_BELIEF}, so no test of it could ever pass; {_FROM_THE_START}"
        )
    _refuse_other_moments(given.at, bundle.recording)
    at = given.at if given.at is not None else bundle.report.at
    target = given.to or Path(f"test_{_identifier(path)}.py")
    recording = target.with_name(f"{target.stem.removeprefix('test_')}.coop.jsonl")
    said = _said(bundle.recording, at)
    write_private(recording, file_of(bundle.recording), force=given.force)
    test = failing_test(bundle.report, recording=recording.name, said=said, expected=expected, at=at)
    write_private(target, test.encode(), force=given.force)
    if given.as_json:
        made = {"test": str(target), "recording": str(recording), "fails": said != expected}
        echo_json({**made, "expected": expected, "said": said, "at": at})
        return
    click.echo(f"{target}\n{recording}")
    click.echo(f"  it fails: this coop says {said}" if said != expected else f"  it passes already: this coop says {said} too")


def _said(recorded: "Recorded", at: float) -> "StateName":
    """What this coop makes of it."""
    from coop.session.replay import agent_of, replay
    from coop.session.timeline import state_at

    return state_at(replay(recorded, agent_of(recorded.header)).published, recorded.header.now + at)


def _read_bundle(path: Path) -> "Bundle":
    from coop.session.bundle import unpack

    try:
        bundle = unpack(path.read_bytes(), source=str(path))
    except OSError as error:
        raise BadRecording(f"{path}: {error.strerror}") from None
    if bundle.recording is None:
        raise BadRecording(f"{path} holds no recording, so there is nothing to replay")
    return bundle


def _identifier(path: Path) -> str:
    return _name(path.name.removesuffix(".tar.gz")).replace("-", "_")
