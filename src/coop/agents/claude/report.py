"""What Claude Code tells its terminal: OSC 7501 (2.1.325 on), and the title.

Any program's output can forge these, so they never decide anything alone.
"""

from coop.agents.hints import own_status
from coop.model.readings import Readings, Says
from coop.model.state import Idle, Working

APP = "claude-code"
_WORKING_GLYPHS = "⠂⠐◐◑"
_RESTING_GLYPH = "✳"


def read_report(command: str) -> Readings:
    """`7501;state=working:app=claude-code`, or `0;✳ title`."""
    number, _, rest = command.partition(";")
    if number == "7501":
        return own_status(command, APP)
    if number == "0" and rest:
        return (Says(Working()),) if rest[0] in _WORKING_GLYPHS else (Says(Idle()),) if rest[0] == _RESTING_GLYPH else ()
    return ()
