"""How an answer is typed into a dialog of Gemini CLI: chosen by its label on the screen, looked at before every key.

Esc is the one denial that all dialogs share: the digit of one's "No" opens an editor in another.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, check, chosen_label, label_of
from coop.agents.dialogs import Dialog, Option
from coop.agents.gemini.screen import Words
from coop.agents.hand import (
    ENTER,
    ESCAPE,
    LOOK,
    NO_SUCH_OPTION,
    Hand,
    changed,
    may_escape,
    page_of,
    unrecognized,
    wanted,
)
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Respond, Stroke
from coop.model.prompt import Permission, Plan, Prompt, Query, Question, Setup

DRAWN_WITHIN = 4.0
SETTLED = 0.25
"""A dialog is told of before it is drawn; a digit sent sooner lands in the input."""
ANSWERED_WITHIN = 6.0
GAP = 0.15
"""Between keys: an Enter close behind a digit is swallowed."""
DIGEST = 0.3
_CUSTOM = "Enter a custom value"
_NO_ROOM = "there is no room for words in the dialog on the screen"
_NEVER = "Modify with external editor"
"""It opens an editor that takes the session with it."""


def effect_of(respond: Respond, prompt: Prompt) -> str:
    """What an answer does."""
    if isinstance(prompt, Question):
        return "denied" if respond.accept is False else "answered"
    label = chosen_label(respond, prompt)
    only_words = isinstance(prompt, Plan) and respond.accept is None and respond.option is None
    if respond.accept is False or only_words or (label or "").startswith(("No,", "Don't", "Type your feedback")):
        return "feedback" if respond.text else "denied"
    return "accepted"


class Typist:
    """Types answers into the dialogs described by `words`."""

    def __init__(self, words: Words, tested: Sequence[str]) -> None:
        self._hand = Hand(words.dialog, DRAWN_WITHIN, SETTLED, GAP, scrolls=True)
        self._tested = tested

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt."""
        if isinstance(prompt, Permission) and respond.text is not None:
            raise BadRequest("text: Gemini ends the turn when a tool is denied; deny it, then send the words as a message")
        if respond.accept is False and respond.text is None and not isinstance(prompt, Setup):
            return self._deny(prompt)
        label = chosen_label(respond, prompt) if not (isinstance(prompt, Question) and prompt.queries) else None
        if isinstance(prompt, Question):
            return self._answer_all(prompt, _fitting(respond, prompt))
        check(respond, prompt)
        if label == _NEVER:
            raise BadRequest(f"option: {_NEVER!r} would open an editor on the agent's terminal; choose another")
        return self._choose(respond, prompt)

    def _deny(self, prompt: Prompt) -> Script:
        view = yield from self._hand.drawn(prompt)
        shown = self._hand.shown(view)
        if shown is None or not self._hand.is_asked(prompt, view):
            return changed(view)
        if shown[1] is None:
            return unrecognized(view, "no dialog we know is on the screen")
        if not may_escape(shown[0], shown[1], exactly=view.version not in self._tested):
            return unrecognized(view, NO_SUCH_OPTION)
        yield Stroke(ESCAPE, GAP)
        return None

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._hand.drawn(prompt)
        shown = self._hand.shown(view)
        if shown is None or shown[1] is None:
            return unrecognized(view, "no dialog we know is on the screen")
        if not self._hand.is_asked(prompt, view):
            return changed(view)
        option = wanted(respond, prompt, shown[0], shown[1], exactly=self._is_strange(prompt, view))
        if option is None:
            return unrecognized(view, NO_SUCH_OPTION)
        if not isinstance(prompt, Plan) or respond.text is None:
            yield from self._press(option, prompt)
            return None
        view = yield from self._press(option, prompt, leads=True)
        return (yield from self._type(respond.text, prompt, view))

    def _is_strange(self, prompt: Prompt, view: View) -> bool:
        """In a release we have not seen, words that only begin like those we know may mean something else."""
        return view.version not in self._tested and not isinstance(prompt, Setup)  # which names the folder

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question; where there are several, the last is a review."""
        queries, answered = prompt.queries, set[str]()
        view = yield from self._hand.drawn(prompt)
        until = view.now + ANSWERED_WITHIN + len(queries)
        while view.now < until:
            shown = self._hand.shown(view)
            if shown is None or not self._hand.is_asked(prompt, view):
                return None if answered else self._hand.lost(prompt, view)
            dialog, found = shown
            if found is not None and found.subtype == "review":
                if len(answered) < len(queries):
                    return unrecognized(view, "not every question could be answered")
                yield Stroke(ENTER, GAP)
                return None
            page = page_of(queries, dialog)
            if page is None:
                return unrecognized(view, "the dialog on the screen asks something else")
            if queries[page].text in answered:  # it has not been turned yet: a key again would be for the next one
                view = yield Stroke(b"", LOOK)
                continue
            refused = yield from self._answer_page(queries[page], given[page], dialog, prompt, view)
            if refused is not None:
                return refused
            answered.add(queries[page].text)
            view = yield Stroke(b"", LOOK)
        return None

    def _answer_page(self, query: Query, answer: Answer, dialog: Dialog, prompt: Question, view: View) -> Script:
        if not dialog.options:
            return (yield from self._type(answer.text or "", prompt, (yield Stroke(b"", 0.0))))
        labels = [label_of(option, query) for option in answer.options]
        if query.takes_many:
            return (yield from self._tick(query, labels, answer.text, prompt))
        if answer.text is not None:
            view = yield from self._hand.reach(_CUSTOM, prompt)
            if not self._hand.is_at(_CUSTOM, prompt, view):
                return unrecognized(view, _NO_ROOM)
            return (yield from self._type(answer.text, prompt, view))
        option = dialog.option(labels[0])
        if option is None or option.number is None:
            return unrecognized(view, "the option is not in the dialog on the screen")
        yield from self._press(option, prompt)
        return None

    def _tick(self, query: Query, labels: Sequence[str], other: str | None, prompt: Question) -> Script:
        """Whatever is not yet as asked is brought under the highlight and ticked, or unticked, there; `Done` is at the end."""
        for choice in query.choices:
            view = yield Stroke(b"", 0.0)
            is_asked, shown = choice.label in labels, self._hand.shown(view)
            seen = shown[0].option(choice.label) if shown else None
            if seen is not None and seen.checked is is_asked:
                continue
            view = yield from self._hand.reach(choice.label, prompt)
            marked = self._hand.marked(view)
            if marked is None or marked.checked is None or not self._hand.is_at(choice.label, prompt, view):
                return unrecognized(view, f"the box of the option {choice.label!r} is not in the dialog on the screen")
            if marked.checked is not is_asked:
                yield Stroke(ENTER, GAP)
        if other is not None:
            view = yield from self._hand.reach(_CUSTOM, prompt)
            if not self._hand.is_at(_CUSTOM, prompt, view):
                return unrecognized(view, _NO_ROOM)
            yield Stroke(paste(other), DIGEST, leads=True)
        view = yield from self._hand.reach("Done", prompt)
        if not self._hand.is_at("Done", prompt, view):
            return unrecognized(view, "the end of the list is not to be found")
        yield Stroke(ENTER, GAP)
        return None

    # Keys

    def _press(self, option: Option, prompt: Prompt, *, leads: bool = False) -> Steps:
        """A digit chooses by itself."""
        return (yield from self._hand.digit(option, leads=leads) or self._hand.enter_at(option.label, prompt, leads=leads))

    def _type(self, text: str, prompt: Prompt, view: View) -> Script:
        if self._hand.shown(view) is None or not self._hand.is_asked(prompt, view):
            return changed(view)
        view = yield Stroke(paste(text), DIGEST, leads=True)
        if not self._hand.is_asked(prompt, view):
            return changed(view)
        yield Stroke(ENTER, GAP)
        return None


def _fitting(respond: Respond, prompt: Question) -> Sequence[Answer]:
    """One answer for each question; a review of them needs none."""
    if prompt.subtype == "review":
        return ()
    if not prompt.queries:
        raise BadRequest("the dialog on the screen is not one that coop can answer; use /api/v1/input")
    return answers(respond, prompt)
