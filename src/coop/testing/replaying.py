"""Recordings in tests: what a session said can be asked of its recording, and must come of it once more."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coop.session.replay import Difference, Replayed, agent_of, replay
from coop.session.timeline import state_at
from coop.testing.process import CoopProcess
from coop.wire.recording import read

RunCoop = Callable[..., AbstractContextManager[CoopProcess]]
_MOST = 5


@dataclass(frozen=True, slots=True)
class Rerun:
    """A recording, run through the core of this coop."""

    replayed: Replayed

    def state_at(self, seconds: float) -> str:
        """What the agent was believed to do so long after the recording began."""
        return state_at(self.replayed.published, self.replayed.recorded.header.now + seconds)

    def states(self) -> list[str]:
        return [each.message["next"] for each in self.replayed.published if each.message["type"] == "state_change"]


def rerun(path: Path) -> Rerun:
    recorded = read(path.read_bytes(), source=str(path))
    return Rerun(replay(recorded, agent_of(recorded.header)))


def assert_replays(path: Path) -> None:
    """The recording gives the same events once more, and the same screen."""
    found = rerun(path).replayed
    told = "\n".join(_told(each) for each in found.differences[:_MOST])
    assert not found.differences, f"{path.name}: {len(found.differences)} events differ when it is replayed\n{told}"
    assert found.has_same_screen, f"{path.name}: the screen at its end is another when it is replayed"


def _told(difference: Difference) -> str:
    was, now = (_words(each.message) if each else "nothing" for each in (difference.recorded, difference.replayed))
    return f"  at {difference.at:.3f}\n    recorded: {was}\n    replayed: {now}"


def _words(message: Any) -> str:
    return str(message)[:600]


def recorded(run_coop: RunCoop, *, keep: Path | None = None) -> RunCoop:
    """Runs coop as that does, records each, and replays it when it has ended. `keep` is where recordings are left."""

    @contextmanager
    def run(*options: str, **given: Any) -> Generator[CoopProcess]:
        with ExitStack() as stack:
            folder = keep or Path(stack.enter_context(TemporaryDirectory(prefix="coop-recordings-")))
            with run_coop("--record", f"{folder}/", *options, **given) as coop:
                yield coop
            assert_replays(Path(str(coop.announced["recording"])))

    return run
