"""How an answer is typed into a dialog of Codex: one key, for the label on the screen, looked at right before.

One key too many would answer the next dialog, and a denial ends the turn with everything else it asks.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, check, chosen_label, label_of
from coop.agents.codex.nudge import type_nudge
from coop.agents.codex.screen import Words
from coop.agents.dialogs import Option
from coop.agents.hand import (
    ENTER,
    ESCAPE,
    LOOK,
    NO_SUCH_OPTION,
    TAB,
    Hand,
    changed,
    labelled,
    may_escape,
    page_of,
    unrecognized,
    wanted,
)
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Nudge, Reason, Refused, Respond, Stroke
from coop.model.prompt import Permission, Plan, Prompt, Query, Question
from coop.model.state import Idle

DRAWN_WITHIN = 3.0
"""A permission is drawn a second after the last key, and takes none before."""
SETTLED = 0.1
TURNED_WITHIN = 3.0
FREE_WITHIN = 5.0
GAP = 0.1
"""Between keys of one answer: closer ones act on where the highlight was."""
_OTHER = "None of the above"
_NOTES = "to clear notes"


class Typist:
    """Types answers into the dialogs described by `words`."""

    def __init__(self, words: Words, tested: Sequence[str]) -> None:
        self._hand = Hand(words.dialog, DRAWN_WITHIN, SETTLED, GAP)
        self._tested = tested

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt."""
        if isinstance(prompt, Question) and prompt.queries and respond.accept is not False:
            return self._answer_all(prompt, answers(respond, prompt))
        check(respond, prompt)
        chosen_label(respond, prompt)
        if respond.accept is True and respond.text is not None:
            raise BadRequest("text: Codex takes no words along with a yes; nudge it afterwards")
        if respond.text is not None:
            type_nudge(Nudge(respond.text)).close()  # they are a message of their own, and must be fit for one
        return self._choose(respond, prompt)

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._hand.drawn(prompt)
        shown = self._hand.shown(view)
        if shown is None or shown[1] is None:
            return unrecognized(view, "no dialog we know is on the screen")
        if not self._hand.is_asked(prompt, view):
            return changed(view)
        exactly = view.version not in self._tested
        if isinstance(prompt, Question):
            if respond.accept is not False or not may_escape(shown[0], shown[1], exactly=exactly):
                return unrecognized(view, NO_SUCH_OPTION)
            yield Stroke(ESCAPE, GAP)  # declined: that ends the turn
            return None
        option = wanted(respond, prompt, shown[0], shown[1], exactly=exactly)
        if option is None:
            return unrecognized(view, NO_SUCH_OPTION)
        view = yield from self._press(option, prompt)
        if respond.text is not None:
            return (yield from _tell(respond.text, view))
        return None

    def _press(self, option: Option, prompt: Prompt) -> Steps:
        """In a permission a digit chooses by itself; elsewhere it may only move the highlight, or act at once."""
        by_digit = self._hand.digit(option) if isinstance(prompt, Permission | Plan) else None
        return (yield from by_digit or self._hand.enter_at(option.label, prompt))

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question; the last answer sends them all."""
        answered = set[int]()
        view = yield from self._hand.drawn(prompt)
        while len(answered) < len(prompt.queries):
            page = self._page(prompt, view)
            if page is None or page in answered or not self._hand.is_asked(prompt, view):
                return changed(view) if not answered else unrecognized(view, "not every question could be answered")
            refused = yield from self._answer_page(prompt.queries[page], given[page], prompt)
            if refused is not None:
                return refused
            answered.add(page)
            view = yield from self._turned(prompt, page)
        return None

    def _answer_page(self, query: Query, answer: Answer, prompt: Prompt) -> Script:
        view = yield Stroke(b"", 0.0)
        shown = self._hand.shown(view)
        label = _OTHER if answer.text else label_of(answer.options[0], query)
        option = labelled(shown[0], label) if shown else None
        if option is None or not self._hand.is_asked(prompt, view):
            return unrecognized(view, f"the option {label!r} is not in the dialog on the screen")
        if not answer.text and option.number is not None and option.number < 10:
            yield Stroke(str(option.number).encode(), GAP)
            return None
        view = yield from self._hand.reach(option.label, prompt)
        if not self._hand.is_at(option.label, prompt, view):
            return changed(view)
        if answer.text:
            return (yield from _note(answer.text))
        yield Stroke(ENTER, GAP)
        return None

    def _turned(self, prompt: Question, page: int) -> Steps:
        """A key on a page that has not been turned yet would be for the next one."""
        view = yield Stroke(b"", LOOK)
        until = view.now + TURNED_WITHIN
        while self._page(prompt, view) == page and view.now < until and not view.is_done:
            view = yield Stroke(b"", LOOK)
        return view

    def _page(self, prompt: Question, view: View) -> int | None:
        shown = self._hand.shown(view)
        return page_of(prompt.queries, shown[0]) if shown is not None else None


def _note(text: str) -> Script:
    """Words of one's own go into the notes of the last option."""
    view = yield Stroke(TAB, GAP, leads=True)
    if not any(_NOTES in line for line in view.screen.lines):
        return unrecognized(view, "there is no room for words in the dialog on the screen")
    yield Stroke(paste(text), GAP, leads=True)
    yield Stroke(ENTER, GAP)
    return None


def _tell(text: str, view: View) -> Script:
    """The turn has ended: the words are a message of their own, once the input is free."""
    until = view.now + FREE_WITHIN
    while not (isinstance(view.state, Idle) and view.reading.composer is not None and not view.draft):
        if view.now >= until:
            return Refused(
                Reason.UNVERIFIED, "it was denied, but the input is not free for the words that go with it", view.state
            )
        view = yield Stroke(b"", LOOK)
    return (yield from type_nudge(Nudge(text, keep_draft=True)))
