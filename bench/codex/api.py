"""The pretend Responses API with a clock."""

from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette

from bench.agents.model import Asked, Clocked, clocked
from coop.testing.openai import FakeOpenAI, Received


@dataclass
class Model(Clocked, FakeOpenAI):
    def _application(self) -> Starlette:
        return clocked(super()._application(), self.calls, path="/v1/responses", read=read)


def read(body: dict[str, Any]) -> Asked:
    """A side call for a title wants it in a form."""
    is_main = bool(body.get("tools")) and not (body.get("text") or {}).get("format")
    received = Received(body, is_main)
    return Asked(is_main, received.last_user_text(), [result["output"] for result in received.tool_results()])
