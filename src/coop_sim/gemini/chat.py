"""The conversation: what the model is sent of it, and the chat log with its oddities.

A message is written before its tools run and again after; a prompt that came to nothing is taken back by writing all messages
anew; and after a denial the whole of them is appended once more, with new ids.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from coop_sim.shapes import Table, as_list, as_table, as_text, read_table

Clock = Callable[[], datetime]
_CONTEXT_ID = "d04923d38bb0f6017037e74183378ef4"


def now() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Chat:
    path: Path
    session_id: str
    cwd: Path
    clock: Clock = now
    messages: list[Table] = field(default_factory=list[Table])
    """What the model is sent, in the log's own shape: contents are parts."""

    def open(self, context: str) -> None:
        """A session begins with its context."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        moment = stamp(self.clock())
        project = hashlib.sha256(str(self.cwd).encode()).hexdigest()
        self._write(
            {"sessionId": self.session_id, "projectHash": project, "startTime": moment, "lastUpdated": moment, "kind": "main"}
        )
        self.messages.append({"id": _CONTEXT_ID, "timestamp": moment, "type": "user", "content": [{"text": context}]})
        self.write_all()

    def go_on(self) -> None:
        self._write({"$set": {"sessionId": self.session_id}})
        self.write_all()

    def user(self, parts: Sequence[Table]) -> None:
        self._add({"type": "user", "content": list(parts)})

    def gemini(self, text: str, parts: Sequence[Table], usage: Table, model: str) -> Table:
        """The line as it was written: its tools are added to it when they have run."""
        more: Table = {"thoughts": [], "tokens": usage, "model": model}
        line = self._line({"type": "gemini", "content": text, **more})
        self.messages.append({**line, "content": list(parts)})
        self._write(line, {"$set": {"lastUpdated": line["timestamp"]}})
        return line

    def tools(self, line: Table, calls: Sequence[Table]) -> None:
        self._write({**line, "toolCalls": list(calls)})

    def interrupted_tools(self, calls: Sequence[Table], results: Sequence[Table]) -> None:
        """They were running: what came of them is told under another id."""
        line = self._line({"type": "gemini", "content": "", "toolCalls": list(calls), "thoughts": [], "model": ""})
        self._write(line)
        self.user(results)

    def say(self, kind: str, words: str) -> None:
        """`info`, `error` or `warning`: not for the model."""
        line = self._line({"type": kind, "content": words})
        self._write(line, {"$set": {"lastUpdated": line["timestamp"]}})

    def take_back(self) -> None:
        """The last prompt, and what came after it, never were."""
        while self.messages and not _is_prompt(self.messages[-1]):
            self.messages.pop()
        self.messages = self.messages[:-1]

    def append_again(self) -> None:
        """With new ids; the context and the first prompt are one message now."""
        first, *rest = self.messages
        if rest and rest[0]["type"] == "user":
            first = {**first, "content": [*as_list(first["content"]), *as_list(rest.pop(0)["content"])]}
        self.messages = [_bare(self._line(message)) for message in (first, *rest)]
        for line in self.messages:
            self._write(line, {"$set": {"lastUpdated": line["timestamp"]}})
        self.write_all()

    def contents(self) -> list[Table]:
        """As the API wants them."""
        return [
            {"role": "model" if message["type"] == "gemini" else "user", "parts": message["content"]}
            for message in self.messages
        ]

    def _add(self, message: Table) -> None:
        line = self._line(message)
        self.messages.append(line)
        self._write(line, {"$set": {"lastUpdated": line["timestamp"]}})

    def _line(self, message: Table) -> Table:
        return {**message, "id": str(uuid4()), "timestamp": stamp(self.clock())}

    def write_all(self) -> None:
        self._write({"$set": {"messages": self.messages, "lastUpdated": stamp(self.clock())}})

    def _write(self, *lines: Table) -> None:
        """At once: whoever reads sees whole lines."""
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        with self.path.open("ab", buffering=0) as log:
            log.write(text.encode())


def _is_prompt(message: Table) -> bool:
    return message["type"] == "user" and any("text" in as_table(part) for part in as_list(message["content"]))


def _bare(line: Table) -> Table:
    kept = {key: line[key] for key in ("id", "timestamp", "type", "content")}
    return kept if line["type"] == "user" else {**kept, "thoughts": [], "tokens": None}


def forget_empty(folder: Path) -> None:
    """Logs without a message, though somebody may have just begun one."""
    for path in folder.glob("session-*.jsonl"):
        if not any("type" in read_table(line) for line in path.read_text().splitlines()):
            path.unlink(missing_ok=True)


# Going on with a session


@dataclass
class _Reading:
    session_id: str = ""
    messages: dict[str, Table] = field(default_factory=dict[str, Table])

    def read(self, line: Table) -> None:
        changed = as_table(line.get("$set"))
        if "messages" in changed:
            self.messages = {as_text(each["id"]): each for each in map(as_table, as_list(changed["messages"])) if "id" in each}
        elif line.get("type") in ("user", "gemini"):
            self.messages[as_text(line.get("id"))] = line
        self.session_id = self.session_id or as_text(line.get("sessionId"))


def read_chat(path: Path) -> tuple[str, list[Table]]:
    """The session's id, and its messages as they are sent."""
    reading = _Reading()
    for line in path.read_text().splitlines():
        reading.read(read_table(line))
    return reading.session_id, [{**each, "content": _parts(each)} for each in reading.messages.values()]


def _parts(message: Table) -> list[Table]:
    content = message.get("content")
    said: list[Table] = [{"text": content}] if isinstance(content, str) and content else []
    parts = [as_table(part) for part in as_list(content)]
    if any("functionCall" in part for part in parts):
        return parts
    calls = [as_table(call) for call in as_list(message.get("toolCalls"))]
    called: list[Table] = [
        {"functionCall": {"name": call.get("name"), "args": call.get("args"), "id": call.get("id")}} for call in calls
    ]
    return said + parts + called
