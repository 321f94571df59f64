"""How long what an agent asks waits for an answer, by what is published."""

from collections.abc import Iterable
from dataclasses import dataclass

from coop.model.events import Event, PromptAnswered, SessionEnded, StateChanged
from coop.model.ids import PromptId
from coop.model.prompt import Prompt
from coop.model.state import AgentState, Prompted


@dataclass(frozen=True, slots=True)
class Waited:
    """A prompt that is over."""

    prompt: Prompt
    asked_at: float
    gone_at: float
    by: str | None = None
    """`api` or `keyboard`; `None` when nobody has answered it."""
    outcome: str | None = None
    """`None` when nothing has shown it."""

    @property
    def seconds(self) -> float:
        return self.gone_at - self.asked_at


class PromptWaits:
    def __init__(self) -> None:
        self._open: dict[PromptId, tuple[Prompt, float]] = {}
        self._gone: dict[PromptId, Waited] = {}
        """What is no longer asked, and of which it is not told yet who has answered."""

    def receive(self, event: Event) -> Iterable[Waited]:
        """The waits of which the event has told the end."""
        match event.fact:
            case StateChanged(current=current):
                self._on_state(current, event.at)
            case PromptAnswered(prompt, by, outcome, _):
                return self._on_answer(prompt, by, outcome, event.at)
            case SessionEnded():
                return self._on_end(event.at)
            case _:
                pass
        return ()

    def _on_state(self, state: AgentState, at: float) -> None:
        asked = {each.id: each for each in state.prompts} if isinstance(state, Prompted) else {}
        for identity in self._open.keys() - asked.keys():
            prompt, asked_at = self._open.pop(identity)
            self._gone[identity] = Waited(prompt, asked_at, at)
        for identity, prompt in asked.items():
            back = self._gone.pop(identity, None)  # it was only covered
            _, asked_at = self._open.get(identity, (prompt, back.asked_at if back else at))
            self._open[identity] = (prompt, asked_at)

    def _on_answer(self, prompt: Prompt, by: str, outcome: str | None, at: float) -> tuple[Waited, ...]:
        self._on_gone(prompt.id, at)
        waited = self._gone.pop(prompt.id, None)
        return (Waited(prompt, waited.asked_at, waited.gone_at, by, outcome),) if waited is not None else ()

    def _on_gone(self, identity: PromptId, at: float) -> None:
        if identity in self._open:
            prompt, asked_at = self._open.pop(identity)
            self._gone[identity] = Waited(prompt, asked_at, at)

    def _on_end(self, at: float) -> tuple[Waited, ...]:
        for identity in list(self._open):
            self._on_gone(identity, at)
        left, self._gone = tuple(self._gone.values()), {}
        return left
