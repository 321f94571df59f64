"""Which model answers: the scenario's when there is one, else the API's when one is named, else one that repeats the prompt."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from coop_sim.gemini.remote import Call, Remote
from coop_sim.gemini.session import Session
from coop_sim.scenario import Faults, KnownError, Reply, Scenario
from coop_sim.script import Script

_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
_DEFAULTS = Scenario(default="I am a pretend Gemini. You said: {prompt}")


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def begin(self, prompt: str) -> Faults: ...

    async def route(self, prompt: str) -> None:
        """Before a prompt is answered, another model may be asked which is to do it."""
        ...

    async def reply(self, call: Call, hear: Callable[[str], None]) -> Reply:
        """Raises `Refused`."""
        ...


@dataclass
class Scripted:
    script: Script
    name: str
    faults: Faults

    def begin(self, prompt: str) -> Faults:
        return self.script.begin(prompt).and_those_of(self.faults)

    async def route(self, prompt: str) -> None:
        return

    async def reply(self, call: Call, hear: Callable[[str], None]) -> Reply:
        return await self.script.reply(call, hear)


def model_of(session: Session) -> Model:
    options = session.options
    url = options.env.get("GOOGLE_GEMINI_BASE_URL")
    if options.scenario is None and url:
        retries = session.settings.get("general", "retryFetchErrors") is not False
        return Remote(url, options.env.get("GEMINI_API_KEY", ""), options.model, retries)
    scenario = _read(options.scenario) if options.scenario else _DEFAULTS
    return Scripted(Script(scenario), options.model or "pretend", scenario.faults)


def _read(path: Path) -> Scenario:
    # Whoever has no scenario does not wait for the reader of TOML.
    from coop_sim.scenario_file import read_scenario

    return read_scenario(path, _DEFAULTS, {status: _known(status) for status in _STATUSES})


def _known(status: int) -> KnownError:
    word = _STATUSES[status]
    return KnownError("api", json.dumps({"error": {"code": status, "message": f"pretend {word}", "status": word}}))
