"""The facts that were learned of an agent on the way: its session, its model, what it last said, what it used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePath

from coop.model.readings import Learned, Used


@dataclass(frozen=True, slots=True)
class Knowledge:
    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    version: str | None = None
    last_message: str | None = None
    usage: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    """Tokens by message."""

    def tokens(self) -> Mapping[str, int]:
        total: dict[str, int] = {}
        for used in self.usage.values():
            for kind, count in used.items():
                total[kind] = total.get(kind, 0) + count
        return total

    def with_(self, learned: Learned | Used) -> "Knowledge":
        if isinstance(learned, Learned):
            told = {each.name: value for each in fields(learned) if (value := getattr(learned, each.name)) is not None}
            before = replace(self, transcript_path=None) if self._is_left_by(learned) else self
            return replace(before, **told)
        if self.usage.get(learned.message_id) == learned.tokens:
            return self
        return replace(self, usage={**self.usage, learned.message_id: learned.tokens})

    def _is_left_by(self, learned: Learned) -> bool:
        """A session that goes on under a new name, and has not said where it writes now: not in the log named after the old one."""
        is_renamed = learned.session_id not in (None, self.session_id) and learned.transcript_path is None
        return is_renamed and self.transcript_path is not None and PurePath(self.transcript_path).stem == self.session_id
