"""A message of the Messages API, put together from its server-sent events or read whole."""

from dataclasses import dataclass, field

from coop_sim.scenario import Reply, ToolUse
from coop_sim.shapes import Table, as_list, as_table, as_text, read_table

_DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


@dataclass
class Message:
    """What has come of a message so far."""

    head: Table = field(default_factory=dict[str, object])
    blocks: list[Table] = field(default_factory=list[Table])
    usage: dict[str, int] = field(default_factory=dict[str, int])
    stop_reason: str = ""
    is_whole: bool = False
    error: Table | None = None
    """The stream said that it failed."""

    def receive(self, event: Table) -> str:
        """The text that the event adds."""
        match event.get("type"):
            case "message_start":
                self.head = as_table(event.get("message"))
                self.usage |= _usage(self.head)
            case "content_block_start":
                self.blocks.append(dict(as_table(event.get("content_block"))) | {"partial_json": ""})
            case "content_block_delta":
                return self._grow(as_table(event.get("delta")))
            case "message_delta":
                self.stop_reason = as_text(as_table(event.get("delta")).get("stop_reason"))
                self.usage |= _usage(event)
            case "message_stop":
                self.is_whole = True
            case "error":
                self.error = as_table(event.get("error"))
            case _:
                pass
        return ""

    def _grow(self, delta: Table) -> str:
        kind = as_text(delta.get("type"))
        key = _DELTAS.get(kind, "")
        piece = as_text(delta.get(key))
        if self.blocks and key:
            self.blocks[-1][key] = as_text(self.blocks[-1].get(key)) + piece
        return piece if kind == "text_delta" else ""

    def reply(self) -> Reply:
        return _reply(as_text(self.head.get("id")), self.blocks, self.stop_reason, self.usage)


def whole_message(body: str) -> Reply:
    """Of an answer that was not streamed."""
    table = read_table(body)
    blocks = [as_table(block) for block in as_list(table.get("content"))]
    return _reply(as_text(table.get("id")), blocks, as_text(table.get("stop_reason")), _usage(table))


def _usage(holder: Table) -> dict[str, int]:
    return {name: count for name, count in as_table(holder.get("usage")).items() if isinstance(count, int)}


def _reply(name: str, blocks: list[Table], stop_reason: str, usage: dict[str, int]) -> Reply:
    tools = tuple(_tool(block) for block in blocks if block.get("type") == "tool_use")
    return Reply(
        say="\n\n".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text"),
        think="\n".join(as_text(block.get("thinking")) for block in blocks if block.get("type") == "thinking"),
        tools=tools,
        id=name,
        stop_reason=stop_reason,
        usage=usage,
        ends=not tools,
    )


def _tool(block: Table) -> ToolUse:
    streamed = as_text(block.get("partial_json"))
    given = read_table(streamed) if streamed else as_table(block.get("input"))
    return ToolUse(as_text(block.get("name")), given, as_text(block.get("id")))
