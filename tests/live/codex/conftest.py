"""The laboratory: the real Codex under coop, against a model that is ours."""

import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coop.testing.codex import CodexHome, seeded_home
from coop.testing.openai import FakeOpenAI, Reply, Turn, use
from coop.testing.recorder import recording
from tests.live.conftest import RunCoop
from tests.support import lab
from tests.support.lab import IDLE
from tests.support.wire import Transport

__all__ = ["IDLE"]

VERSION = "0.166.0"


def shell(command: str, *, asks: bool = True, goes_on: bool = False) -> Reply:
    """A command; one that `asks` wants to run outside of the sandbox, one that `goes_on` is not waited for."""
    wants = {"sandbox_permissions": "require_escalated", "justification": "May it run?"} if asks else {}
    return use("exec_command", cmd=command, **wants, **({"yield_time_ms": 300} if goes_on else {}))


def patch(path: Path | str, text: str = "made") -> Reply:
    return use("apply_patch", input=f"*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch\n")


@dataclass(kw_only=True)
class Lab(lab.Lab):
    """One Codex, its model, and coop between them."""

    api: FakeOpenAI
    place: CodexHome

    def tell(self, message: str, *turns: Turn, **options: object) -> dict[str, Any]:
        """A nudge that must arrive, to a model that has these turns to say."""
        self.api.script(*turns)
        return self.deliver(message, **options)

    def result_text(self) -> str:
        """Every tool result the model was sent with its last request."""
        return json.dumps(self.api.main_requests[-1].tool_results(), ensure_ascii=False)

    def prompts_received(self) -> list[str]:
        return [request.last_user_text() for request in self.api.main_requests]

    def answers_told(self) -> list[tuple[str, str]]:
        """Who answered, and what came of it, for each prompt that is over."""
        self.catch_up(self.state())
        return [(event["by"], event["outcome"]) for event in self.events if event["type"] == "answered"]


StartLab = Callable[..., Lab]


@pytest.fixture
def codex(agents: Path) -> str:
    """The executable to run; tests/sim has another."""
    return str(agents / f"node_modules/codex-{VERSION}/vendor/x86_64-unknown-linux-musl/bin/codex")


@pytest.fixture
def api() -> Generator[FakeOpenAI]:
    with FakeOpenAI().serving() as api:
        yield api


@pytest.fixture
def start_lab(
    codex: str, api: FakeOpenAI, run_coop: RunCoop, tmp_path: Path, request: pytest.FixtureRequest
) -> Generator[StartLab]:
    """`COOP_TEST_CASTS=DIR` keeps what each of them showed, as an asciicast. All of one test have one home and one model."""
    with ExitStack() as stack:
        made: list[CodexHome] = []

        def start(
            *arguments: str,
            options: tuple[str, ...] = (),
            place: CodexHome | None = None,
            env: Mapping[str, str] | None = None,
            transport: Transport = "tcp",
            token: str | None = None,
            command: tuple[str, ...] = (codex,),
        ) -> Lab:
            """`command` starts Codex."""
            place = place or (made[0] if made else seeded_home(tmp_path, api.url))
            made.append(place)
            size = () if "--cols" in options else ("--cols", "120", "--rows", "40")
            coop = stack.enter_context(
                run_coop(
                    "--agent",
                    "codex",
                    *size,
                    *options,
                    command=(*command, *arguments),
                    env={**place.environment(), **(env or {})},
                    cwd=place.workspace,
                    port=transport == "tcp",
                )
            )
            if directory := os.environ.get("COOP_TEST_CASTS"):
                name = f"{VERSION}/{request.node.name.partition('[')[0].removeprefix('test_')}.cast"
                stack.enter_context(recording(coop, Path(directory, name)))
            lab = Lab(VERSION, coop, place.workspace, transport, token, api=api, place=place)
            return lab.following()

        yield start
