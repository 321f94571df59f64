"""The subcommands of `coop`, in the order and the groups in which its help tells of them. Each is loaded when it is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

import click

SEE, DO, KEEP, CARE = "See sessions", "Talk to a session", "Recordings", "Set up"


@dataclass(frozen=True, slots=True)
class Subcommand:
    """`coop.cli.NAME` has it, as `NAME` or under the name in `attribute`."""

    name: str
    section: str
    says: str
    """What its own help begins with; a test holds the two against each other."""
    attribute: str = ""

    def load(self) -> click.Command:
        found = getattr(import_module(f"coop.cli.{self.name}"), self.attribute or self.name)
        assert isinstance(found, click.Command)
        return found


_ALL = (
    Subcommand("ls", SEE, "List the sessions of this machine."),
    Subcommand("attach", SEE, "Open a session on this terminal."),
    Subcommand("peek", SEE, "Show the screen."),
    Subcommand("state", SEE, "Tell what the agent is doing."),
    Subcommand("explain", SEE, "Tell why it is said to do that."),
    Subcommand("events", SEE, "Tell what happens, as it happens."),
    Subcommand("wait", SEE, "Wait until the agent is idle, asks, or ends."),
    Subcommand("nudge", DO, "Tell the agent something."),
    Subcommand("respond", DO, "Answer what the agent asks."),
    Subcommand("type", DO, "Type text.", attribute="type_text"),
    Subcommand("keys", DO, "Press keys."),
    Subcommand("resize", DO, "Give the terminal another size."),
    Subcommand("signal", DO, "Send a signal to the child.", attribute="send_signal"),
    Subcommand("stop", DO, "End a session."),
    Subcommand("send", DO, "From inside: say how the work stands."),
    Subcommand("record", KEEP, "Write a session down from now on, or stop."),
    Subcommand("replay", KEEP, "Run a recording again, and say whether the same came of it."),
    Subcommand("export", KEEP, "Write a recording without its secrets, or as an asciicast."),
    Subcommand("report", KEEP, "Make a bug report, or a failing test out of one."),
    Subcommand("mcp", CARE, "Serve the sessions of this machine to other agents."),
    Subcommand("doctor", CARE, "Check this machine, and say what to do."),
    Subcommand("completion", CARE, "Print the script that completes coop in your shell."),
)
SUBCOMMANDS: Mapping[str, Subcommand] = {each.name: each for each in _ALL}
