"""What programs tell, whoever they are: their terminal by OSC 7501 (status), OSC 133 (shell marks), OSC 9;4 (progress), and
the hook pipe by events named as agents' hooks are.

Anybody in the session can forge these, so they are hints: beside an agent's own words they never decide anything alone, and of a
program that has none they count only where its configuration names them.
"""

import base64
import binascii
from collections.abc import Mapping

from coop.model.readings import Claim, Readings, Says, TakenBack, Waits
from coop.model.state import Failed, Idle, Working

PROGRESS = Working("progress")
PIPED: Mapping[str, Claim] = {
    **dict.fromkeys(("user_prompt_submit", "pre_tool_use", "post_tool_use"), Working()),
    **dict.fromkeys(("UserPromptSubmit", "PreToolUse", "PostToolUse"), Working()),
    **dict.fromkeys(("stop", "Stop"), Idle()),
}
_LONGEST_WORDS = 200


def read_piped(event: str, _record: Mapping[str, object]) -> Readings:
    """`echo '{"event":"stop"}' > $COOP_HOOK_PIPE`, of a program that we know nothing else of."""
    return (Says(PIPED[event]),) if event in PIPED else ()


def read_status(command: str, app: str | None = None) -> Readings:
    """`7501;state=working:app=…`, of that app; `None` takes any, but one must be named."""
    number, _, rest = command.partition(";")
    fields = {key: value for key, _, value in (field.partition("=") for field in rest.split(":"))}
    if number != "7501" or (app is not None and fields.get("app", app) != app):
        return ()
    if fields.get("state") == "clear":  # said at the end, sometimes without a name
        return (TakenBack(),)
    claim = _claim(fields) if fields.get("app") else None
    return (Says(claim),) if claim is not None else ()


def own_status(command: str, app: str) -> Readings:
    """Of an agent that has better words for what went wrong: here, that is the end of a turn like any other."""
    claims = (each.claim for each in read_status(command, app) if isinstance(each, Says))
    return tuple(Says(Idle() if isinstance(claim, Failed) else claim) for claim in claims)


def _claim(fields: dict[str, str]) -> Claim | None:
    match fields.get("state"):
        case "working":
            return Working()
        case "idle" | "done":
            return Idle()
        case "blocked":
            return Waits(_words(fields) or fields.get("kind", ""))
        case "error":
            return Failed(_words(fields) or "the agent reports an error")
        case _:
            return None


def _words(fields: dict[str, str]) -> str:
    """`msg` is base64; what cannot be read says nothing."""
    try:
        text = base64.b64decode(fields.get("msg", ""), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
    return "".join(filter(str.isprintable, text))[:_LONGEST_WORDS]


def read_marks(command: str) -> Readings:
    """`133;A` and `B`: at its prompt; `C`: a command runs; `D;1`: it has failed. That one has ended well, the next prompt says."""
    match command.split(";"):
        case ["133", "A" | "B", *_]:
            return (Says(Idle()),)
        case ["133", "C", *_]:
            return (Says(Working()),)
        case ["133", "D", status, *_] if status.isdecimal() and status.strip("0"):
            return (Says(Failed(f"exit status {status[:10]}")),)
        case _:
            return ()


def read_progress(command: str) -> Readings:
    """`9;4;1;40`, or `3`: it works; `0`: there is no progress to tell of any more, which is not to say that it rests."""
    match command.split(";"):
        case ["9", "4", "1" | "2" | "3", *_]:
            return (Says(PROGRESS),)
        case ["9", "4", "0", *_]:
            return (TakenBack(PROGRESS),)
        case _:
            return ()
