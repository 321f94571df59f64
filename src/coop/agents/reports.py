"""OSC 7501, by which several agents tell their terminal what they do."""

from coop.model.readings import Claim, Readings, Says, Waits
from coop.model.state import Idle, Working

_STATES: dict[str, Claim] = {"idle": Idle(), "done": Idle(), "working": Working(), "blocked": Waits(), "error": Idle()}


def state_report(command: str, app: str) -> Readings:
    """What `7501;state=working:app=APP` says; nothing when another program says it."""
    number, _, rest = command.partition(";")
    fields = rest.split(":")
    if number != "7501" or f"app={app}" not in fields:
        return ()
    state = next((each.removeprefix("state=") for each in fields if each.startswith("state=")), "")
    claim = _STATES.get(state)
    return (Says(claim),) if claim is not None else ()
