"""The laboratory: the real Claude Code, both pinned versions, under coop, against a model that is ours."""

import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coop.testing.anthropic import FakeAnthropic, Turn
from coop.testing.claude import ClaudeHome, seeded_home
from coop.testing.recorder import recording
from tests.live.conftest import RunCoop
from tests.support import lab
from tests.support.lab import IDLE
from tests.support.wire import Transport

__all__ = ["IDLE"]

VERSIONS = ("2.1.197", "2.1.325")


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@dataclass(kw_only=True)
class Lab(lab.Lab):
    """One Claude Code, its model, and coop between them."""

    api: FakeAnthropic
    place: ClaudeHome

    def tell(self, message: str, *turns: Turn, **options: object) -> dict[str, Any]:
        """A nudge that must arrive, to a model that has these turns to say."""
        self.api.script(*turns)
        return self.deliver(message, **options)

    def results(self) -> list[dict[str, Any]]:
        """Every tool result the model was sent, in order."""
        return [result for request in self.api.main_requests for result in request.tool_results()]

    def result_text(self) -> str:
        return json.dumps(self.results()[-1]["content"], ensure_ascii=False)

    def prompts_received(self) -> list[str]:
        return [request.last_user_text() for request in self.api.main_requests]


StartLab = Callable[..., Lab]


@pytest.fixture
def claude(version: str, agents: Path) -> str:
    """The executable to run; tests/sim has another."""
    return str(agents / f"node_modules/claude-{version}/claude")


@pytest.fixture
def start_lab(
    version: str, claude: str, run_coop: RunCoop, tmp_path: Path, request: pytest.FixtureRequest
) -> Generator[StartLab]:
    """`COOP_TEST_CASTS=DIR` keeps what each of them showed, as an asciicast."""
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
            if directory := os.environ.get("COOP_TEST_CASTS"):
                name = f"{version}/{request.node.name.partition('[')[0].removeprefix('test_')}.cast"
                stack.enter_context(recording(coop, Path(directory, name)))
            lab = Lab(version, coop, place.workspace, transport, token, api=api, place=place)
            return lab.following()

        yield start
