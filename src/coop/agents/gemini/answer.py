"""How an answer is typed into a dialog of Gemini CLI: chosen by its label on the screen, looked at before every key.

Esc is the one denial that all dialogs share: the digit of one's "No" opens an editor in another.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, chosen_label, label_of
from coop.agents.dialogs import Dialog, Option, Signature, label_for
from coop.agents.gemini.screen import Words
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Refused, Respond, Stroke
from coop.model.prompt import Permission, Plan, Prompt, Query, Question, Setup
from coop.model.state import Prompted

DRAWN_WITHIN = 4.0
SETTLED = 0.25
"""A dialog is told of before it is drawn; a digit sent sooner lands in the input."""
ANSWERED_WITHIN = 6.0
LOOK = 0.05
GAP = 0.15
"""Between keys: an Enter close behind a digit is swallowed."""
DIGEST = 0.3
_DOWN, _UP, _ENTER, _ESCAPE = b"\x1b[B", b"\x1b[A", b"\r", b"\x1b"
_CUSTOM = "Enter a custom value"
_NEVER = "Modify with external editor"
"""It opens an editor that takes the session with it."""
_MOST_KEYS = 40

Shown = tuple[Dialog, Signature | None]


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
        self._words = words
        self._tested = tested

    def type_answer(self, respond: Respond, prompt: Prompt) -> Script:
        """Raises `BadRequest` for an answer that does not fit the prompt."""
        if not isinstance(prompt, Question) and respond.answers:
            raise BadRequest("answers: only a question takes them; give accept or option")
        if isinstance(prompt, Permission) and respond.text is not None:
            raise BadRequest("text: Gemini ends the turn when a tool is denied; deny it, then send the words as a message")
        if respond.accept is False and respond.text is None and not isinstance(prompt, Setup):
            return self._deny(prompt)
        label = chosen_label(respond, prompt) if not (isinstance(prompt, Question) and prompt.queries) else None
        if isinstance(prompt, Question):
            return self._answer_all(prompt, _fitting(respond, prompt))
        if label == _NEVER:
            raise BadRequest(f"option: {_NEVER!r} would open an editor on the agent's terminal; choose another")
        return self._choose(respond, prompt)

    def _deny(self, prompt: Prompt) -> Script:
        view = yield from self._drawn(prompt)
        if self._shown(view) is None or not _is_asked(prompt, view):
            return _changed(view)
        yield Stroke(_ESCAPE, GAP)
        return None

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._drawn(prompt)
        shown = self._shown(view)
        if shown is None or shown[1] is None:
            return _unrecognized(view, "no dialog we know is on the screen")
        if not _is_asked(prompt, view):
            return _changed(view)
        option = self._wanted(respond, prompt, shown[0], shown[1], exactly=self._is_strange(prompt, view))
        if option is None:
            return _unrecognized(view, "the dialog on the screen has no option that says so")
        view = yield from self._press(option, prompt)
        if isinstance(prompt, Plan) and respond.text is not None:
            return (yield from self._type(respond.text, prompt, view))
        return None

    def _wanted(self, respond: Respond, prompt: Prompt, dialog: Dialog, found: Signature, *, exactly: bool) -> Option | None:
        if (label := chosen_label(respond, prompt)) is not None:
            return dialog.option(label)
        if respond.accept:
            return label_for(found.always if respond.always else found.accept, dialog, exactly=exactly)
        return label_for(found.deny, dialog, exactly=exactly)

    def _is_strange(self, prompt: Prompt, view: View) -> bool:
        """In a release we have not seen, words that only begin like those we know may mean something else."""
        return view.version not in self._tested and not isinstance(prompt, Setup)  # which names the folder

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question; where there are several, the last is a review."""
        queries, answered = prompt.queries, set[str]()
        view = yield from self._drawn(prompt)
        until = view.now + ANSWERED_WITHIN + len(queries)
        while view.now < until:
            shown = self._shown(view)
            if shown is None or not _is_asked(prompt, view):
                return None if answered else _changed(view)
            dialog, found = shown
            if found is not None and found.subtype == "review":
                yield Stroke(_ENTER, GAP)
                return None
            page = next((n for n, query in enumerate(queries) if _is_page(query, dialog)), None)
            if page is None:
                return _unrecognized(view, "the dialog on the screen asks something else")
            if queries[page].text in answered:  # it has not been turned yet: a key again would be for the next one
                view = yield Stroke(b"", LOOK)
                continue
            refused = yield from self._answer_page(queries[page], given[page], dialog, prompt)
            if refused is not None:
                return refused
            answered.add(queries[page].text)
            view = yield Stroke(b"", LOOK)
        return None

    def _answer_page(self, query: Query, answer: Answer, dialog: Dialog, prompt: Question) -> Script:
        if not dialog.options:
            return (yield from self._type(answer.text or "", prompt, (yield Stroke(b"", 0.0))))
        labels = [label_of(option, query) for option in answer.options]
        if query.takes_many:
            return (yield from self._tick(labels, answer.text, prompt))
        if answer.text is not None:
            view = yield from self._reach(_CUSTOM, prompt)
            return (yield from self._type(answer.text, prompt, view))
        option = dialog.option(labels[0])
        if option is None or option.number is None:
            return Refused(Reason.DIALOG_UNRECOGNIZED, "the option is not in the dialog on the screen", lines=dialog.lines)
        yield from self._press(option, prompt)
        return None

    def _tick(self, labels: Sequence[str], other: str | None, prompt: Question) -> Script:
        """Each is brought under the highlight and ticked there; `Done` is at the end."""
        for label in labels:
            view = yield from self._reach(label, prompt)
            marked = self._marked(view)
            if marked is None or marked.label != label:
                return _unrecognized(view, f"the option {label!r} is not in the dialog on the screen")
            if marked.checked is not True:
                yield Stroke(_ENTER, GAP)
        if other is not None:
            view = yield from self._reach(_CUSTOM, prompt)
            yield Stroke(paste(other), DIGEST)
        view = yield from self._reach("Done", prompt)
        marked = self._marked(view)
        if marked is None or marked.label != "Done":
            return _unrecognized(view, "the end of the list is not to be found")
        yield Stroke(_ENTER, GAP)
        return None

    # Keys

    def _drawn(self, prompt: Prompt) -> Steps:
        """Waits until its dialog is drawn and takes keys."""
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

    def _press(self, option: Option, prompt: Prompt) -> Steps:
        """A digit chooses by itself."""
        if option.number is not None and option.number < 10:
            return (yield Stroke(str(option.number).encode(), GAP))
        view = yield from self._reach(option.label, prompt)
        return (yield Stroke(_ENTER, GAP)) if _is_asked(prompt, view) else view

    def _reach(self, label: str, prompt: Prompt) -> Steps:
        """Brings the highlight to it; what is out of sight comes into it on the way down."""
        view = yield Stroke(b"", 0.0)
        for _ in range(_MOST_KEYS):
            shown, marked = self._shown(view), self._marked(view)
            if shown is None or marked is None or marked.label == label or not _is_asked(prompt, view):
                break
            labels = [each.label for each in shown[0].options]
            up = label in labels and labels.index(label) < labels.index(marked.label)
            view = yield Stroke(_UP if up else _DOWN, GAP)
        return view

    def _type(self, text: str, prompt: Prompt, view: View) -> Script:
        if self._shown(view) is None or not _is_asked(prompt, view):
            return _changed(view)
        view = yield Stroke(paste(text), DIGEST)
        if not _is_asked(prompt, view):
            return _changed(view)
        yield Stroke(_ENTER, GAP)
        return None

    def _shown(self, view: View) -> Shown | None:
        return self._words.dialog(view.screen)

    def _marked(self, view: View) -> Option | None:
        shown = self._shown(view)
        return next((each for each in shown[0].options if each.marked), None) if shown else None


def _fitting(respond: Respond, prompt: Question) -> Sequence[Answer]:
    """One answer for each question; a review of them needs none."""
    if prompt.subtype == "review":
        return ()
    if not prompt.queries:
        raise BadRequest("the dialog on the screen is not one that coop can answer; use /api/v1/input")
    return answers(respond, prompt)


def _is_asked(prompt: Prompt, view: View) -> bool:
    """Is the dialog on the screen still this prompt's?"""
    return not view.is_done and isinstance(view.state, Prompted) and view.state.prompt.id == prompt.id


def _changed(view: View) -> Refused:
    return Refused(Reason.PROMPT_CHANGED, "another dialog is on the screen by now; nothing more was typed", view.state)


def _is_page(query: Query, dialog: Dialog) -> bool:
    asked = " ".join((*dialog.title, dialog.question))
    return "".join(query.text.split()) in "".join(asked.split())


def _unrecognized(view: View, why: str) -> Refused:
    lines = tuple(line for line in view.screen.lines if line.strip())
    return Refused(Reason.DIALOG_UNRECOGNIZED, f"{why}; nothing more was typed", view.state, lines=lines)
