"""The laboratory: the real Gemini CLI under coop, against a model that is ours. It takes seconds to start, so tests share it."""

import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coop.agents.gemini.prepare import HOOKS, entry
from coop.testing.gemini import GeminiHome, seeded_home
from coop.testing.google import FakeGoogle, Turn
from coop.testing.recorder import recording
from tests.live.conftest import RunCoop
from tests.support import lab
from tests.support.lab import IDLE
from tests.support.wire import Transport

__all__ = ["IDLE"]

VERSION = "0.61.0"
HOOKED = {event: [entry(event, f"${{COOP_HOOK:-true}} {event}")] for event in HOOKS}
"""What a person puts into their own settings to give coop its hooks."""


@dataclass(kw_only=True)
class Lab(lab.Lab):
    """One Gemini CLI, its model, and coop between them."""

    api: FakeGoogle
    place: GeminiHome

    @property
    def is_hooked(self) -> bool:
        return "hooks" in json.loads(self.place.settings.read_text())

    def tell(self, message: str, *turns: Turn, **options: object) -> dict[str, Any]:
        """A nudge that must arrive, to a model that has these turns to say, and no others."""
        self.api.forget()
        self.api.script(*turns)
        return self.deliver(message, **options)

    def results(self) -> list[dict[str, Any]]:
        """Every tool result the model was sent, in order."""
        return [result for request in self.api.main_requests for result in request.tool_results()]

    def result_text(self) -> str:
        return json.dumps(self.results()[-1]["response"], ensure_ascii=False)

    def last_prompt(self) -> str:
        return self.api.main_requests[-1].last_user_text()

    def made(self, name: str) -> Path:
        return self.workspace / name


StartLab = Callable[..., Lab]


@pytest.fixture(scope="session")
def gemini(agents: Path) -> tuple[str, ...]:
    return "node", str(agents / f"node_modules/gemini-{VERSION}/bundle/gemini.js")


def hooked_home(root: Path, **seed: bool) -> GeminiHome:
    place = seeded_home(root, **seed)
    settings = json.loads(place.settings.read_text())
    place.settings.write_text(json.dumps({**settings, "hooks": HOOKED}))
    return place


def laboratory(stack: ExitStack, gemini: tuple[str, ...], run_coop: RunCoop, root: Path, name: str) -> StartLab:
    """`COOP_TEST_CASTS=DIR` keeps what each of them showed, as an asciicast."""
    made: list[GeminiHome] = []

    def start(
        *arguments: str,
        options: tuple[str, ...] = (),
        place: GeminiHome | None = None,
        hooked: bool = False,
        env: Mapping[str, str] | None = None,
        command: tuple[str, ...] = gemini,
        transport: Transport = "tcp",
        token: str | None = None,
    ) -> Lab:
        api = stack.enter_context(FakeGoogle().serving())
        place = place or (made[0] if made else (hooked_home if hooked else seeded_home)(root))
        made.append(place)
        environment = {**place.environment(api.url), **(env or {})}
        size = () if "--cols" in options else ("--cols", "120", "--rows", "40")
        given = ("--agent", "gemini", *size, *options)
        coop = stack.enter_context(
            run_coop(*given, command=(*command, *arguments), env=environment, cwd=place.workspace, port=transport == "tcp")
        )
        if directory := os.environ.get("COOP_TEST_CASTS"):
            stack.enter_context(recording(coop, Path(directory, VERSION, f"{name}.cast")))
        return Lab(VERSION, coop, place.workspace, transport, token, api=api, place=place).following()

    return start


@pytest.fixture
def start_lab(
    gemini: tuple[str, ...], run_coop: RunCoop, tmp_path: Path, request: pytest.FixtureRequest
) -> Generator[StartLab]:
    with ExitStack() as stack:
        yield laboratory(stack, gemini, run_coop, tmp_path, request.node.name.partition("[")[0].removeprefix("test_"))


BARE = pytest.mark.parametrize("shared", ["bare"], indirect=True)
"""For what hooks make no difference to."""


@pytest.fixture(scope="module", params=["bare", "hooked"])
def shared(
    gemini: tuple[str, ...], run_coop: RunCoop, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Generator[Lab]:
    """One Gemini for all of a module's tests: without hooks, as most people have it, and with them."""
    with ExitStack() as stack:
        start = laboratory(
            stack, gemini, run_coop, tmp_path_factory.mktemp(request.param), f"{request.module.__name__}-{request.param}"
        )
        yield start(hooked=request.param == "hooked").ready()


@pytest.fixture
def ready(shared: Lab) -> Lab:
    """Whatever the test before left behind: it waits for input, with nothing typed."""
    if (shared.state()["state"]) not in (IDLE, "error"):
        shared.press("Escape")
        shared.until(IDLE)
    shared.api.forget()
    shared.events.clear()
    return shared
