"""The conversation as the model is sent it: the items of the Responses API, read from the rollout."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from coop_sim.shapes import Table, as_list, as_table, as_text

SUMMARY = "Another model has summarised the conversation so far:\n"


@dataclass
class History:
    items: list[Table] = field(default_factory=list[Table])

    def take(self, kind: str, payload: Table) -> None:
        """A line of the rollout."""
        if kind == "compacted":
            self.items = [as_table(item) for item in as_list(payload.get("replacement_history"))]
        elif kind == "response_item":
            self.items.append(payload)

    def said(self, role: str) -> list[str]:
        """What the person typed, or the model said; not what Codex says in their place."""
        texts = (text_of(item) for item in self.items if item.get("role") == role)
        return [text for text in texts if role != "user" or not text.startswith("<")]


def history_of(lines: Iterable[Table]) -> History:
    history = History()
    for line in lines:
        history.take(as_text(line.get("type")), as_table(line.get("payload")))
    return history


def text_of(item: Table) -> str:
    return "".join(as_text(as_table(part).get("text")) for part in as_list(item.get("content")))
