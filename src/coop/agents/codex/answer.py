"""How an answer is typed into a dialog of Codex: one key, for the label on the screen, looked at right before.

One key too many would answer the next dialog, and a denial ends the turn with everything else it asks.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, chosen_label, label_of
from coop.agents.codex.nudge import type_nudge
from coop.agents.codex.screen import Words
from coop.agents.dialogs import Dialog, Option, Signature, label_for
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Nudge, Reason, Refused, Respond, Stroke
from coop.model.prompt import Permission, Plan, Prompt, Query, Question, Setup
from coop.model.state import Idle, Prompted

DRAWN_WITHIN = 3.0
"""A permission is drawn a second after the last key, and takes none before."""
SETTLED = 0.1
TURNED_WITHIN = 3.0
FREE_WITHIN = 5.0
LOOK = 0.05
GAP = 0.1
"""Between keys of one answer: closer ones act on where the highlight was."""
_DOWN, _UP, _ENTER, _TAB, _ESCAPE = b"\x1b[B", b"\x1b[A", b"\r", b"\t", b"\x1b"
_OTHER = "None of the above"
_NOTES = "to clear notes"
_MOST_KEYS = 40

Shown = tuple[Dialog, Signature | None]


class Typist:
    """Types answers into the dialogs described by `words`."""

    def __init__(self, words: Words, tested: Sequence[str]) -> None:
        self._words = words
        self._tested = tested

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt."""
        if isinstance(prompt, Question) and prompt.queries and respond.accept is not False:
            return self._answer_all(prompt, answers(respond, prompt))
        if not isinstance(prompt, Question) and respond.answers:
            raise BadRequest("answers: only a question takes them; give accept or option")
        chosen_label(respond, prompt)
        if isinstance(prompt, Permission | Setup) and respond.accept is None and respond.option is None:
            raise BadRequest("body: expected accept or option")
        if respond.accept is True and respond.text is not None:
            raise BadRequest("text: Codex takes no words along with a yes; nudge it afterwards")
        return self._choose(respond, prompt)

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._drawn(prompt)
        shown = self._shown(view)
        if shown is None or shown[1] is None:
            return _unrecognized(view, "no dialog we know is on the screen")
        if not _is_asked(prompt, view):
            return _changed(view)
        if isinstance(prompt, Question):
            yield Stroke(_ESCAPE, GAP)  # declined: that ends the turn
            return None
        option = self._wanted(respond, prompt, shown[0], shown[1], exactly=view.version not in self._tested)
        if option is None:
            return _unrecognized(view, "the dialog on the screen has no option that says so")
        view = yield from self._press(option, prompt)
        if respond.text is not None:
            return (yield from _tell(respond.text, view))
        return None

    def _wanted(self, respond: Respond, prompt: Prompt, dialog: Dialog, found: Signature, *, exactly: bool) -> Option | None:
        """In a release we have not seen, words that only begin like those we know may mean something else."""
        match respond:
            case Respond(accept=None, option=int(number)) if 1 <= number <= len(prompt.options):
                return dialog.option(prompt.options[number - 1])  # what stood there when it was asked for
            case Respond(accept=None, option=int()):
                return None
            case Respond(accept=True, always=True):
                return label_for(found.always, dialog, exactly=exactly)
            case Respond(accept=True):
                return label_for(found.accept, dialog, exactly=exactly)
            case _:
                return label_for(found.deny, dialog, exactly=exactly)

    def _press(self, option: Option, prompt: Prompt) -> Steps:
        """In a permission a digit chooses by itself; elsewhere it may only move the highlight, or act at once."""
        if isinstance(prompt, Permission | Plan) and option.number is not None and option.number < 10:
            return (yield Stroke(str(option.number).encode(), GAP))
        view = yield from self._highlight(option, prompt)
        marked = self._marked(view)
        if marked is not None and marked.label == option.label and _is_asked(prompt, view):
            view = yield Stroke(_ENTER, GAP)
        return view

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question; the last answer sends them all."""
        answered = set[int]()
        view = yield from self._drawn(prompt)
        while len(answered) < len(prompt.queries):
            page = self._page(prompt, view)
            if page is None or page in answered or not _is_asked(prompt, view):
                return _changed(view) if not answered else _unrecognized(view, "not every question could be answered")
            refused = yield from self._answer_page(prompt.queries[page], given[page], prompt)
            if refused is not None:
                return refused
            answered.add(page)
            view = yield from self._turned(prompt, page)
        return None

    def _answer_page(self, query: Query, answer: Answer, prompt: Prompt) -> Script:
        view = yield Stroke(b"", 0.0)
        shown = self._shown(view)
        label = _OTHER if answer.text else label_of(answer.options[0], query)
        option = _labelled(shown[0], label) if shown else None
        if option is None or not _is_asked(prompt, view):
            return _unrecognized(view, f"the option {label!r} is not in the dialog on the screen")
        if not answer.text and option.number is not None and option.number < 10:
            yield Stroke(str(option.number).encode(), GAP)
            return None
        view = yield from self._highlight(option, prompt)
        if (marked := self._marked(view)) is None or marked.label != option.label or not _is_asked(prompt, view):
            return _changed(view)
        if answer.text:
            return (yield from _note(answer.text))
        yield Stroke(_ENTER, GAP)
        return None

    def _turned(self, prompt: Question, page: int) -> Steps:
        """A key on a page that has not been turned yet would be for the next one."""
        view = yield Stroke(b"", LOOK)
        until = view.now + TURNED_WITHIN
        while self._page(prompt, view) == page and view.now < until and not view.is_done:
            view = yield Stroke(b"", LOOK)
        return view

    def _page(self, prompt: Question, view: View) -> int | None:
        shown = self._shown(view)
        if shown is None:
            return None
        asked = "".join(" ".join((*shown[0].title, shown[0].question)).split())
        return next((n for n, query in enumerate(prompt.queries) if "".join(query.text.split()) in asked), None)

    # Keys

    def _drawn(self, prompt: Prompt) -> Steps:
        """Waits until its dialog is drawn."""
        view = yield Stroke(b"", 0.0)
        until, since = view.now + DRAWN_WITHIN, None
        while view.now < until and not view.is_done:
            if self._shown(view) is None or not _is_asked(prompt, view):
                since = None
            elif since is None:
                since = view.now
            elif view.now - since >= SETTLED:
                break
            view = yield Stroke(b"", LOOK)
        return view

    def _highlight(self, option: Option, prompt: Prompt) -> Steps:
        view = yield Stroke(b"", 0.0)
        for _ in range(_MOST_KEYS):
            shown, marked = self._shown(view), self._marked(view)
            if shown is None or marked is None or marked.label == option.label or not _is_asked(prompt, view):
                break
            labels = [each.label for each in shown[0].options]
            if option.label not in labels:
                break
            view = yield Stroke(_DOWN if labels.index(option.label) > labels.index(marked.label) else _UP, GAP)
        return view

    def _shown(self, view: View) -> Shown | None:
        return self._words.dialog(view.screen)

    def _marked(self, view: View) -> Option | None:
        shown = self._shown(view)
        return next((each for each in shown[0].options if each.marked), None) if shown else None


def _note(text: str) -> Script:
    """Words of one's own go into the notes of the last option."""
    view = yield Stroke(_TAB, GAP)
    if not any(_NOTES in line for line in view.screen.lines):
        return _unrecognized(view, "there is no room for words in the dialog on the screen")
    yield Stroke(paste(text), GAP)
    yield Stroke(_ENTER, GAP)
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


def _is_asked(prompt: Prompt, view: View) -> bool:
    """Is the dialog on the screen still this prompt's?"""
    return not view.is_done and isinstance(view.state, Prompted) and view.state.prompt.id == prompt.id


def _changed(view: View) -> Refused:
    return Refused(Reason.PROMPT_CHANGED, "another dialog is on the screen by now; nothing more was typed", view.state)


def _labelled(dialog: Dialog, label: str) -> Option | None:
    """A long label is cut where the screen ends."""
    return dialog.option(label) or next(
        (each for each in dialog.options if len(each.label) > 20 and label.startswith(each.label)), None
    )


def _unrecognized(view: View, why: str) -> Refused:
    lines = tuple(line for line in view.screen.lines if line.strip())
    return Refused(Reason.DIALOG_UNRECOGNIZED, f"{why}; nothing more was typed", view.state, lines=lines)
