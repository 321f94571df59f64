"""The pretend Messages API with a clock."""

import re
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette

from bench.agents.model import Asked, Clocked, clocked
from coop.testing.anthropic import FakeAnthropic

_MAIN = frozenset({"Bash", "Read", "Edit", "Write"})
_ASIDE = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)


@dataclass
class Model(Clocked, FakeAnthropic):
    def _application(self) -> Starlette:
        return clocked(super()._application(), self.calls, path="/v1/messages", read=read)


def read(body: dict[str, Any]) -> Asked:
    is_main = bool(_MAIN & {tool.get("name") for tool in body.get("tools") or ()})
    return Asked(is_main, _said(body), _results(body))


def _said(body: dict[str, Any]) -> str:
    """Without what Claude adds around it."""
    last = next((each for each in reversed(body["messages"]) if each["role"] == "user"), {"content": ""})
    content = last["content"]
    texts = [content] if isinstance(content, str) else [block["text"] for block in content if block["type"] == "text"]
    own = [text for each in texts if (text := _ASIDE.sub("", each))]
    return own[-1] if own else ""


def _results(body: dict[str, Any]) -> list[object]:
    """Of the tools called last; Claude may have said something after them."""
    messages = body["messages"]
    last = max((at for at, each in enumerate(messages) if each["role"] == "assistant"), default=-1)
    blocks = [block for each in messages[last + 1 :] for block in each["content"]]
    return [block["content"] for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]
