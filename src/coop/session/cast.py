"""A recording as an asciicast, version 2: what players read. States and prompts become markers."""

import codecs
import json
from collections.abc import Iterator, Mapping
from typing import Any

from coop.model.records import Output
from coop.session.timeline import words
from coop.wire.recording import Header, Published, Received, Recorded

_MARKED = frozenset({"state_change", "answered", "stop"})


def cast(recorded: Recorded) -> Iterator[str]:
    """Its lines."""
    header, decoder = recorded.header, codecs.getincrementaldecoder("utf-8")("replace")
    yield json.dumps(_header(header), ensure_ascii=False)
    if header.screen is not None:
        yield _event(0.0, "o", header.screen)
    for line in recorded.lines:
        match line:
            case Received(now, Output(data)):
                if text := decoder.decode(data):  # a character may come in two pieces
                    yield _event(now - header.now, "o", text)
            case Published(at, _, {"type": "resize", "cols": cols, "rows": rows}):
                yield _event(at - header.now, "r", f"{cols}x{rows}")
            case Published(at, _, message) if message["type"] in _MARKED:
                yield _event(at - header.now, "m", words(message))
            case _:
                pass


def _header(header: Header) -> Mapping[str, Any]:
    return {
        "version": 2,
        "width": header.size.cols,
        "height": header.size.rows,
        "timestamp": int(header.wall),
        "title": f"{header.agent}: {header.session}",
        "env": {"TERM": "xterm-256color"},
        "coop": {"coop": header.coop, "replayable": False, "removed": header.removed or {}},
    }


def _event(at: float, kind: str, text: str) -> str:
    return json.dumps([round(max(0.0, at), 6), kind, text], ensure_ascii=False)
