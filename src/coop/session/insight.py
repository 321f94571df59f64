"""What a session knows of its agent: the belief about its state, the prompts that are open, and the facts learned on the way."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from coop.agents import Agent, is_told_by_hints
from coop.detect.belief import (
    ANSWERED_GONE_AFTER,
    DIALOG_GONE_AFTER,
    Belief,
    Closed,
    Kept,
    Observation,
    Opened,
    Seen,
    Withdrawn,
    revise,
)
from coop.model.ids import HookId, PromptId
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup
from coop.model.readings import Claim, Learned, Says, ScreenReading, Used, Waits
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, AltScreen, Failed, Idle, Prompted, Starting, Tier, Unknown
from coop.session.endings import Endings
from coop.session.knowledge import Knowledge
from coop.session.likeness import completed, could_be, fitting, is_asked_anew, is_of, is_scrolled, likeness, quoted, texts


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The dialog on the screen."""

    key: object
    """Equal for all pictures of it, but for those without options."""
    picture: Prompt
    """As it was read last."""
    id: PromptId
    since: float
    """When it was first seen."""


_REMEMBERED = 8
ANY_TIME = ("login", "default_mode")
"""What is asked of set-up when the agent has been ready too: one may sign in again, and its input may be drawn before a question."""
REDRAWN_WITHIN = 2.0
"""How long an agent may take to draw a dialog to its end: until then a picture that goes on with the one before it is no other."""
TAKEN_WITHIN = 0.8
"""How long it may take until a message that has left the queue begins its turn."""
SENT_ON = 0.25
"""How much later than a blocked stop the end of its turn may seem to be written."""


class Insight:
    def __init__(self, agent: Agent, *, grace: float, now: float) -> None:
        self.agent = agent
        self.grace = agent.quiet if agent.quiet is not None else grace
        state: AgentState = Starting() if agent.read_screen else Unknown()
        expects_status = agent.read_status is not None
        self.belief = Belief(state, Tier.PROCESS, now, expects_status=expects_status, by_hints=is_told_by_hints(agent))
        self.known = Knowledge()
        self.reading = ScreenReading()
        self.hooks: dict[PromptId, HookId] = {}
        """The hook that waits for the answer to a prompt."""
        self.opened: dict[PromptId, float] = {}
        """When the prompts that are open came: those, and what is asked on after its hook was let go."""
        self.at_input_since: float | None = None
        """Since when the agent's input is on the screen, and no dialog."""
        self.background = 0
        self._queued_until = 0.0
        self._sent_on_until = float("-inf")
        self._ids = itertools.count(1)
        self._drawn: _Drawn | None = None
        self._replaced: _Drawn | None = None
        """What was there before something that cannot be read: that may be its next frame, half drawn."""
        self._sees_a_dialog = False
        self.hooks_have_come = False
        self.has_been_ready = False
        """Set-up is over: the agent has waited for input, or was given some."""
        self._contents: dict[PromptId, Prompt] = {}
        """What hooks told of the last prompts."""
        self._told_of: set[PromptId] = set()
        """Ids that hooks have had: what is still drawn of an answered prompt must not lend its id to the next."""
        self.endings = Endings()
        self._announced: list[Prompt] = []
        """Prompts that hooks told of and that are answered at the screen, oldest first."""
        self._been_shown: list[PromptId] = []
        """Those of them whose dialogs were drawn, in that order."""
        self._described: list[Prompt] = []
        """What dialogs would ask that may be drawn, newest first."""
        self._mode_told_at = float("-inf")
        """When the agent last told of its permission mode, other than on the screen."""

    @property
    def state(self) -> AgentState:
        return self.belief.state

    @property
    def hooks_are_silent(self) -> bool:
        """It had its turn, and none of its hooks has come: a word in the pipe is none that could be answered."""
        return Tier.SESSION_LOG in self.belief.said and not self.hooks_have_come

    @property
    def is_tested(self) -> bool | None:
        """`None` when the version is not known yet, or there is nothing to test."""
        return self.known.version in self.agent.tested if self.known.version and self.agent.tested else None

    def see(self, seen: Seen, now: float) -> None:
        self.belief = revise(self.belief, seen, now, grace=self.grace)
        if self._is_undrawn():
            self.belief = revise(self.belief, Withdrawn(Tier.SCREEN), now, grace=self.grace)
        self.has_been_ready = self.has_been_ready or isinstance(self.state, Idle)
        if isinstance(self.state, Idle | Failed):
            self._announced, self._been_shown = [], []
        elif not isinstance(self.state, Prompted):
            self._announced = [each for each in self._announced if each.id not in self._been_shown]

    def _is_undrawn(self) -> bool:
        """The prompt that is over was on the screen, and nothing of it was there at the last look: it is not asked again."""
        screen, over = self.belief.said.get(Tier.SCREEN), self.belief.over
        if screen is None or over is None or self._sees_a_dialog:
            return False
        return isinstance(screen.state, Prompted) and screen.state.prompt.id == over[0]

    def says(self, says: Says, tier: Tier, now: float, wall: float | None = None) -> None:
        """A record that was written earlier counts from then."""
        late = max(0.0, wall - says.stamp) if wall is not None and says.stamp is not None else 0.0
        if tier is Tier.SESSION_LOG and isinstance(says.claim, Idle) and now - late < self._sent_on_until:
            return  # of the turn that did not end
        claim = self._reported(says.claim) if tier is Tier.TERMINAL_REPORT and self.belief.by_hints else says.claim
        self.see(Observation(claim, tier, now - late, says.final), now)
        if tier is Tier.STATUS_FILE and isinstance(says.claim, Waits):
            self.endings.on_waits(self.opened)

    def on_stop(self, now: float, *, may: bool) -> None:
        """When it may not, what the log tells of the end of that turn may be read, and seem written, a moment later."""
        self._sent_on_until = float("-inf") if may else now + SENT_ON

    def _reported(self, claim: Claim) -> Claim:
        """That something is asked, without a word about what: a prompt that only a person can answer."""
        if not isinstance(claim, Waits):
            return claim
        before = self.belief.said.get(Tier.TERMINAL_REPORT)
        if before is not None and isinstance(before.state, Prompted):
            return before.state
        return Prompted(Question(PromptId(f"p{next(self._ids)}"), claim.what, subtype="unrecognized"))

    def take_back(self, claim: Claim | None, tier: Tier, now: float) -> None:
        self.see(Withdrawn(tier, claim), now)

    def learn(self, learned: Learned | Used) -> None:
        self.known = self.known.with_(learned)

    def hear(self, learned: Learned, tier: Tier, now: float) -> None:
        """The log is written late: while the screen shows the mode, that is newer. A hook tells what is so at that moment."""
        shown = self.reading.learned
        if tier is Tier.SESSION_LOG and shown is not None and shown.permission_mode is not None:
            learned = replace(learned, permission_mode=None)
        if learned.permission_mode is not None:
            self._mode_told_at = now
        self.learn(learned)

    def _learn_from_screen(self, learned: Learned, changed_at: float) -> None:
        """What was drawn before somebody told of the mode is no news of it."""
        is_older = changed_at < self._mode_told_at
        self.learn(replace(learned, permission_mode=None) if is_older else learned)

    def on_log(self, now: float) -> None:
        """A line was written, if only one that says nothing: whoever writes is not at rest."""
        self.belief = replace(self.belief, grew_at=now)
        self.see(None, now)

    # Prompts

    def open(self, prompt: Prompt, hook: HookId, now: float) -> PromptId:
        identity = self._drawn_before(prompt) or PromptId(f"p{next(self._ids)}")
        self.hooks[identity], self.opened[identity] = hook, now
        self._told_of.add(identity)
        self._remember(identity, prompt)
        self.see(Opened(replace(prompt, id=identity)), now)
        self.endings.on_open(identity, self.belief)
        self._bind(now)
        return identity

    def announce(self, prompt: Prompt, now: float) -> None:
        """Its dialog will be drawn in a moment, or after those before it."""
        announced = replace(prompt, id=self._drawn_before(prompt) or PromptId(f"p{next(self._ids)}"))
        self._announced.append(announced)
        self._told_of.add(announced.id)
        self._remember(announced.id, prompt)
        self._look_again(now)

    def on_decided(self, tool: str) -> None:
        """What was asked of that tool and drawn is over: another dialog may be drawn in its place before the next look."""
        asked = [each for each in self._announced if isinstance(each, Permission) and tool and each.tool in ("", tool)]
        drawn = next((each.id for each in asked if each.id in self._been_shown), None)
        self._announced = [each for each in self._announced if each.id != drawn]

    def settle(self, made: Prompt) -> None:
        """A prompt that a hook told of is over without a dialog when its call goes on: another hook has decided it."""
        told = next((each for each in self._announced if is_of(each, made)), None)
        if told is not None and told.id not in self._been_shown:
            self._announced.remove(told)

    def describe(self, prompt: Prompt, now: float) -> None:
        """Should a dialog be drawn that fits, this is what it asks."""
        self._described = [prompt, *self._described[:_REMEMBERED]]
        self._look_again(now)

    def on_plan(self, path: str, text: str, now: float) -> None:
        """A person has changed the plan that is asked about. What is told and what is approved is what they wrote."""

        def with_it(told: Prompt) -> Prompt:
            return replace(told, text=text) if isinstance(told, Plan) and told.file == path else told

        self._contents = {identity: with_it(each) for identity, each in self._contents.items()}
        self._announced = [with_it(each) for each in self._announced]
        for each in (each for each in self.belief.open if with_it(each) != each):
            self.see(Opened(with_it(each)), now)
        self._look_again(now)

    def _remember(self, identity: PromptId, prompt: Prompt) -> None:
        self._contents = {identity: prompt, **dict(list(self._contents.items())[:_REMEMBERED])}

    def _look_again(self, now: float) -> None:
        """A dialog may be on the screen before anybody tells of it, but not one that is over and only not taken away yet.

        What has changed since it was read tells by itself when it is looked at.
        """
        screen, says, over = self.belief.said.get(Tier.SCREEN), self.reading.says, self.belief.over
        if screen is None or says is None or not isinstance(says.claim, Prompted) or not isinstance(screen.state, Prompted):
            return
        if self.belief.looks_at is None and (over is None or over[0] != screen.state.prompt.id):
            self.see(replace(screen, state=self._with_waiting(self._identified(says.claim.prompt, now))), now)

    def _with_waiting(self, shown: Prompt) -> Prompted:
        """The dialog on the screen, and those that were announced and are not answered: one may be drawn over another."""
        if shown.id not in self._been_shown:
            self._been_shown.append(shown.id)
        over = [each for each in self._been_shown if each != shown.id][: self.reading.answered or 0]
        waiting = [shown if each.id == shown.id else each for each in self._announced if each.id not in over]
        if all(each.id == shown.id for each in waiting):
            return Prompted(shown)
        is_known = any(each.id == shown.id for each in waiting)
        return Prompted(shown, (*(() if is_known else (shown,)), *waiting))

    def _drawn_before(self, prompt: Prompt) -> PromptId | None:
        """Its id, if its dialog was on the screen before its hook came."""
        screen = self.belief.said.get(Tier.SCREEN)
        if screen is None or not isinstance(screen.state, Prompted) or screen.state.prompt.id in self._told_of:
            return None
        drawn = screen.state.prompt
        is_asked = isinstance(self.state, Prompted) and self.state.prompt.id == drawn.id
        return drawn.id if is_asked and could_be(prompt, drawn) else None

    def close(self, identity: PromptId, now: float, *, answered: bool = False) -> None:
        """`answered` by us, without a key."""
        self.hooks.pop(identity, None)
        self.opened.pop(identity, None)
        self.endings.on_close(identity, now)
        self.see(Closed(identity, now if answered else None), now)

    def let_go(self, identity: PromptId, now: float) -> None:
        """Its hook waits no more: it was answered at the keyboard, or is only drawn now."""
        prompt = next((each for each in self.belief.open if each.id == identity), None)
        was_shown = self.endings.shown == identity
        self.close(identity, now)
        if prompt is not None and not was_shown:
            self._announced.append(prompt)

    def prompt(self, identity: PromptId | None) -> Prompt | None:
        """The one of that id, or the one on screen."""
        if not isinstance(self.state, Prompted):
            return None
        if identity is None:
            return self.state.prompt
        return next((each for each in self.state.prompts if each.id == identity), None)

    # The screen

    def expect_a_look(self, by: float) -> None:
        if self.belief.looks_at is None:
            self.belief = replace(self.belief, looks_at=by)

    def read_screen(self, snapshot: ScreenSnapshot, changed_at: float, now: float) -> None:
        assert self.agent.read_screen is not None
        self.belief = replace(self.belief, looks_at=None)
        self.reading = reading = self.agent.read_screen(snapshot)
        if reading.composer is None or self.at_input_since is None:
            self.at_input_since = now if reading.composer is not None else None
        if reading.learned is not None:
            self._learn_from_screen(reading.learned, changed_at)
        says = reading.says or self._unread() or self._foreign(snapshot)
        self._sees_a_dialog = says is not None and isinstance(says.claim, Prompted)
        if says is None:
            return
        if isinstance(says.claim, Prompted):
            says = replace(says, claim=self._with_waiting(self._identified(says.claim.prompt, now)))
        self.keep(now)
        self.see(Observation(says.claim, Tier.SCREEN, changed_at, says.final), now)
        self._bind(now)

    def _unread(self) -> Says | None:
        """What cannot be read counts as a dialog only if the agent itself says that it waits for something."""
        words = (self.belief.said.get(tier) for tier in (Tier.STATUS_FILE, Tier.TERMINAL_REPORT))
        if not self.reading.unread or not any(word is not None and isinstance(word.state, Waits) for word in words):
            return None
        return Says(Prompted(Question(PromptId(""), "", (), self.reading.unread, subtype="unrecognized")), final=False)

    def _foreign(self, snapshot: ScreenSnapshot) -> Says | None:
        """An agent at rest whose input is gone from an alternate screen has given it to another program: an editor, a pager."""
        is_at_rest = self.has_been_ready and isinstance(self.state, Idle | AltScreen)
        return Says(AltScreen()) if snapshot.alt_screen and self.reading.unread and is_at_rest else None

    def keep(self, now: float) -> None:
        """Work that goes on after the end of a turn. What was queued and is no longer shown is about to begin."""
        if self.reading.queued:
            self._queued_until = now + TAKEN_WITHIN
        is_queued = self.reading.queued or now < self._queued_until
        why = "background" if self.background or self.reading.background else "queued" if is_queued else None
        if why != self.belief.kept:
            self.see(Kept(why), now)

    def on_turn(self, now: float) -> None:
        """The agent took a message: nothing is kept of what was before it."""
        self.background, self._queued_until = 0, 0.0
        self.keep(now)

    def _identified(self, drawn: Prompt, now: float) -> Prompt:
        """A dialog on the screen is one that a hook told of, or one of its own, with an id for as long as it is drawn."""
        if isinstance(drawn, Setup) and self.has_been_ready and drawn.subtype not in ANY_TIME:
            # Set-up is over: this is something else that quotes it, a command of the agent's own say.
            drawn = Question(drawn.id, drawn.text, drawn.options, drawn.screen_lines, subtype="unrecognized")
        told, described = self._told(drawn), self._description(drawn)
        key = described.queries if isinstance(described, Question) else likeness(drawn)  # a page for each of them
        seen = _Drawn(key, drawn, drawn.id, now)
        identity = told.id if told is not None else self._still(drawn, now)
        if identity is None:
            identity = next((each.id for each in self._just_drawn(now) if self._is_alike(seen, each)), None)
        self._draw(replace(seen, id=identity or PromptId(f"p{next(self._ids)}")))
        assert self._drawn is not None
        identity = self._drawn.id
        known = self._contents.get(identity) or described
        if known is not None and could_be(known, drawn):  # its hook has gone, but not what it told
            options = _options(known, drawn) or _options(self.prompt(identity) or known, drawn)
            return completed(replace(known, id=identity, options=options, screen_lines=drawn.screen_lines), drawn)
        return replace(drawn, id=identity)

    def _draw(self, drawn: _Drawn) -> None:
        before = next((each for each in (self._drawn, self._replaced) if each is not None and each.id == drawn.id), None)
        if before is None and self._drawn is not None and drawn.picture.subtype == "unrecognized":
            self._replaced = self._drawn
        elif drawn.picture.subtype != "unrecognized":
            self._replaced = None
        self._drawn = replace(drawn, since=before.since) if before is not None else drawn

    def _just_drawn(self, now: float) -> Iterator[_Drawn]:
        """What is on the screen, and what was there until a moment ago."""
        if self._drawn is not None:
            yield self._drawn
            if self._replaced is not None and now - self._drawn.since < DIALOG_GONE_AFTER:
                yield self._replaced

    def _is_alike(self, drawn: _Drawn, before: _Drawn) -> bool:
        if before.key == drawn.key and not is_asked_anew(before.picture, drawn.picture):
            return True
        if is_scrolled(before.picture, drawn.picture) and self._quotes(drawn.picture, before.id):
            return True
        is_young = drawn.since - before.since < REDRAWN_WITHIN
        return is_young and self.agent.is_redrawn is not None and self.agent.is_redrawn(before.picture, drawn.picture)

    def _still(self, drawn: Prompt, now: float) -> PromptId | None:
        """The one that was answered without a key, if it is drawn before it goes: once more, or only now."""
        on_screen = self._drawn.id if self._drawn is not None else None
        answered = sorted(self.belief.answered.items(), key=lambda each: each[0] != on_screen)
        going = (each for each, at in answered if each == on_screen or now < at + ANSWERED_GONE_AFTER)
        return next((each for each in going if self._is_of(each, drawn)), None)

    def _is_of(self, identity: PromptId, drawn: Prompt) -> bool:
        told = self._contents.get(identity)
        is_it = told is not None and could_be(told, drawn) and not texts(told)
        return is_it or self._quotes(drawn, identity)

    def _quotes(self, drawn: Prompt, identity: PromptId) -> bool:
        told = self._contents.get(identity)
        return told is not None and could_be(told, drawn) and quoted(told, drawn) > 0

    def _told(self, drawn: Prompt) -> Prompt | None:
        """Which of the open or announced prompts it is."""
        return fitting((*self.belief.open, *self._announced), drawn)

    def _description(self, drawn: Prompt) -> Prompt | None:
        return fitting(self._described, drawn)

    def _bind(self, now: float) -> None:
        """Gives the prompt a hook told of the options that are drawn for it."""
        screen = self.belief.said.get(Tier.SCREEN)
        if screen is None or not isinstance(screen.state, Prompted):
            self._drawn = self._replaced = None
            return
        drawn = screen.state.prompt
        told = self._told(drawn)
        if told is None:
            return
        self._on_shown(told.id, now)
        if drawn.id != told.id:
            self.see(replace(screen, state=self._with_waiting(replace(drawn, id=told.id))), now)
        if told.id in self.opened and told.screen_lines != drawn.screen_lines:
            self.see(Opened(replace(told, options=_options(told, drawn), screen_lines=drawn.screen_lines)), now)

    def _on_shown(self, identity: PromptId, now: float) -> None:
        replaced = self.endings.on_shown(identity, self.opened, now)
        if replaced is not None and self.reading.answered is None:
            self._announced = [each for each in self._announced if each.id != replaced]

    # What is due

    def over(self, now: float) -> tuple[PromptId, ...]:
        """Prompts that were answered at the keyboard, though their hooks may still wait."""
        return self.endings.over(self.opened, self.belief, now)

    def deadline(self) -> float | None:
        times = [self.endings.gone_at(each, self.belief) for each in self.opened]
        if self.belief.kept == "queued" and not self.reading.queued:
            times.append(self._queued_until)
        return min((time for time in times if time is not None), default=None)


def _options(told: Prompt, drawn: Prompt) -> tuple[str, ...]:
    """Those that are drawn may be only some; what was told of a question are all, and what a list has shown is still in it."""
    return told.options if isinstance(told, Question) else drawn.options or told.options
