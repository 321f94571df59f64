"""What Claude Code tells its terminal: OSC 7501 (2.1.325 on), and the title.

Any program's output can forge these, so they never decide anything alone.
"""

from coop.model.readings import Claim, Readings, Says, Waits
from coop.model.state import Idle, Working

APP = "claude-code"
_STATES: dict[str, Claim] = {"idle": Idle(), "done": Idle(), "working": Working(), "blocked": Waits(), "error": Idle()}
_WORKING_GLYPHS = "⠂⠐◐◑"
_RESTING_GLYPH = "✳"


def read_report(command: str) -> Readings:
    """`7501;state=working:app=claude-code`, or `0;✳ title`."""
    number, _, rest = command.partition(";")
    if number == "7501":
        fields = rest.split(":")
        state = next((each.removeprefix("state=") for each in fields if each.startswith("state=")), "")
        claim = _STATES.get(state) if f"app={APP}" in fields else None
        return (Says(claim),) if claim is not None else ()
    if number == "0" and rest:
        return (Says(Working()),) if rest[0] in _WORKING_GLYPHS else (Says(Idle()),) if rest[0] == _RESTING_GLYPH else ()
    return ()
