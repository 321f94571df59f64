"""One writer at a time: the strokes of one request never mix with those of another."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from coop.model.commands import Reason, Refused, Stroke, Typed
from coop.model.ids import RequestId
from coop.session.effects import Abandon, Effect, Reply, Write

PATIENCE = 2.0
"""How long a request waits for its turn, and how long a turn waits for a program that does not read."""


@dataclass(slots=True)
class _Turn:
    request: RequestId
    strokes: deque[Stroke]
    gives_up: float
    is_answered_later: bool
    unwritten: int = 0
    written: int = 0
    pause: float = 0.0
    resumes: float = field(default=0.0)


class Lane:
    """A queue of turns. A turn that is never begun is refused, and nothing of it was typed."""

    def __init__(self) -> None:
        self._turns: deque[_Turn] = deque()

    def deadline(self) -> float | None:
        """When `advance` must be called next, if nothing else happens before."""
        times = [turn.gives_up for turn in self._turns if turn.unwritten or turn is not self._turns[0]]
        if self._turns and not self._turns[0].unwritten:
            times.append(self._turns[0].resumes)
        return min(times, default=None)

    def offer(self, request: RequestId, strokes: Sequence[Stroke], now: float, *, answered_later: bool = False) -> None:
        """Takes a turn; its end is the answer, unless more has to be known for that."""
        self._turns.append(_Turn(request, deque(strokes), now + PATIENCE, answered_later))

    def written(self, count: int, now: float) -> None:
        """The terminal has taken so much of what the current turn wrote."""
        if not self._turns:
            return
        turn = self._turns[0]
        turn.written += count
        turn.unwritten -= count
        turn.gives_up = now + PATIENCE
        if not turn.unwritten:
            turn.resumes = now + turn.pause

    def advance(self, now: float) -> Iterator[Effect]:
        """What is to be done now. Asks for one write at a time."""
        while self._turns:
            turn = self._turns[0]
            if turn.unwritten:
                if now < turn.gives_up:
                    break
                yield Abandon()
            elif now < turn.resumes:
                break
            elif turn.strokes:
                yield self._begin(turn.strokes.popleft(), turn, now)
                break
            self._turns.popleft()
            if not turn.is_answered_later:
                yield Reply(turn.request, Typed(turn.written))
        yield from self._refuse_the_late(now)

    def clear(self, refused: Refused) -> Iterator[Effect]:
        """Ends every turn: the child is gone."""
        while self._turns:
            turn = self._turns.popleft()
            if not turn.is_answered_later:
                yield Reply(turn.request, refused)

    def _begin(self, stroke: Stroke, turn: _Turn, now: float) -> Effect:
        turn.unwritten, turn.pause, turn.gives_up = len(stroke.data), stroke.pause, now + PATIENCE
        return Write(stroke.data)

    def _refuse_the_late(self, now: float) -> Iterator[Effect]:
        for turn in [turn for turn in list(self._turns)[1:] if now >= turn.gives_up]:
            self._turns.remove(turn)
            yield Reply(turn.request, Refused(Reason.WRITER_BUSY, "another request was still being typed after 2 s; try again"))
