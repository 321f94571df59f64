"""Logs on stderr: one JSON object a line, or text for people."""

import json
import logging
import sys
import time
from typing import Literal

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "ts": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        extras = " ".join(f"{key}={value}" for key, value in _extras(record).items() if value is not None)
        line = f"coop: {record.levelname.lower() + ': ' if record.levelno > logging.INFO else ''}{record.getMessage()}"
        line = f"{line} {extras}" if extras else line
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _extras(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in record.__dict__.items() if key not in _STANDARD}


def set_up(style: Literal["json", "text"] | None, level: str) -> None:
    """Without a style it is text on a terminal, and JSON elsewhere."""
    handler = logging.StreamHandler(sys.stderr)
    is_text = style == "text" or (style is None and sys.stderr.isatty())
    handler.setFormatter(TextFormatter() if is_text else JsonFormatter())
    root = logging.getLogger("coop")
    root.handlers = [handler]
    root.setLevel(level.upper())
    root.propagate = False
    for name in ("uvicorn.error", "grpclib"):
        errors = logging.getLogger(name)
        errors.handlers, errors.propagate = [handler], False
        errors.setLevel(logging.CRITICAL)  # what it would tell, our own replies and logs say
