"""How an agent that is known by patterns only is told things: by templates, and with a look at the screen before every key."""

from collections.abc import Mapping
from dataclasses import dataclass

from coop.agents import Script, Steps, View
from coop.agents.patterns import ScreenPatterns, Shown
from coop.errors import BadRequest
from coop.model.commands import Nudge, Reason, Refused, Respond, Stroke, When
from coop.model.prompt import Prompt
from coop.model.state import Failed, Idle, Prompted, Working

LOOK = 0.05
ECHOED_WITHIN = 1.0
"""How long a message may take to stand behind the prompt."""
TAKEN_WITHIN = 1.0
"""How long we look for what became of it; that the agent works shows later too."""
STOPS_WITHIN = 3.0


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    patterns: ScreenPatterns
    submit: str = "\r"
    pause: float = 0.1
    clear: str | None = None
    interrupt: str | None = None

    def type_nudge(self, nudge: Nudge) -> Script:
        """Raises `BadRequest` for a message that is not one line."""
        if not nudge.message.isprintable() or not nudge.message.strip():
            raise BadRequest("message: expected one line of printable text; this agent takes no other")
        if nudge.when is When.INTERRUPT and self.interrupt is None:
            raise BadRequest("when: this agent's [nudge] does not say how to interrupt it")
        return self._script(nudge)

    def _script(self, nudge: Nudge) -> Script:
        view = yield Stroke(b"")
        if nudge.when is When.INTERRUPT and isinstance(view.state, Working):
            view = yield from self._interrupted()
        if (refused := _unready(view, nudge)) is not None:
            return refused
        if view.draft:
            view = yield from self._cleared(view, nudge)
            if view.draft:
                return Refused(Reason.DRAFT_PRESENT, f"something stands in the agent's input: {view.draft[:80]!r}", view.state)
        view = yield Stroke(nudge.message.encode(), self.pause)
        if view.reading.composer is not None:
            view = yield from self._echoed(view, nudge)
        is_echoed = _is_same(nudge.message, view.draft)
        if view.draft and not is_echoed:
            return Refused(
                Reason.DRAFT_PRESENT, f"something else stands in the agent's input too: {view.draft[:80]!r}", view.state
            )
        if isinstance(_claim(view), Prompted):
            return Refused(Reason.AGENT_BUSY, "a dialog has come up; it was typed, but not sent", view.state)
        before = self.patterns.shown(view.screen)
        view = yield Stroke(self.submit.encode(), LOOK if is_echoed else 0.0)
        if is_echoed:
            yield from self._taken(view, nudge, before)
        return None

    def _interrupted(self) -> Steps:
        view = yield Stroke((self.interrupt or "").encode(), LOOK)
        until = view.now + STOPS_WITHIN
        while isinstance(view.state, Working) and view.now < until:
            view = yield Stroke(b"", LOOK)
        return view

    def _cleared(self, view: View, nudge: Nudge) -> Steps:
        if nudge.keep_draft or self.clear is None:
            return view
        return (yield Stroke(self.clear.encode(), LOOK, clears=view.draft))

    def _echoed(self, view: View, nudge: Nudge) -> Steps:
        until = view.now + ECHOED_WITHIN
        while not _is_same(nudge.message, view.draft) and view.now < until:
            view = yield Stroke(b"", LOOK)
        return view

    def _taken(self, view: View, nudge: Nudge, before: Shown) -> Steps:
        """It stood behind the prompt; now that prompt is not the agent's last line any more."""
        until = view.now + TAKEN_WITHIN
        while not view.is_done and view.now < until:
            if _is_taken(nudge.message, self.patterns.shown(view.screen), view, before):
                return (yield Stroke(b"", proves=nudge.message))
            view = yield Stroke(b"", LOOK)
        return view


def _is_taken(message: str, shown: Shown, view: View, before: Shown) -> bool:
    """There is a new prompt under it, or work; either may have driven it off the screen."""
    if shown.draft or (shown.prompt is None and not isinstance(view.state, Working)):
        return False
    return _is_same(message, shown.given) if shown.given is not None else shown.above != before.above


def _unready(view: View, nudge: Nudge) -> Refused | None:
    claim, may_wait = _claim(view), nudge.when is When.QUEUE
    if isinstance(claim, Idle | Failed) or (may_wait and isinstance(claim, Working)):
        return None
    return Refused(Reason.AGENT_BUSY, "the agent's prompt is not on the screen any more; nothing was typed", view.state)


def _claim(view: View) -> object:
    return view.reading.says.claim if view.reading.says is not None else None


def _is_same(sent: str, seen: str) -> bool:
    """A line that is wrapped shows no blanks where it ends."""
    return "".join(sent.split()) == "".join(seen.split())


@dataclass(frozen=True, slots=True)
class AnswerTemplates:
    patterns: ScreenPatterns
    templates: Mapping[str, str | None]

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt, or that no template is for."""
        key, value = _asked_for(respond, prompt)
        template = self.templates[key]
        if template is None:
            raise BadRequest(f"{key}: this agent's [respond] says nothing of it")
        return self._script(prompt, template, value)

    def _script(self, prompt: Prompt, template: str, value: int | str) -> Script:
        view = yield Stroke(b"")
        shown = self.patterns.shown(view.screen)
        asked = self.patterns.question_on(shown)
        claim = _claim(view)
        if asked is None or not isinstance(claim, Prompted) or (asked.options, asked.text) != (prompt.options, _text(prompt)):
            return Refused(Reason.PROMPT_CHANGED, "something else is on the screen now; nothing was typed", view.state)
        if isinstance(value, int):  # by its place, as its label may stand there twice
            value = self.patterns.options_on(shown)[value - 1].key
        yield Stroke(template.replace("{}", value).encode())
        return None


def _text(prompt: Prompt) -> str:
    return getattr(prompt, "text", "")


def _asked_for(respond: Respond, prompt: Prompt) -> tuple[str, int | str]:
    """Which of the templates an answer needs, and what is put into it: words, or the key of the option of that number."""
    match respond:
        case Respond(accept=None, option=int(option), text=None, answers=()) if 1 <= option <= len(prompt.options):
            return "option", option
        case Respond(accept=None, option=int(option), text=None, answers=()):
            raise BadRequest(f"option: expected 1 to {len(prompt.options)}, got {option}")
        case Respond(accept=None, option=None, text=str(text), answers=()) if text.isprintable():
            return "text", text
        case Respond(accept=bool(accept), option=None, text=None, answers=(), always=False):
            return ("accept" if accept else "deny"), ""
        case _:
            raise BadRequest("body: expected one of accept, option or text (one line)")


def effect_of(respond: Respond, prompt: Prompt) -> str:
    match respond.accept:
        case True:
            return "accepted"
        case False:
            return "denied"
        case None:
            return "answered"
