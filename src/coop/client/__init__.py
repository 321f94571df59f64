"""The SDK: a session as an object, its states and prompts as values, its events as a stream that survives reconnects.

Each name is loaded when it is first used: a command that only looks for a session need not wait for an HTTP client.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coop.client.backend import CoopBackend
    from coop.client.events import EventStream
    from coop.client.finding import Found, find, sessions
    from coop.client.session import Session, connect
    from coop.client.sidecar import spawn
    from coop.model.commands import Answer, Progress, Receipt, When
    from coop.model.events import (
        Event,
        PromptAnswered,
        Resized,
        SessionEnded,
        ShutdownStarted,
        StateChanged,
        StopAllowed,
        StopBlocked,
    )
    from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
    from coop.model.screen import Cursor, ScreenSnapshot, Size
    from coop.model.state import (
        AgentState,
        AltScreen,
        ErrorKind,
        Exited,
        ExitStatus,
        Failed,
        Idle,
        Prompted,
        Starting,
        Tier,
        Unknown,
        Working,
    )
    from coop.model.stop import StopConfig, StopMode, StopSignal
    from coop.model.view import (
        Answered,
        Health,
        Lagged,
        OutputChunk,
        ProcessStatus,
        RecordingStatus,
        Restarted,
        Snapshot,
        StopGate,
        StreamItem,
        UnknownEvent,
    )

__all__ = [
    "AgentState",
    "AltScreen",
    "Answer",
    "Answered",
    "Choice",
    "CoopBackend",
    "Cursor",
    "ErrorKind",
    "Event",
    "EventStream",
    "ExitStatus",
    "Exited",
    "Failed",
    "Found",
    "Health",
    "Idle",
    "Lagged",
    "OutputChunk",
    "Permission",
    "Plan",
    "ProcessStatus",
    "Progress",
    "Prompt",
    "PromptAnswered",
    "Prompted",
    "Query",
    "Question",
    "Receipt",
    "RecordingStatus",
    "Resized",
    "Restarted",
    "ScreenSnapshot",
    "Session",
    "SessionEnded",
    "Setup",
    "ShutdownStarted",
    "Size",
    "Snapshot",
    "Starting",
    "StateChanged",
    "StopAllowed",
    "StopBlocked",
    "StopConfig",
    "StopGate",
    "StopMode",
    "StopSignal",
    "StreamItem",
    "Tier",
    "Unknown",
    "UnknownEvent",
    "When",
    "Working",
    "connect",
    "find",
    "sessions",
    "spawn",
]

_OF = {
    "coop.client.backend": ("CoopBackend",),
    "coop.client.events": ("EventStream",),
    "coop.client.finding": (
        "Found",
        "find",
        "sessions",
    ),
    "coop.client.session": (
        "Session",
        "connect",
    ),
    "coop.client.sidecar": ("spawn",),
    "coop.model.commands": (
        "Answer",
        "Progress",
        "Receipt",
        "When",
    ),
    "coop.model.events": (
        "Event",
        "PromptAnswered",
        "Resized",
        "SessionEnded",
        "ShutdownStarted",
        "StateChanged",
        "StopAllowed",
        "StopBlocked",
    ),
    "coop.model.prompt": (
        "Choice",
        "Permission",
        "Plan",
        "Prompt",
        "Query",
        "Question",
        "Setup",
    ),
    "coop.model.screen": (
        "Cursor",
        "ScreenSnapshot",
        "Size",
    ),
    "coop.model.state": (
        "AgentState",
        "AltScreen",
        "ErrorKind",
        "Exited",
        "ExitStatus",
        "Failed",
        "Idle",
        "Prompted",
        "Starting",
        "Tier",
        "Unknown",
        "Working",
    ),
    "coop.model.stop": (
        "StopConfig",
        "StopMode",
        "StopSignal",
    ),
    "coop.model.view": (
        "Answered",
        "Health",
        "Lagged",
        "OutputChunk",
        "ProcessStatus",
        "RecordingStatus",
        "Restarted",
        "Snapshot",
        "StopGate",
        "StreamItem",
        "UnknownEvent",
    ),
}
_MODULES = {name: module for module, names in _OF.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
