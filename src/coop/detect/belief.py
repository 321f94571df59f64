"""What we hold true of an agent, and the one rule by which an observation changes it.

Every tier's last word stands until it says another. The rules at the end of this module are asked in order; the first that
applies now decides, and those before it that will apply later set the alarm.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from coop.detect.words import (
    ANSWERED_GONE_AFTER,
    PRIMARY,
    Belief,
    Closed,
    Kept,
    Observation,
    Opened,
    Seen,
    Verdict,
    Withdrawn,
    note,
)
from coop.model.ids import PromptId
from coop.model.prompt import Setup
from coop.model.readings import Waits
from coop.model.state import AgentState, AltScreen, Exited, Failed, Idle, Prompted, Starting, Tier, Unknown, Working

__all__ = [
    "ANSWERED_GONE_AFTER",
    "PRIMARY",
    "Belief",
    "Closed",
    "Kept",
    "Observation",
    "Opened",
    "Seen",
    "Verdict",
    "Withdrawn",
    "revise",
]

ALT_SCREEN_AFTER = 0.5
"""How long something foreign must have the alternate screen before we say so."""
SETTLE_WINDOW = 0.5
"""How long the end of a turn can be contradicted when no second source confirms it."""
DIALOG_GONE_AFTER = 0.5
"""How long a dialog must be off the screen before its prompt is over."""
STUCK_AFTER = 0.9
"""How long one source may say that the agent works when two others say that it rests…"""
STATUS_STUCK_AFTER = 3.0
"""…and how long, if it is the status file, which alone knows of queued messages and background work."""
BACKGROUND_OVER_AFTER = 1.0
"""How long the status file must say that nothing runs, when a hook said that something does."""
STARTED_AFTER = 2.0
"""How long a status file may take to appear."""
RESTED_AFTER = 1.0
"""How long an agent that has said nothing but by its report must show its input: while it starts, a dialog may still come."""
RAISED_AFTER = 0.2
"""How long the screen must show work that nobody has told of, not even a report to the terminal."""
UNRECOGNIZED_AFTER = 1.0
"""How long an agent may wait for something we cannot name before we say that it asks."""
STRANGE_AFTER = 3.0
"""The same while it starts, when nobody can say yet that it waits."""
DRAWN_AFTER = 0.3
"""How long it must be seen, at that: a dialog that is drawn anew cannot be read in the middle of it."""

AFTER_THE_HOOKS = frozenset({Tier.STATUS_FILE, Tier.SCREEN, Tier.TERMINAL_REPORT})
"""Those who still say that the agent works while a stop hook may send it on."""
NEVER = float("inf")


def revise(belief: Belief, seen: Seen, now: float, *, grace: float) -> Belief:
    """The belief after an observation, or after time alone has passed (`seen` is `None`). Exit is final."""
    if isinstance(belief.state, Exited):
        return belief
    belief = note(belief, seen)
    for _ in range(3):  # one verdict may make way for another
        before, belief = belief, _decide(belief, now, grace)
        if belief.state == before.state:
            break
    return belief


def _decide(belief: Belief, now: float, grace: float) -> Belief:
    pending: Verdict | None = None
    for rule in RULES:
        verdict = rule(belief, grace)
        if verdict is None:
            continue
        if verdict.due <= now and _wants_a_look(belief, verdict, now):
            assert belief.looks_at is not None
            return replace(belief, pending=replace(verdict, due=belief.looks_at))
        if verdict.due <= now:
            return _believe(belief, verdict, now, pending)
        if verdict.due < (pending.due if pending else NEVER):
            pending = verdict
    return replace(belief, pending=pending)


def _wants_a_look(belief: Belief, verdict: Verdict, now: float) -> bool:
    """Whoever is told that the agent rests may act on it: never before the screen that came with the word of it is read."""
    is_new = isinstance(verdict.state, Idle) and not isinstance(belief.state, Idle)
    draws = verdict.tier is not Tier.STDOUT_JSONL
    return is_new and draws and belief.looks_at is not None and belief.looks_at > now


def _believe(belief: Belief, verdict: Verdict, now: float, pending: Verdict | None) -> Belief:
    since = belief.since if verdict.state == belief.state else now
    return replace(
        belief,
        over=_over(belief, verdict.state, now),
        state=verdict.state,
        tier=verdict.tier,
        since=since,
        rule=verdict.rule,
        unless=verdict.unless,
        pending=pending,
    )


def _over(belief: Belief, state: AgentState, now: float) -> tuple[PromptId, float] | None:
    if not isinstance(belief.state, Prompted):
        return belief.over
    goes_on = isinstance(state, Prompted) and any(each.id == belief.state.prompt.id for each in state.prompts)
    return None if goes_on else (belief.state.prompt.id, now)


# The rules


def _has_exited(belief: Belief, grace: float) -> Verdict | None:
    word = belief.said.get(Tier.PROCESS)
    if word is None or not isinstance(word.state, Exited):
        return None
    return Verdict(word.state, Tier.PROCESS, "the process has ended", unless="nothing: exit is final")


def _asks(belief: Belief, grace: float) -> Verdict | None:
    """A prompt whose hook we hold is open for as long as we hold it."""
    if not belief.open:
        return None
    screen = belief.said.get(Tier.SCREEN)
    drawn = screen.state.prompt.id if screen and isinstance(screen.state, Prompted) else None
    shown = next((each for each in belief.open if each.id == drawn), belief.open[0])
    waiting = belief.open if len(belief.open) > 1 else ()
    return Verdict(
        Prompted(shown, waiting),
        Tier.HOOKS,
        "a hook told of it, and it has no answer yet",
        unless="it is answered or goes away",
    )


def _shows_a_dialog(belief: Belief, grace: float) -> Verdict | None:
    """Believed at once, but a newer word of the agent itself gets some time to take it off the screen."""
    screen = belief.said.get(Tier.SCREEN)
    if screen is None or not isinstance(screen.state, Prompted):
        return None
    newer = [each for each in _primary(belief) if each.at > screen.began and not isinstance(each.state, Waits)]
    contradicted = [each.at for each in newer if each.tier is not Tier.SESSION_LOG]
    due = max(contradicted) + DIALOG_GONE_AFTER if contradicted else 0.0
    if (answered := belief.answered.get(screen.state.prompt.id)) is not None:
        due = max([answered, *contradicted]) + ANSWERED_GONE_AFTER
    if belief.over is not None and belief.over[0] == screen.state.prompt.id:
        due = max(due, belief.over[1] + DIALOG_GONE_AFTER)
    if not screen.final:
        told = min(_waiting_since(belief) + UNRECOGNIZED_AFTER, _strange_at(belief, screen))
        due = max(due, told, screen.began + DRAWN_AFTER)
    return Verdict(screen.state, Tier.SCREEN, "the screen shows a dialog", due, "it is off the screen for half a second")


def _waiting_since(belief: Belief) -> float:
    """Since when the agent says that it waits for something; never, when it does not."""
    words = (_newest(_primary(belief)), belief.said.get(Tier.TERMINAL_REPORT))
    return min((word.at for word in words if word is not None and isinstance(word.state, Waits)), default=NEVER)


def _strange_at(belief: Belief, screen: Observation) -> float:
    """An agent that starts and says nothing, or that rests, may ask something that no release before it has asked."""
    if not isinstance(screen.state, Prompted) or not screen.state.prompt.options:
        return NEVER
    word = _newest(_primary(belief))
    if word is None:
        return screen.began + STRANGE_AFTER if isinstance(belief.state, Starting | Prompted) else NEVER
    return screen.began + UNRECOGNIZED_AFTER if isinstance(word.state, Idle) else NEVER


def _was_strange(belief: Belief) -> bool:
    return isinstance(belief.state, Prompted) and belief.state.prompt.subtype == "unrecognized" and not _primary(belief)


def _has_failed(belief: Belief, grace: float) -> Verdict | None:
    """Stays until the next turn: that the agent then rests says nothing new."""
    failed = _newest(each for each in _primary(belief) if isinstance(each.state, Failed))
    if failed is None or not isinstance(failed.state, Failed):
        return None
    return Verdict(failed.state, failed.tier, "the turn ended with an error", unless="a new turn begins")


def _shows_something_foreign(belief: Belief, grace: float) -> Verdict | None:
    screen = belief.said.get(Tier.SCREEN)
    if screen is None or not isinstance(screen.state, AltScreen):
        return None
    due = screen.began + ALT_SCREEN_AFTER
    return Verdict(screen.state, Tier.SCREEN, "something else has the screen", due, "the agent's own screen is back")


def _raises_work(belief: Belief, grace: float) -> Verdict | None:
    """The screen may see work that nobody has told of, but only if it begins: what it still shows of the last turn is none."""
    if not _raised_by_screen(belief):
        return None
    screen, status = belief.said[Tier.SCREEN], belief.said.get(Tier.STATUS_FILE)
    assert isinstance(screen.state, Working)
    if status is not None and isinstance(status.state, Idle) and status.at > screen.began:
        return None
    report = belief.said.get(Tier.TERMINAL_REPORT)
    is_reported = report is not None and isinstance(report.state, Working) and report.at > belief.since
    is_sure = is_reported or isinstance(belief.state, Working)
    due, unless = screen.began + (0.0 if is_sure else RAISED_AFTER), "it stops, and no other source tells of work"
    return Verdict(screen.state, Tier.SCREEN, "the screen shows work", due, unless)


def _raised_by_screen(belief: Belief) -> bool:
    screen = belief.said.get(Tier.SCREEN)
    if screen is None or not isinstance(screen.state, Working):
        return False
    newest = _newest(_primary(belief))
    is_unheard_of = newest is None or newest.at <= belief.since
    goes_on = isinstance(belief.state, Working) and belief.tier is Tier.SCREEN and is_unheard_of
    return goes_on or (isinstance(belief.state, Idle | Failed) and screen.began > belief.since)


def _rests(belief: Belief, grace: float) -> Verdict | None:
    """The newest word is that the turn has ended: idle when a second source agrees, or nobody says otherwise for a while."""
    newest = _newest(_primary(belief))
    if newest is None or not isinstance(newest.state, Idle):
        return None
    status = belief.said.get(Tier.STATUS_FILE)
    if belief.kept == "background" and status is not None and isinstance(status.state, Idle):
        due, rule = status.began + BACKGROUND_OVER_AFTER, "the turn has ended, and the background work too"
        return Verdict(Idle(), Tier.STATUS_FILE, rule, due, "work is seen")
    if belief.kept is not None:
        return Verdict(Working(belief.kept), newest.tier, "the turn has ended, but not the work", unless="that ends too")
    if isinstance(belief.state, Starting) and newest.tier is not Tier.STDOUT_JSONL:
        if not _is(belief, Tier.SCREEN, Idle):
            return None
        if belief.expects_status and status is None:
            return Verdict(Idle(), newest.tier, "it has started, and says no more", newest.at + STARTED_AFTER, "work is seen")
    words = [each for each in belief.said.values() if each.at >= belief.worked_at]
    resting = [each for each in words if isinstance(each.state, Idle)]
    busy = {tier for tier in AFTER_THE_HOOKS if _is(belief, tier, Working)}
    sure = [each for each in resting if each.final and not (each.tier is Tier.SCREEN and Tier.STATUS_FILE in busy)]
    if len(resting) > 1 and sure:
        rule, unless = "the turn has ended, and a second source agrees", "any source tells of work or shows a dialog"
        patience = 0.0 if not busy else STATUS_STUCK_AFTER if Tier.STATUS_FILE in busy else STUCK_AFTER
        return Verdict(Idle(), newest.tier, rule, newest.at + patience, unless)
    if busy:
        return None
    return Verdict(Idle(), newest.tier, "the turn has ended, and nobody contradicts", newest.at + SETTLE_WINDOW, "work is seen")


def _is(belief: Belief, tier: Tier, kind: type) -> bool:
    word = belief.said.get(tier)
    return word is not None and isinstance(word.state, kind)


def _is_outvoted(belief: Belief, grace: float) -> Verdict | None:
    """A hook that came late tells of a turn that is over: whoever works shows it in the status file and on the screen at once."""
    newest, status = _newest(_primary(belief)), belief.said.get(Tier.STATUS_FILE)
    if newest is None or newest.tier is not Tier.HOOKS or not isinstance(newest.state, Working) or belief.kept is not None:
        return None
    if status is None or not isinstance(status.state, Idle) or not _is(belief, Tier.SCREEN, Idle):
        return None
    due = max(newest.at, belief.said[Tier.SCREEN].began) + STUCK_AFTER
    return Verdict(Idle(), Tier.STATUS_FILE, "a hook tells of work that nobody else sees", due, "anybody sees it")


def _reports(belief: Belief, grace: float) -> Verdict | None:
    """A report is only a hint, but who has no other words is taken at it. Where a screen is read, it must agree to idleness."""
    report, newest = belief.said.get(Tier.TERMINAL_REPORT), _newest(_primary(belief))
    if report is None or not belief.by_hints or (newest is not None and newest.at >= report.at):
        return None
    screen = belief.said.get(Tier.SCREEN)
    match report.state:
        case Idle() if screen is not None:
            return None
        case Idle():
            due = report.at + SETTLE_WINDOW
        case Prompted() if screen is not None:
            due = report.at + UNRECOGNIZED_AFTER
        case Working() | Prompted() | Failed():
            due = 0.0
        case _:
            return None
    return Verdict(report.state, Tier.TERMINAL_REPORT, "its reports to the terminal say so", due, "it reports something else")


def _is_silent(belief: Belief, grace: float) -> Verdict | None:
    if belief.tier is not Tier.TERMINAL_REPORT or any(tier in belief.said for tier in (Tier.TERMINAL_REPORT, Tier.SCREEN)):
        return None
    return Verdict(Unknown(), Tier.PROCESS, "it has taken back what it reported", unless="it reports something")


def _looks_idle(belief: Belief, grace: float) -> Verdict | None:
    """A quiet screen is an ambiguous sign of idleness, and needs the whole grace, unless the agent's own report agrees."""
    screen, report, status = (belief.said.get(tier) for tier in (Tier.SCREEN, Tier.TERMINAL_REPORT, Tier.STATUS_FILE))
    if screen is None or not isinstance(screen.state, Idle) or belief.kept is not None:
        return None
    if any(each is not None and isinstance(each.state, Working | Waits) for each in (report, status)):
        return None
    primary = _newest(_primary(belief))
    if primary is None and report is not None and isinstance(report.state, Idle):
        due = screen.began + RESTED_AFTER
        return Verdict(Idle(), Tier.SCREEN, "the screen rests, and the agent's report agrees", due, "either changes")
    if primary is not None and isinstance(primary.state, Failed):
        return None
    due = max(screen.at, primary.at if primary else 0.0, belief.grew_at) + grace
    return Verdict(Idle(), Tier.SCREEN, "nothing has moved for the whole grace", due, "anything moves")


def _works(belief: Belief, grace: float) -> Verdict | None:
    newest = _newest(_primary(belief)) or belief.said.get(Tier.SCREEN)
    if newest is None:
        return None
    screen = belief.said.get(Tier.SCREEN)
    match newest.state:
        case Working() if newest.tier in PRIMARY and belief.tier is Tier.SCREEN and _is_older(newest, belief):
            return None  # it is of before it asked
        case Working():
            state = newest.state
        case Idle() if isinstance(belief.state, Starting | Unknown):
            return None
        case Idle() | Waits() if not isinstance(belief.state, Prompted | Idle):
            status = belief.said.get(Tier.STATUS_FILE)
            state = status.state if status is not None and isinstance(status.state, Working) else Working(belief.kept)
        case Failed() | Prompted() if newest.tier is Tier.SCREEN and newest.final:
            return Verdict(newest.state, Tier.SCREEN, "the screen says so", unless="it changes")
        case _:
            return None
    if screen is not None and isinstance(screen.state, Working) and screen.state.detail:
        state = screen.state
    return Verdict(state, newest.tier, "it was last seen to work", unless="the turn ends, or it asks")


def _prompt_is_over(belief: Belief, grace: float) -> Verdict | None:
    """The dialog that was drawn is gone, and nobody has said yet what came of it."""
    screen = belief.said.get(Tier.SCREEN)
    if not isinstance(belief.state, Prompted) or belief.open:
        return None
    due = screen.began + DIALOG_GONE_AFTER if screen is not None and belief.tier is Tier.SCREEN else 0.0
    is_starting = isinstance(belief.state.prompt, Setup) or _was_strange(belief)
    after: AgentState = Starting() if is_starting else Working()
    return Verdict(after, belief.tier, "what it asked is over", due, "a source says what it does now")


Rule = Callable[[Belief, float], Verdict | None]
RULES: tuple[Rule, ...] = (
    _has_exited,
    _asks,
    _shows_a_dialog,
    _shows_something_foreign,
    _raises_work,
    _has_failed,
    _rests,
    _is_outvoted,
    _reports,
    _is_silent,
    _looks_idle,
    _works,
    _prompt_is_over,
)


def _is_older(word: Observation, belief: Belief) -> bool:
    return isinstance(belief.state, Prompted) and word.at < belief.since


def _primary(belief: Belief) -> list[Observation]:
    """A log tells of work late and out of order: where there is a status file, only how a turn ended counts."""
    words = [each for tier, each in belief.said.items() if tier in PRIMARY]
    if Tier.STATUS_FILE not in belief.said:
        return words
    return [each for each in words if each.tier is not Tier.SESSION_LOG or not isinstance(each.state, Working)]


def _newest(observations: Iterable[Observation]) -> Observation | None:
    """Of two at the same time, the one that was told last."""
    newest = max(enumerate(observations), key=lambda each: (each[1].at, each[0]), default=None)
    return newest[1] if newest is not None else None
