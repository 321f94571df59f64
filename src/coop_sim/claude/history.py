"""The conversation as the model is sent it: messages that take turns, read from the lines of the log."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from coop_sim.shapes import Table, as_list, as_table, as_text

_SAYS = ("user", "assistant")


@dataclass
class History:
    messages: list[Table] = field(default_factory=list[Table])

    def take(self, line: Table) -> None:
        """A line of the log. What Claude Code says in the model's place is not the model's."""
        message = as_table(line.get("message"))
        if line.get("type") in _SAYS and message.get("model") != "<synthetic>":
            self.add(as_text(message.get("role")), message.get("content"))

    def add(self, role: str, content: object) -> None:
        blocks = _blocks(content)
        if self.messages and self.messages[-1]["role"] == role:
            self.messages[-1] = {"role": role, "content": [*_blocks(self.messages[-1]["content"]), *blocks]}
        elif blocks:
            self.messages.append({"role": role, "content": blocks})

    def ask(self, prompt: str) -> None:
        self.add("user", prompt)

    def take_back(self, prompt: str) -> None:
        """The prompt was interrupted before an answer: it was never said."""
        blocks = _blocks(self.messages[-1]["content"]) if self.messages else []
        if blocks and as_table(blocks[-1]).get("text") == prompt:
            del blocks[-1]
            self.messages[-1:] = [{"role": "user", "content": blocks}] if blocks else []

    def clear(self) -> None:
        self.messages.clear()


def history_of(lines: Iterable[Table]) -> History:
    """What a log holds, from its last compaction on."""
    history = History()
    for line in lines:
        if line.get("subtype") == "compact_boundary":
            history.clear()
        history.take(line)
    return history


def _blocks(content: object) -> list[object]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(as_list(content))
