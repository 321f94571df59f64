"""What Claude is doing, as it says itself: in its status file, its title and by OSC 7501."""

from base64 import b64encode
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idle:
    pass


@dataclass(frozen=True, slots=True)
class Working:
    message: str = ""


@dataclass(frozen=True, slots=True)
class Blocked:
    """At a dialog. `kind` is empty for one that is neither a permission nor a question."""

    waiting_for: str
    kind: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    pass


@dataclass(frozen=True, slots=True)
class Shelled:
    """The turn is done, and a shell goes on in the background."""


@dataclass(frozen=True, slots=True)
class Between:
    """One turn is done, and the next prompt is waiting: idle for a moment, and only in the status file."""


@dataclass(frozen=True, slots=True)
class Failed:
    message: str
    needs_login: bool = False


State = Idle | Working | Blocked | Done | Shelled | Between | Failed


def status_of(state: State) -> tuple[str, str | None]:
    """For the status file: `status` and `waitingFor`."""
    match state:
        case Working():
            return "busy", None
        case Blocked(waiting_for):
            return "waiting", waiting_for
        case Shelled():
            return "shell", None
        case _:
            return "idle", None


def osc_7501(state: State) -> str:
    match state:
        case Idle():
            return _osc("idle")
        case Working(message):
            return _osc("working", message=message)
        case Between():
            return _osc("working")
        case Blocked(_, kind, message):
            return _osc("blocked", kind=kind, message=message)
        case Done() | Shelled():
            return _osc("done")
        case Failed(message, needs_login):
            return _osc("blocked", kind="auth") if needs_login else _osc("error", message=message)


CLEAR_7501 = "\x1b]7501;state=clear\x07"
PROBE_7501 = "\x1b]7501;?\x07"


def _osc(state: str, *, kind: str = "", message: str = "") -> str:
    parts = [f"state={state}", "app=claude-code"]
    parts += [f"kind={kind}"] if kind else []
    parts += [f"msg={b64encode(message.encode()).decode()}"] if message else []
    return f"\x1b]7501;{':'.join(parts)}\x07"
