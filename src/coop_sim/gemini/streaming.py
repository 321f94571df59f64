"""A message of the Gemini API, put together from the events of its stream."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.scenario import Reply, ToolUse
from coop_sim.shapes import Table, as_list, as_table, as_text

_COUNTS = {"promptTokenCount": "input", "candidatesTokenCount": "output", "cachedContentTokenCount": "cached"}


@dataclass
class Message:
    """What has come of it so far."""

    text: str = ""
    thought: str = ""
    tools: list[ToolUse] = field(default_factory=list[ToolUse])
    usage: dict[str, int] = field(default_factory=dict[str, int])
    finish: str = ""
    """Empty: it has not said that it is whole."""

    def receive(self, event: Table) -> str:
        """The text that the event adds."""
        candidate = as_table(next(iter(as_list(event.get("candidates"))), None))
        self.finish = as_text(candidate.get("finishReason")) or self.finish
        self.usage |= _usage(as_table(event.get("usageMetadata")))
        parts = [as_table(part) for part in as_list(as_table(candidate.get("content")).get("parts"))]
        self.tools += [_tool(as_table(part["functionCall"])) for part in parts if "functionCall" in part]
        self.thought += "".join(as_text(part.get("text")) for part in parts if part.get("thought") is True)
        added = "".join(as_text(part.get("text")) for part in parts if part.get("thought") is not True)
        self.text += added
        return added

    def reply(self) -> Reply:
        return Reply(self.text, self.thought, tools=tuple(self.tools), usage=self.usage, ends=not self.tools)


def _tool(call: Table) -> ToolUse:
    return ToolUse(as_text(call.get("name")), as_table(call.get("args")), as_text(call.get("id")))


def _usage(told: Table) -> dict[str, int]:
    return {name: count for key, name in _COUNTS.items() if isinstance(count := told.get(key), int)}


def tokens(usage: Table) -> Table:
    """As the chat log counts them."""
    counted = {name: usage.get(name, 0) for name in ("input", "output", "cached")}
    total = sum(count for count in (counted["input"], counted["output"]) if isinstance(count, int))
    return {**counted, "thoughts": 0, "tool": 0, "total": total}


def parts_of(text: str, uses: Sequence[ToolUse]) -> list[Table]:
    """What a reply is in the history."""
    said: list[Table] = [{"text": text}] if text else []
    called: list[Table] = [{"functionCall": {"name": use.name, "args": dict(use.input), "id": use.id}} for use in uses]
    return said + called
