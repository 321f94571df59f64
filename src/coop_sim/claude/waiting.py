"""The prompts that wait for their turn, and what the log says of their coming and going."""

from collections import deque
from dataclasses import dataclass, field

from coop_sim.claude.log import timestamp
from coop_sim.claude.log_lines import queue_line
from coop_sim.claude.session import Session


@dataclass(frozen=True, slots=True)
class Waiting:
    text: str
    is_heard: bool = False
    """The UserPromptSubmit hooks have run."""
    is_queued: bool = False
    """It came while another turn ran, or by itself."""
    is_shown: bool = False
    """A person typed it, and may take it back."""


@dataclass
class Queue:
    session: Session
    _prompts: deque[Waiting] = field(default_factory=deque[Waiting])

    def __bool__(self) -> bool:
        return bool(self._prompts)

    def put(self, prompt: Waiting) -> None:
        self._prompts.append(prompt)
        if prompt.is_queued:
            self.session.log.note(queue_line("enqueue", timestamp(), prompt.text))

    def take(self) -> Waiting:
        prompt = self._prompts.popleft()
        if prompt.is_queued:
            self.session.log.note(queue_line("dequeue", timestamp()))
        return prompt

    def take_back(self) -> list[str]:
        """All that a person typed."""
        texts = self.shown()
        self._prompts = deque(prompt for prompt in self._prompts if not prompt.is_shown)
        for text in texts:
            self.session.log.note(queue_line("popAll", timestamp(), text))
        return texts

    def shown(self) -> list[str]:
        return [prompt.text for prompt in self._prompts if prompt.is_shown]
