"""One line of conversation: the session's own, or a subagent's."""

from dataclasses import dataclass, field

from coop_sim.claude.history import History
from coop_sim.claude.log import SessionLog
from coop_sim.shapes import Table


@dataclass
class Strand:
    log: SessionLog
    history: History = field(default_factory=History)
    fields: Table = field(default_factory=dict[str, object])
    """What its hooks are told besides: which subagent it is."""

    def record(self, line: Table) -> None:
        """For the log and for the model."""
        self.log.chain(line)
        self.history.take(line)
