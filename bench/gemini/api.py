"""The pretend Gemini API with a clock."""

import re
from dataclasses import dataclass, replace
from typing import Any

from starlette.applications import Starlette

from bench.agents.model import Asked, Clocked, clocked
from coop.testing.google import FakeGoogle, Received, Reply, Turn, Use

_PLANS = re.compile(r"/[^\s\"`\\]*/plans(?=[/`\"\s])")


@dataclass
class Model(Clocked, FakeGoogle):
    """`$PLANS` in the input of a tool becomes the folder for plans that the request names."""

    def _application(self) -> Starlette:
        path = r"/v1beta/models/[^/]+:(streamG|g)enerateContent"
        return clocked(super()._application(), self.calls, path=path, read=read)

    def _next(self, received: Received, schema: dict[str, Any] | None) -> Turn:
        turn = super()._next(received, schema)
        folders = _PLANS.findall(str(received.body))
        return _placed(turn, folders[-1]) if folders and isinstance(turn, Reply) else turn


def _placed(reply: Reply, folder: str) -> Reply:
    blocks = tuple(
        replace(block, input={name: _filled(value, folder) for name, value in block.input.items()})
        if isinstance(block, Use)
        else block
        for block in reply.blocks
    )
    return replace(reply, blocks=blocks)


def _filled(value: object, folder: str) -> object:
    return value.replace("$PLANS", folder) if isinstance(value, str) else value


def read(body: dict[str, Any]) -> Asked:
    """A side call that chooses a model or sums up wants its answer in a form, or offers no tools."""
    config: dict[str, Any] = body.get("generationConfig") or {}
    formed = any(config.get(name) for name in ("responseJsonSchema", "responseSchema", "responseMimeType"))
    is_main = bool(body.get("tools")) and not formed
    received = Received(body, is_main)
    return Asked(is_main, received.last_user_text(), [result["response"] for result in received.tool_results()])
