"""`sessions/<pid>.json`: the state of a running Claude, there from the first prompt box until the end."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.claude.states import State, status_of
from coop_sim.shapes import Table


@dataclass
class StatusFile:
    path: Path
    base: Table
    """pid, cwd, version and the other fields that stay."""
    is_absent: bool = False
    """A fault: it is never written."""
    _told: Table = field(default_factory=dict[str, object])

    def begin(self, session_id: str, now: int) -> None:
        """The first write has no status yet."""
        self._told = {"sessionId": session_id, "startedAt": now, "updatedAt": now}
        self._write()

    def tell(self, state: State, session_id: str, now: int) -> None:
        status, waiting_for = status_of(state)
        if (status, waiting_for, session_id) == tuple(self._told.get(key) for key in ("status", "waitingFor", "sessionId")):
            return
        self._told |= {"sessionId": session_id, "status": status, "updatedAt": now, "statusUpdatedAt": now}
        self._told.pop("waitingFor", None)
        if waiting_for is not None:
            self._told["waitingFor"] = waiting_for
        self._write()

    def _write(self) -> None:
        if not self.is_absent:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.base | self._told))

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
