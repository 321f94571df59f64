"""The laboratory: the real Claude Code, both pinned versions, under coop, against a model that is ours."""

import json
import os
import platform
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from coop.testing import CoopProcess, eventually, running_coop
from coop.testing.anthropic import FakeAnthropic, Turn
from coop.testing.claude import ClaudeHome, seeded_home
from coop.testing.recorder import recording
from tests.support.multiplexers import Multiplexer, own_tmux
from tests.support.wire import Transport, Wire

ROOT = Path(__file__).parents[2]
VERSIONS = ("2.1.197", "2.1.325")
IDLE = "waiting_for_input"
WITHIN = 20.0
NOW_AND_THEN = 0.05


@pytest.fixture(scope="session")
def agents() -> Path:
    """Where `make live` has put them."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("the pinned agents are for Linux on x86-64")
    done = subprocess.run(
        [ROOT / "scripts/install-live-agents", ROOT / "tests/live"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"the real agents are not installed and cannot be: {done.stderr.strip()[-300:]}")
    return Path(done.stdout.strip())


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@dataclass
class Lab:
    """One Claude Code, its model, and coop between them."""

    version: str
    api: FakeAnthropic
    place: ClaudeHome
    coop: CoopProcess
    transport: Transport = "tcp"
    token: str | None = None
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    followed: int = 0
    """The number of the last of them."""
    news: threading.Condition = field(default_factory=threading.Condition)

    @property
    def wire(self) -> Wire:
        return Wire(self.coop, self.transport, self.token)

    @property
    def workspace(self) -> Path:
        return self.place.workspace

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.wire.get("/api/v1/agent/state")
        return found

    def until(self, state: str, *, within: float = WITHIN) -> dict[str, Any]:
        try:
            seen: dict[str, Any] = self.once(lambda: (now := self.state())["state"] == state and now, within=within, what=state)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.wire.text()}\n{json.dumps(self.explain(), indent=1)}") from None
        self.catch_up(seen)
        return seen

    def catch_up(self, seen: dict[str, Any]) -> None:
        """The events come on a way of their own: waits for those that were published when the state was seen."""
        self.once(lambda: self.followed >= seen["event_seq"], what="the events")

    def once(self, condition: Callable[[], Any], *, what: str, within: float = WITHIN) -> Any:
        """The first true value: `eventually`, for what events tell of. Looks when one comes, and else only now and then."""

        def look() -> Any:
            value = condition()
            if not value:
                with self.news:
                    self.news.wait(NOW_AND_THEN)
            return value

        return eventually(look, within=within, what=what)

    def until_any(self, *states: str, within: float = WITHIN) -> str:
        """Which of them comes first."""
        found: str = self.once(lambda: (seen := self.state()["state"]) in states and seen, within=within, what=str(states))
        return found

    def explain(self) -> dict[str, Any]:
        found: dict[str, Any] = self.wire.get("/api/v1/agent/explain")
        return found

    def ready(self) -> "Lab":
        self.until(IDLE)
        return self

    def tell(self, message: str, *turns: Turn, **options: object) -> dict[str, Any]:
        """A nudge that must arrive, to a model that has these turns to say."""
        self.api.script(*turns)
        reply: dict[str, Any] = self.wire.post("/api/v1/agent/nudge", {"message": message, **options})
        assert reply["delivered"], reply
        return reply

    def asked(self, state: str, *, drawn: bool = False) -> dict[str, Any]:
        """The prompt of that kind; `drawn` once it is on the screen."""
        prompt: dict[str, Any] = self.until(state)["prompt"]
        if drawn:
            self.once(lambda: (seen := self.state()["prompt"]) and seen.get("screen_lines"), what="the dialog on the screen")
            prompt = self.state()["prompt"]
        return prompt

    def respond(self, **body: object) -> dict[str, Any]:
        reply: dict[str, Any] = self.wire.post("/api/v1/agent/respond", body)
        assert reply["delivered"], reply
        return reply

    def press(self, key: str) -> None:
        self.wire.post("/api/v1/input/keys", {"keys": [key]})

    def press_until(self, key: str, condition: Callable[[], bool]) -> None:
        """A dialog swallows keys for a moment after it is drawn, so the key is pressed again when nothing came of it."""
        for _ in range(5):
            self.press(key)
            with suppress(AssertionError):
                eventually(condition, within=1.5)
                return
        raise AssertionError(f"{key!r} had no effect:\n{self.wire.text()}")

    def results(self) -> list[dict[str, Any]]:
        """Every tool result the model was sent, in order."""
        return [result for request in self.api.main_requests for result in request.tool_results()]

    def result_text(self) -> str:
        return json.dumps(self.results()[-1]["content"], ensure_ascii=False)

    def prompts_received(self) -> list[str]:
        return [request.last_user_text() for request in self.api.main_requests]

    def states(self) -> list[str]:
        """The states that were published up to now, one after the other."""
        self.catch_up(self.state())
        return [event["next"] for event in self.events if event["type"] == "state_change"]

    def event(self, kind: str, within: float = 5.0) -> dict[str, Any]:
        return (
            eventually(lambda: next((each for each in self.events if each["type"] == kind), None), within=within, what=kind)
            or {}
        )

    def follow(self) -> None:
        """Collects the events from the first one on; runs in a thread of its own."""
        client = self.wire.client()
        with suppress(httpx.HTTPError), client:
            position = 0
            before = {"Last-Event-ID": f"{client.get('/api/v1/agent/state').json()['epoch']}-0"}
            with client.stream("GET", "/api/v1/events", headers=before, timeout=None) as response:
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        self.events.append(json.loads(line[6:]))
                    elif line.startswith("id: "):
                        position = int(line.rpartition("-")[2])
                    elif not line:
                        with self.news:
                            self.followed = position
                            self.news.notify_all()


StartLab = Callable[..., Lab]
RunCoop = Callable[..., AbstractContextManager[CoopProcess]]


@pytest.fixture
def claude(version: str, agents: Path) -> str:
    """The executable to run; tests/sim has another."""
    return str(agents / f"node_modules/claude-{version}/claude")


@pytest.fixture
def terminal() -> Generator[Multiplexer]:
    """Where somebody works by hand; tests/sim has another."""
    with own_tmux() as found:
        yield found


@pytest.fixture
def run_coop() -> RunCoop:
    return running_coop


@pytest.fixture
def start_lab(
    version: str, claude: str, run_coop: RunCoop, tmp_path: Path, request: pytest.FixtureRequest
) -> Generator[StartLab]:
    """`COOP_RECORD=DIR` keeps what each of them showed, as a recording."""
    with ExitStack() as stack:
        made: list[ClaudeHome] = []

        def start(
            *arguments: str,
            options: tuple[str, ...] = (),
            place: ClaudeHome | None = None,
            plain: bool = False,
            env: Mapping[str, str] | None = None,
            transport: Transport = "tcp",
            token: str | None = None,
        ) -> Lab:
            """`plain` starts it without a permission mode of ours."""
            api = stack.enter_context(FakeAnthropic().serving())
            place = place or (made[0] if made else seeded_home(tmp_path))
            made.append(place)
            command = (claude, *(() if plain else ("--permission-mode", "default")), *arguments)
            environment = {**place.environment(api.url), **(env or {})}
            size = () if "--cols" in options else ("--cols", "120", "--rows", "40")
            coop = stack.enter_context(
                run_coop(
                    "--agent",
                    "claude",
                    *size,
                    *options,
                    command=command,
                    env=environment,
                    cwd=place.workspace,
                    port=transport == "tcp",
                )
            )
            if directory := os.environ.get("COOP_RECORD"):
                name = f"{version}/{request.node.name.partition('[')[0].removeprefix('test_')}.cast"
                stack.enter_context(recording(coop, Path(directory, name)))
            lab = Lab(version, api, place, coop, transport, token)
            threading.Thread(target=lab.follow, daemon=True).start()
            return lab

        yield start
