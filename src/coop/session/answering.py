"""Answers to what the agent asks: by the hook that asked, else by keys. Whoever answers, the outcome is observed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coop.agents import HookReply
from coop.errors import BadRequest, CoopError
from coop.model.commands import Answer, Nudge, Reason, Refused, Respond
from coop.model.events import PromptAnswered
from coop.model.ids import HookId, PromptId, RequestId
from coop.model.prompt import Prompt, Question, Setup
from coop.model.readings import Decided, Reading, Says
from coop.model.state import AgentState, Exited, Idle, Prompted, Tier, Working
from coop.session.effects import Effect, Reply, ReplyHook
from coop.session.insight import ANY_TIME, Insight
from coop.session.lane import Lane
from coop.session.refusing import ill_said
from coop.session.telling import Tellings
from coop.session.typing import Typing

OUTCOME_WITHIN = 1.0
"""How long after a prompt is gone its outcome may take to show."""
KEYBOARD_FIRST = 0.4
"""After a key at the keyboard it takes so long to see what it did: an answer meanwhile might come too late."""
_DENIALS = ("denied", "denied_subagent", "feedback")
NOBODY = RequestId(0)
"""Who asks for what coop does by itself."""


@dataclass(slots=True)
class _Gone:
    prompt: Prompt
    by: str
    until: float
    outcome: str | None = None
    answer: str | None = None
    before: Decided | None = None
    """What was decided while it was asked. A yes may have been to something else: a no may still come."""


class Answering:
    def __init__(self, insight: Insight, tellings: Tellings, lane: Lane, typing: Typing) -> None:
        self._insight = insight
        self._tellings = tellings
        self._lane = lane
        self._typing = typing
        self._gone: list[_Gone] = []
        self._decided: tuple[Decided, float] | None = None

    def deadline(self) -> float | None:
        return min((each.until for each in self._gone), default=None)

    def on_asked(self, respond: Respond, request: RequestId, now: float) -> Iterator[Effect]:
        prompt = self._insight.prompt(respond.prompt_id)
        if prompt is None or any(each.prompt == prompt.id and not each.is_proven for each in self._tellings.active):
            yield Reply(request, self._no_such(respond))
            return
        try:
            yield from self._answer(respond, prompt, request, now)
        except CoopError as error:
            yield Reply(request, ill_said(error))

    def _no_such(self, respond: Respond) -> Refused:
        state = self._insight.state
        if respond.prompt_id is not None and self._insight.prompt(respond.prompt_id) is None:
            return Refused(Reason.PROMPT_CHANGED, f"prompt {respond.prompt_id!r} is no longer open; nothing was typed", state)
        if isinstance(state, Prompted):
            return Refused(Reason.NO_PROMPT, "another answer is on its way; wait for what comes of it", state)
        return Refused(Reason.NO_PROMPT, "the agent asks nothing now", state)

    def _answer(self, respond: Respond, prompt: Prompt, request: RequestId, now: float) -> Iterator[Effect]:
        _refuse_two_answers(respond, prompt)
        agent, hook = self._insight.agent, self._insight.hooks.get(prompt.id)
        effect = agent.effect_of(respond, prompt) if agent.effect_of else ""
        if hook is not None and agent.reply_to_hook is not None and not respond.by_keys:
            if now - self._typing.at < KEYBOARD_FIRST:
                yield Reply(
                    request, Refused(Reason.WRITER_BUSY, "somebody is answering at the keyboard; look what comes of it")
                )
                return
            reply = agent.reply_to_hook(respond, prompt)
            if reply is not None:
                yield from self._reply(respond, prompt, reply, hook, request, now)
                return
        if respond.option is not None and not prompt.options:
            detail = "its options are not on the screen yet; look at the prompt again and choose from what it offers"
            yield Reply(request, Refused(Reason.DIALOG_UNRECOGNIZED, detail, self._insight.state))
            return
        if self._insight.prompt(None) != prompt:
            detail = "this prompt is not the one on the screen, and this answer can only be typed; answer the other one first"
            yield Reply(request, Refused(Reason.PROMPT_CHANGED, detail, self._insight.state))
            return
        assert agent.type_answer is not None
        script = agent.type_answer(respond, prompt)
        telling = self._tellings.begin(respond, request, self._insight.state, now)
        telling.prompt, telling.effect, telling.via, telling.about = prompt.id, effect, "keys", prompt
        telling.until += 4.0  # typing waits until the dialog is drawn and takes keys
        if effect == "feedback" and agent.feedback_is_message:
            telling.words = respond.text
            telling.until += 5.0  # and until the turn has ended
        self._lane.offer(request, script, now, answered_later=True)

    def _reply(
        self, respond: Respond, prompt: Prompt, reply: HookReply, hook: HookId, request: RequestId, now: float
    ) -> Iterator[Effect]:
        telling = self._tellings.begin(respond, request, self._insight.state, now)
        telling.prompt, telling.effect, telling.via, telling.about = prompt.id, reply.effect, "hook", prompt
        telling.is_sent = True
        yield ReplyHook(hook, reply.body)
        if len(self._insight.opened) == 1:  # what is still drawn of it is not asked any more
            self._insight.says(Says(Working()), Tier.HOOKS, now)
        self._insight.close(prompt.id, now, answered=True)

    def close_replaced(self) -> None:
        """What was answered with keys is over when another dialog is in its place, however young that is."""
        answered = {each.prompt for each in self._tellings.active if each.is_sent}
        for prompt in self._insight.endings.covered & answered:
            self._insight.endings.end(prompt)

    def on_hook_gone(self, hook: HookId, now: float) -> None:
        """Nobody waits for the reply any more: the dialog was answered with keys."""
        for identity in [each for each, waiting in self._insight.hooks.items() if waiting == hook]:
            self._insight.let_go(identity, now)

    def on_state(self, before: AgentState, after: AgentState, now: float) -> Iterator[Effect]:
        """A prompt that is no longer there was answered."""
        was = before.prompts if isinstance(before, Prompted) else ()
        open_now = {each.id for each in after.prompts} if isinstance(after, Prompted) else frozenset[PromptId]()
        self._gone = [each for each in self._gone if each.prompt.id not in open_now]  # it is back: nobody answered
        gone = [each for each in was if each.id not in open_now]
        is_denied_with_another = self._is_denied_with(gone)
        for prompt in gone:
            telling = next((each for each in self._tellings.active if each.prompt == prompt.id), None)
            if telling is not None and not telling.is_sent:
                self._lane.withdraw(telling.first)
                detail = "somebody else answered it, or another took its place, before the answer was given"
                yield from self._tellings.refused(telling, Refused(Reason.PROMPT_CHANGED, detail, after))
                telling = None
            if telling is not None:
                by, outcome, answer = "api", _told_of(telling.effect), said_in(telling.command, prompt)
            elif is_denied_with_another:
                by, outcome, answer = "api", "denied", None
            else:
                by, outcome, answer = "keyboard", None, None
            if not isinstance(after, Exited):
                self._gone.append(self._with_decision(_Gone(prompt, by, now + OUTCOME_WITHIN, outcome, answer), now))
            if telling is not None and telling.words is None:
                yield from self._tellings.proven(telling)

    def _is_denied_with(self, gone: Sequence[Prompt]) -> bool:
        """A denial that ends the turn, or a subagent, takes along whatever else was asked."""
        ids = {each.id for each in gone}
        return any(each.prompt in ids and each.effect in _DENIALS for each in self._tellings.active)

    def on_reading(self, reading: Reading, now: float) -> None:
        """A record tells what became of a prompt: mostly after it is gone, but the screen may take longer."""
        if isinstance(reading, Decided):
            self._decided = (reading, now)
            self._insight.on_decided(reading.tool)
            for gone in (each for each in self._gone if each.outcome is None):
                gone.outcome, gone.answer = _outcome(gone.prompt, reading)

    def _with_decision(self, gone: _Gone, now: float) -> _Gone:
        """The record may have come before the screen showed it."""
        if gone.outcome is None and self._decided is not None and now - self._decided[1] <= OUTCOME_WITHIN:
            gone.before = self._decided[0]
            if gone.before.accepted is not True:
                gone.outcome, gone.answer = _outcome(gone.prompt, gone.before)
        return gone

    def settled(self, now: float) -> Iterator[PromptAnswered]:
        """The prompts whose outcome is known by now, or will not be."""
        for gone in list(self._gone):
            if gone.outcome is None and now >= gone.until and gone.before is not None:
                gone.outcome, gone.answer = _outcome(gone.prompt, gone.before)
            elif gone.outcome is None and now >= gone.until:
                gone.outcome = self._presumed(gone.prompt)
            if gone.outcome is not None or now >= gone.until:
                self._gone.remove(gone)
                yield PromptAnswered(gone.prompt, gone.by, gone.outcome, gone.answer)

    def _presumed(self, prompt: Prompt) -> str | None:
        """An agent that goes on was permitted to; one that stopped was not."""
        match self._insight.state:
            case Working():
                return _agreed(prompt)
            case Idle() if not isinstance(prompt, Setup):
                return "denied"
            case _:
                return None

    def accept_setup(self, now: float) -> None:
        """Start-up dialogs are accepted for whoever asked for that; a login never is."""
        prompt = self._insight.prompt(None)
        if not isinstance(prompt, Setup) or prompt.subtype == "login" or self._insight.agent.type_answer is None:
            return
        if self._insight.has_been_ready and prompt.subtype not in ANY_TIME:
            return
        if any(each.prompt == prompt.id for each in self._tellings.active):
            return
        respond = Respond(accept=True)
        telling = self._tellings.begin(respond, NOBODY, self._insight.state, now)
        telling.prompt, telling.effect, telling.via = prompt.id, "accepted", "keys"
        self._lane.offer(NOBODY, self._insight.agent.type_answer(respond, prompt), now, answered_later=True)


def _refuse_two_answers(respond: Respond, prompt: Prompt) -> None:
    """A yes beside an option may mean another than the label says: one would be done, and the other told."""
    if respond.option is not None and (respond.accept is False or (respond.accept and not isinstance(prompt, Question))):
        raise BadRequest("body: accept and option together are two answers; give one of them")


def _outcome(prompt: Prompt, decided: Decided) -> tuple[str, str | None]:
    """What became of it, and what was answered."""
    answer = decided.words if isinstance(prompt, Question) and decided.accepted is not False else None
    return "denied" if decided.accepted is False else _agreed(prompt), answer or None


def _told_of(effect: str) -> str | None:
    """What is told of the prompt; how far a denial went, the reply to whoever gave it has said."""
    return "denied" if effect == "denied_subagent" else effect or None


def _agreed(prompt: Prompt) -> str:
    return "answered" if isinstance(prompt, Question) else "accepted"


def said_in(command: Nudge | Respond, prompt: Prompt) -> str | None:
    """The words of an answer, or the labels it chose; `None` where it only agrees or denies."""
    if isinstance(command, Nudge):
        return None
    if command.option is not None:
        return _label(prompt.options, command.option)
    if command.answers:
        queries = prompt.queries if isinstance(prompt, Question) else ()
        offered = [tuple(each.label for each in query.choices) for query in queries] or [prompt.options]
        return "; ".join(map(_chosen, command.answers, [*offered, *[()] * len(command.answers)]))
    return command.text


def _chosen(answer: Answer, labels: Sequence[str]) -> str:
    chosen = [_label(labels, each) if isinstance(each, int) else each for each in answer.options]
    return ", ".join((*chosen, *((answer.text,) if answer.text else ())))


def _label(labels: Sequence[str], number: int) -> str:
    return labels[number - 1] if 0 < number <= len(labels) else str(number)
