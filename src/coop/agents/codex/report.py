"""What Codex tells its terminal: OSC 7501. Any program's output can forge it, so it never decides anything alone."""

from coop.agents.hints import own_status
from coop.model.readings import Readings

APP = "codex"


def read_report(command: str) -> Readings:
    """`7501;state=blocked:app=codex:kind=permission`. While a terminal runs in the background it goes on saying `working`."""
    return own_status(command, APP)
