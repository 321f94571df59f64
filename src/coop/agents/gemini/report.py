"""What Gemini CLI tells its terminal by the title: the one source that covers every state.

Any program's output can forge it, so it never decides anything alone. The folder's name stands behind, in parentheses.
"""

import re

from coop.model.readings import Claim, Readings, Says, Waits
from coop.model.state import Idle, Working

_TITLE = re.compile(r"[02];(?:(◇)  Ready|(✦)  Working…|(✋)  Action Required)(?: \(.*\))? *")
_CLAIMS: tuple[Claim, ...] = (Idle(), Working(), Waits("Action Required"))


def read_report(command: str) -> Readings:
    """`0;✦  Working… (folder)`, filled up with blanks; `2;` when a terminal tells it that was there before us."""
    found = _TITLE.fullmatch(command)
    if found is None or found.lastindex is None:
        return ()
    return (Says(_CLAIMS[found.lastindex - 1]),)
