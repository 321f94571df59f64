"""One writer at a time: the strokes of one request never mix with those of another."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coop.agents import Script, View
from coop.errors import CoopError
from coop.model.commands import Reason, Refused, Stroke, Typed
from coop.model.ids import RequestId
from coop.session.effects import Abandon, Effect, Reply, Write
from coop.session.refusing import ill_said

PATIENCE = 2.0
"""How long a request waits for its turn, and how long a turn waits for a program that does not read."""

Look = Callable[[RequestId], View]
"""What a turn sees when it goes on."""


@dataclass(slots=True)
class _Turn:
    request: RequestId
    script: Script
    gives_up: float
    is_answered_later: bool
    has_eyes: bool
    has_begun: bool = False
    is_withdrawn: bool = False
    unwritten: int = 0
    written: int = 0
    stroke: bytes = b""
    """What is being written."""
    pause: float = 0.0
    resumes: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Everything of that request is typed."""

    request: RequestId


@dataclass(frozen=True, slots=True)
class Sent:
    """The key that sends or answers is being typed for that request; what came before it only led there."""

    request: RequestId


@dataclass(frozen=True, slots=True)
class Cleared:
    """For that request, something that stood in the agent's input is being erased."""

    request: RequestId
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The screen shows that the agent took what that request typed."""

    request: RequestId
    text: str


@dataclass(frozen=True, slots=True)
class TurnRefused:
    """That request could not be typed to its end."""

    request: RequestId
    refused: Refused


_PASTE_BEGINS, _PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
NOT_READ = "the agent's terminal did not take it within 2 s: it does not read"


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

    def offer(
        self, request: RequestId, script: Script, now: float, *, answered_later: bool = False, has_eyes: bool = True
    ) -> None:
        """Takes a turn; its end is the answer, unless more has to be known for that. Without eyes it is not shown the screen."""
        self._turns.append(_Turn(request, script, now + PATIENCE, answered_later, has_eyes))

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

    def withdraw(self, request: RequestId) -> None:
        """Types nothing more of it."""
        for turn in self._turns:
            turn.is_withdrawn = turn.is_withdrawn or turn.request == request

    def advance(self, now: float, look: Look) -> Iterator[Effect | TurnEnded | TurnRefused | Sent | Cleared | Shown]:
        """What is to be done now. Asks for one write at a time."""
        while self._turns:
            turn = self._turns[0]
            if turn.is_withdrawn and not turn.unwritten:
                turn.script.close()
                self._turns.popleft()
            elif turn.unwritten:
                if now < turn.gives_up:
                    break
                turn.script.close()
                yield Abandon(_paste_end(turn))
                refused = Refused(Reason.UNVERIFIED, NOT_READ) if turn.is_answered_later else None
                yield from self._finish(turn, refused)
            elif now < turn.resumes:
                break
            else:
                stroke = self._next(turn, look)
                if isinstance(stroke, Stroke):
                    yield from self._begin(stroke, turn, now)
                else:
                    yield from self._finish(turn, stroke)
        yield from self._refuse_the_late(now)

    def clear(self, refused: Refused) -> Iterator[Effect]:
        """Ends every turn: the child is gone."""
        while self._turns:
            turn = self._turns.popleft()
            turn.script.close()
            if not turn.is_answered_later:
                yield Reply(turn.request, refused)

    def _next(self, turn: _Turn, look: Look) -> Stroke | Refused | None:
        try:
            if turn.has_begun and turn.has_eyes:
                view = look(turn.request)
                return Stroke(b"") if turn.is_withdrawn else turn.script.send(view)  # it was taken back for what was seen
            turn.has_begun = True
            return next(turn.script)
        except StopIteration as end:
            refused: Refused | None = end.value
            return refused
        except CoopError as error:
            return ill_said(error)

    def _begin(self, stroke: Stroke, turn: _Turn, now: float) -> Iterator[Effect | Sent | Cleared | Shown]:
        if stroke.clears:
            yield Cleared(turn.request, stroke.clears)
        if stroke.proves:
            yield Shown(turn.request, stroke.proves)
        turn.stroke, turn.unwritten, turn.pause, turn.gives_up = stroke.data, len(stroke.data), stroke.pause, now + PATIENCE
        turn.resumes = now + stroke.pause
        if stroke.data:
            if turn.is_answered_later and not stroke.leads:
                yield Sent(turn.request)
            yield Write(stroke.data)

    def _finish(self, turn: _Turn, refused: Refused | None) -> Iterator[Effect | TurnEnded | TurnRefused]:
        self._turns.popleft()
        if refused is not None:
            yield self._refusal(turn, refused)
        elif turn.is_answered_later:
            yield TurnEnded(turn.request)
        else:
            yield Reply(turn.request, Typed(turn.written))

    def _refusal(self, turn: _Turn, refused: Refused) -> Effect | TurnRefused:
        return TurnRefused(turn.request, refused) if turn.is_answered_later else Reply(turn.request, refused)

    def _refuse_the_late(self, now: float) -> Iterator[Effect | TurnRefused]:
        for turn in [turn for turn in list(self._turns)[1:] if now >= turn.gives_up]:
            self._turns.remove(turn)
            turn.script.close()
            yield self._refusal(turn, Refused(Reason.WRITER_BUSY, "another request was still being typed after 2 s; try again"))


def _paste_end(turn: _Turn) -> bytes:
    """A program that has taken the beginning of a paste takes every key for part of it until it gets the end."""
    has_begun = turn.stroke.startswith(_PASTE_BEGINS) and turn.unwritten < len(turn.stroke)
    return _PASTE_ENDS if has_begun else b""
