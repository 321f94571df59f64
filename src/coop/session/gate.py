"""The gate before the end of a turn: a consumer can keep the agent at work until somebody says that it is done."""

from dataclasses import dataclass, field

from coop.model.stop import StopConfig, StopMode, StopSignal

_OPENS = frozenset({"complete", "escalate"})


@dataclass(slots=True)
class Gate:
    config: StopConfig = field(default_factory=StopConfig)
    signal: StopSignal | None = None
    """What was said last since the agent was last given something to do."""
    blocks: int = 0
    """How often in a row the agent was sent back."""

    def may_stop(self) -> tuple[bool, str]:
        """May it, and why: `open`, `resolved`, `safety_valve`; or what it is told when it may not."""
        if self.config.mode is StopMode.ALLOW:
            return True, "open"
        if self.signal is not None and self.signal.kind in _OPENS:
            self.blocks = 0
            return True, "resolved"
        if self.blocks >= self.config.most_blocks:
            self.blocks = 0
            return True, "safety_valve"
        self.blocks += 1
        return False, self.config.reason

    def configure(self, config: StopConfig) -> None:
        self.config, self.blocks, self.signal = config, 0, None

    def on_new_turn(self, told: str) -> None:
        """Somebody gave the agent something to do: what was said before was about something else.

        An agent that takes our reason for its next prompt was given nothing new.
        """
        if not self.blocks or told.strip() != self.config.reason.strip():
            self.signal, self.blocks = None, 0
