"""How an answer is typed into a dialog of Claude Code: chosen by its label on the screen, looked at before every key.

The same digit denies in one release and approves for good in another, so nothing here goes by position.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, check, label_of
from coop.agents.claude.screen import Words
from coop.agents.dialogs import Dialog, Option, label_for
from coop.agents.hand import (
    DOWN,
    ENTER,
    ESCAPE,
    LOOK,
    MOVED_WITHIN,
    NO_SUCH_OPTION,
    TAB,
    Hand,
    Shown,
    changed,
    labelled,
    may_escape,
    page_of,
    unrecognized,
    wanted,
)
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Respond, Stroke
from coop.model.prompt import Plan, Prompt, Query, Question, Setup
from coop.model.state import Prompted

DRAWN_WITHIN = 3.0
SETTLED = 0.3
"""A dialog swallows keys for a moment after it is drawn."""
ANSWERED_WITHIN = 4.0
"""How long all the pages of a question may take to turn, and a second more for each."""
GAP = 0.1
"""Between keys of one answer: closer ones act on where the highlight was."""
_KEYS = {"Enter": ENTER, "Esc": ESCAPE, "Tab": TAB, "shift+Tab": b"\x1b[Z"}
_OTHER = "Type something."
_TAKES_WORDS = ("Type something", "Tell Claude what to change")


class Typist:
    """Types answers into the dialogs described by `words`."""

    def __init__(self, words: Words, tested: Sequence[str]) -> None:
        self._hand = Hand(words.dialog, DRAWN_WITHIN, SETTLED, GAP, is_asked=_is_asked)
        self._tested = tested

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt."""
        if isinstance(prompt, Question) and prompt.queries and respond.accept is not False:
            return self._answer_all(prompt, answers(respond, prompt))
        check(respond, prompt)
        if isinstance(prompt, Plan) and respond.accept is True and respond.text is not None:
            raise BadRequest("text: a plan that is approved takes no words along; nudge the agent afterwards")
        return self._choose(respond, prompt)

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._hand.drawn(prompt)
        exactly = view.version not in self._tested
        escapes = respond.accept is False and respond.text is None and not isinstance(prompt, Setup)

        def find(shown: Shown) -> Option | None:
            return wanted(respond, prompt, shown[0], shown[1], exactly=exactly) if shown[1] is not None else None

        if exactly or not escapes:
            view = yield from self._hand.seek(find, prompt, view)
        shown = self._hand.shown(view)
        if shown is None or shown[1] is None:
            return unrecognized(view, "no dialog we know is on the screen")
        if not self._hand.is_asked(prompt, view):
            return changed(view)
        if escapes:
            if not may_escape(shown[0], shown[1], exactly=exactly):
                return unrecognized(view, NO_SUCH_OPTION)
            yield Stroke(ESCAPE, GAP)
            return None
        option = find(shown)
        if option is None:
            return unrecognized(view, NO_SUCH_OPTION)
        feedback = respond.text if respond.accept is not None or _denies(option, shown) else None
        if feedback is None:
            yield from self._press(option, prompt)
            return None
        return (yield from self._amend(option, feedback, prompt, is_plan=shown[1].kind == "plan"))

    def _amend(self, option: Option, feedback: str, prompt: Prompt, *, is_plan: bool) -> Script:
        """Takes the option with these words."""
        if is_plan:
            view = yield from self._press(option, prompt, leads=True)
        else:
            view = yield from self._hand.reach(option.label, prompt)
            if not self._hand.is_at(option.label, prompt, view):
                return changed(view)
            view = yield Stroke(TAB, GAP, leads=True)
        if not self._hand.is_asked(prompt, view):
            return changed(view)
        yield from _type(feedback)
        return None

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question, turned by hand where several can be ticked; the last is a review."""
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
                return (yield from self._submit(dialog, prompt))
            page = page_of(queries, dialog)
            if page is None:
                return unrecognized(view, "the dialog on the screen asks something else")
            if queries[page].text in answered:  # it has not been turned yet: a key again would be for the next one
                view = yield Stroke(b"", LOOK)
                continue
            refused = yield from self._answer_page(queries[page], given[page], prompt, view)
            if refused is not None:
                return refused
            answered.add(queries[page].text)
            view = yield Stroke(b"", LOOK)
        return None

    def _answer_page(self, query: Query, answer: Answer, prompt: Prompt, view: View) -> Script:
        labels = [label_of(option, query) for option in answer.options]
        if query.takes_many:
            return (yield from self._tick(query, labels, answer.text, prompt))

        def find(shown: Shown) -> Option | None:
            return labelled(shown[0], _OTHER if answer.text else labels[0])

        view = yield from self._hand.seek(find, prompt, view)
        shown = self._hand.shown(view)
        if shown is None or not self._hand.is_asked(prompt, view):
            return self._hand.lost(prompt, view)
        option = find(shown)
        if option is None:
            return unrecognized(view, "the option is not in the dialog on the screen")
        if shown[0].has_preview:
            yield from self._hand.enter_at(option.label, prompt)
            return None
        view = yield from self._press(option, prompt, leads=bool(answer.text))
        if answer.text and self._hand.is_asked(prompt, view):
            yield from _type(answer.text)
        return None

    def _tick(self, query: Query, labels: Sequence[str], other: str | None, prompt: Prompt) -> Script:
        """Somebody may have ticked some already: only what differs is pressed, and nothing where that cannot be told."""
        view = yield Stroke(b"", 0.0)
        before, asked = self._ticked(query, view), set(labels)
        if before is None:
            return unrecognized(view, "which boxes are ticked cannot be read from the dialog on the screen")
        for label in (choice.label for choice in query.choices if choice.label in before ^ asked):
            shown = self._hand.shown(view)
            option = labelled(shown[0], label) if shown else None
            if option is None or not self._hand.is_asked(prompt, view):
                return changed(view)
            yield from self._press(option, prompt)
            view = yield Stroke(b"", 0.0)
        view = yield from self._until_ticked(query, asked, view)
        if self._ticked(query, view) != asked:
            return unrecognized(view, "other boxes are ticked than were asked for")
        if other:
            view = yield Stroke(b"", 0.0)
            shown = self._hand.shown(view)
            box = next((each for each in shown[0].options if each.label.startswith("Type something")), None) if shown else None
            if box is None:
                return unrecognized(view, "there is no room for words in the dialog on the screen")
            view = yield from self._hand.reach(box.label, prompt)
            if not self._hand.is_at(box.label, prompt, view):
                return changed(view)
            yield Stroke(paste(other), GAP, leads=True)
            yield Stroke(DOWN, GAP)
            yield Stroke(ENTER, GAP)
            return None
        yield Stroke(TAB, GAP)
        return None

    def _until_ticked(self, query: Query, asked: set[str], view: View) -> Steps:
        until = view.now + MOVED_WITHIN
        while self._ticked(query, view) != asked and view.now < until:
            view = yield Stroke(b"", LOOK)
        return view

    def _ticked(self, query: Query, view: View) -> set[str] | None:
        """The labels of the boxes that are ticked; `None` where one cannot be read, or words of somebody else are ticked too."""
        shown = self._hand.shown(view)
        boxes = {choice.label: labelled(shown[0], choice.label) for choice in query.choices} if shown else {}
        others = [each for each in shown[0].options if each not in boxes.values()] if shown else []
        if (
            not boxes
            or any(box is None or box.checked is None for box in boxes.values())
            or any(each.checked for each in others)
        ):
            return None
        return {label for label, box in boxes.items() if box is not None and box.checked}

    def _submit(self, dialog: Dialog, prompt: Prompt) -> Script:
        option = dialog.option("Submit answers")
        if option is not None:
            yield from self._press(option, prompt)
        return None

    # Keys

    def _press(self, option: Option, prompt: Prompt, *, leads: bool = False) -> Steps:
        """A digit chooses by itself; without one, the highlight is brought there and Enter pressed.

        Somebody may have brought the highlight to where words are typed: there, a digit is one.
        """
        if option.key is not None:
            return (yield Stroke(_KEYS[option.key], GAP, leads=leads))
        view = yield Stroke(b"", 0.0)
        marked = self._hand.marked(view)
        if marked is not None and marked.label.startswith(_TAKES_WORDS):
            is_there = leads and marked.label == option.label
            return view if is_there else (yield from self._hand.enter_at(option.label, prompt, leads=leads))
        return (yield from self._hand.digit(option, leads=leads) or self._hand.enter_at(option.label, prompt, leads=leads))


def _is_asked(prompt: Prompt, view: View) -> bool:
    """Is the dialog on the screen still this prompt's? One that no hook told of may look like another when it changes."""
    if view.is_done or not isinstance(view.state, Prompted):
        return False
    is_open = any(each.id == prompt.id for each in view.state.prompts)
    return view.state.prompt.id == prompt.id or not is_open


def _denies(option: Option, shown: Shown) -> bool:
    return shown[1] is not None and label_for(shown[1].deny, shown[0]) == option


def _type(text: str) -> Steps:
    yield Stroke(paste(text), GAP, leads=True)
    return (yield Stroke(ENTER, GAP))
