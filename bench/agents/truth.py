"""What was really so, from the model's clock and the independent terminal; and where coop said something else.

Times are of one clock. Nothing of coop's own detection comes in but what it published, which is what is judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bench.agents.subject import IDLE, WORKING
from bench.agents.terminal import Sight

HELD = 1.0
"""A wrong state must not last longer."""
EDGE = 0.1
"""A request is counted as seen by everybody only after this: two threads of ours, and a socket, lie between."""
FLICKER = 0.15
"""A dialog that is gone for less was only drawn anew."""
PROMPTS = ("permission_prompt", "ask_user", "plan_prompt", "setup_prompt")

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Dialog:
    kind: str
    drawn: float
    gone: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One scenario as it happened."""

    began: float
    """Before anything was done."""
    flights: Sequence[Span]
    """The requests, from the first byte in to the last byte out."""
    over: float
    """The last byte of the last message, the end of a hook that holds the turn, or the key that cut it short."""
    rested: float
    """From here on the independent terminal shows a composer at rest."""
    ended: float
    dialogs: Sequence[Dialog]
    final: str = IDLE
    breaks: Sequence[float] = ()
    """When a turn was cut short though another was to follow; until that one's request the agent is at rest."""

    @property
    def busy(self) -> Span:
        return (self.flights[0][0] if self.flights else self.over, self.over)


@dataclass(frozen=True, slots=True)
class Phase:
    what: str
    span: Span
    allowed: frozenset[str]
    """No other state may be held for longer than `HELD`."""
    is_busy: bool


def dialogs_of(sights: Sequence[Sight], until: float) -> list[Dialog]:
    found: list[Dialog] = []
    for at, sight in enumerate(sights):
        if not sight.dialog:
            continue
        gone = sights[at + 1].at if at + 1 < len(sights) else until
        if found and _is_same(found[-1], sight):
            found[-1] = replace(found[-1], gone=gone, about=found[-1].about or sight.about)
        else:
            found.append(Dialog(sight.dialog, sight.at, gone, sight.about))
    return found


def _is_same(dialog: Dialog, sight: Sight) -> bool:
    """What a dialog is about may be missing while it is being drawn, or taken away."""
    about = {dialog.about, sight.about} - {""}
    return dialog.kind == sight.dialog and len(about) < 2 and sight.at - dialog.gone < FLICKER


def phases(turn: Turn) -> list[Phase]:
    """In order of time and without gap, from the beginning of the turn to its end."""
    start, over = turn.busy
    cuts = sorted({turn.began, start, over, max(over, turn.rested), turn.ended, *_edges(turn)})
    cuts = [cut for cut in cuts if turn.began <= cut <= turn.ended]
    return [_phase(turn, (before, after)) for before, after in pairwise(cuts)]


def _edges(turn: Turn) -> list[float]:
    flights = [edge for flight in turn.flights for edge in flight if edge < turn.over]
    rests = [edge for cut in turn.breaks for edge in (cut, _next_request(turn, cut))]
    return [*flights, *rests, *(edge for dialog in turn.dialogs for edge in (dialog.drawn, dialog.gone))]


def _next_request(turn: Turn, cut: float) -> float:
    return next((began for began, _ in turn.flights if began > cut), turn.over)


def _phase(turn: Turn, span: Span) -> Phase:
    middle = (span[0] + span[1]) / 2
    start, over = turn.busy
    dialog = next((each for each in turn.dialogs if each.drawn <= middle < each.gone), None)
    if dialog is not None and middle < over:
        return Phase("dialog", span, frozenset({dialog.kind}), is_busy=True)
    if any(began <= middle < ended for began, ended in turn.flights) and middle < over:
        return Phase("request", span, frozenset({WORKING}), is_busy=True)
    if any(cut <= middle < _next_request(turn, cut) for cut in turn.breaks):
        return Phase("between turns", span, frozenset({IDLE, WORKING, *PROMPTS}), is_busy=False)
    if start <= middle < over:
        # Asked, and not yet drawn; or answered, and at work: of these two coop may say either, but never idle.
        return Phase("between", span, frozenset({WORKING, *(each.kind for each in turn.dialogs)}), is_busy=True)
    if middle < start:
        return Phase("before", span, frozenset({IDLE, WORKING, "error", "starting"}), is_busy=False)
    if middle < turn.rested:
        return Phase("ending", span, frozenset({IDLE, WORKING, "error", *PROMPTS}), is_busy=False)
    return Phase("at rest", span, frozenset({turn.final}), is_busy=False)


def transitions(turn: Turn) -> int:
    """How often what is really so has changed, from rest on: at work, asking this, asking that, at rest again."""
    names: list[object] = [IDLE]
    for phase in phases(turn):
        name = _name(turn, phase)
        if name not in (None, names[-1]):
            names.append(name)
    return len(names) - 1


def _name(turn: Turn, phase: Phase) -> object:
    match phase.what:
        case "request":
            return WORKING
        case "dialog":
            return next(each for each in turn.dialogs if each.drawn <= phase.span[0] < each.gone)
        case "at rest":
            return turn.final
        case _:
            return None
