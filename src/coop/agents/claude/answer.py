"""How an answer is typed into a dialog of Claude Code: chosen by its label on the screen, looked at before every key.

The same digit denies in one release and approves for good in another, so nothing here goes by position.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.answers import answers, label_of
from coop.agents.claude.screen import Words
from coop.agents.dialogs import Dialog, Option, Signature, label_for
from coop.agents.paste import paste
from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Refused, Respond, Stroke
from coop.model.prompt import Prompt, Query, Question, Setup
from coop.model.state import Prompted

DRAWN_WITHIN = 3.0
SETTLED = 0.3
"""A dialog swallows keys for a moment after it is drawn."""
ANSWERED_WITHIN = 4.0
"""How long all the pages of a question may take to turn, and a second more for each."""
LOOK = 0.05
GAP = 0.1
"""Between keys of one answer: closer ones act on where the highlight was."""
_DOWN, _UP, _ENTER, _TAB, _ESCAPE = b"\x1b[B", b"\x1b[A", b"\r", b"\t", b"\x1b"
_KEYS = {"Enter": _ENTER, "Esc": _ESCAPE, "Tab": _TAB, "shift+Tab": b"\x1b[Z"}
_OTHER = "Type something."
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
        return self._choose(respond, prompt)

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._drawn(prompt)
        shown = self._shown(view)
        if shown is None or shown[1] is None:
            return _unrecognized(view, "no dialog we know is on the screen")
        if not _is_asked(prompt, view):
            return _changed(view)
        if respond.accept is False and respond.text is None and not isinstance(prompt, Setup):
            yield Stroke(_ESCAPE, GAP)
            return None
        option = self._wanted(respond, prompt, shown[0], shown[1], exactly=view.version not in self._tested)
        if option is None:
            return _unrecognized(view, "the dialog on the screen has no option that says so")
        feedback = respond.text if respond.accept is not None or _denies(option, shown) else None
        if feedback is None:
            yield from self._press(option, prompt)
            return None
        if shown[1].kind == "plan":
            view = yield from self._press(option, prompt)
        else:
            view = yield from self._highlight(option, prompt)
            if not _is_asked(prompt, view):
                return _changed(view)
            view = yield Stroke(_TAB, GAP)
        if not _is_asked(prompt, view):
            return _changed(view)
        yield from _type(feedback)
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

    # Questions

    def _answer_all(self, prompt: Question, given: Sequence[Answer]) -> Script:
        """One page for each question, turned by hand where several can be ticked; the last is a review."""
        queries, answered = prompt.queries, set[str]()
        view = yield from self._drawn(prompt)
        until = view.now + ANSWERED_WITHIN + len(queries)
        while view.now < until:
            shown = self._shown(view)
            if shown is None or not _is_asked(prompt, view):
                return None if answered else _changed(view)
            dialog, found = shown
            if found is not None and found.subtype == "review":
                if len(answered) < len(queries):
                    return _unrecognized(view, "not every question could be answered")
                return (yield from self._submit(dialog, prompt))
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

    def _answer_page(self, query: Query, answer: Answer, dialog: Dialog, prompt: Prompt) -> Script:
        labels = [label_of(option, query) for option in answer.options]
        if query.takes_many:
            return (yield from self._tick(labels, answer.text, prompt))
        wanted = dialog.option(_OTHER) if answer.text else _labelled(dialog, labels[0])
        if wanted is None:
            return Refused(Reason.DIALOG_UNRECOGNIZED, "the option is not in the dialog on the screen", lines=dialog.lines)
        view = yield from self._press(wanted, prompt)
        if answer.text and _is_asked(prompt, view):
            yield from _type(answer.text)
        return None

    def _tick(self, labels: Sequence[str], other: str | None, prompt: Prompt) -> Script:
        for label in labels:
            view = yield Stroke(b"", 0.0)
            shown = self._shown(view)
            option = _labelled(shown[0], label) if shown else None
            if option is None:
                return _unrecognized(view, f"the option {label!r} is not in the dialog on the screen")
            if option.checked is not True:
                yield from self._press(option, prompt)
        if other:
            view = yield Stroke(b"", 0.0)
            shown = self._shown(view)
            box = next((each for each in shown[0].options if each.label.startswith("Type something")), None) if shown else None
            if box is None:
                return _unrecognized(view, "there is no room for words in the dialog on the screen")
            yield from self._highlight(box, prompt)
            yield Stroke(paste(other), GAP)
            yield Stroke(_DOWN, GAP)
            yield Stroke(_ENTER, GAP)
            return None
        yield Stroke(_TAB, GAP)
        return None

    def _submit(self, dialog: Dialog, prompt: Prompt) -> Script:
        option = dialog.option("Submit answers")
        if option is not None:
            yield from self._press(option, prompt)
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
        """A digit chooses by itself; without one, the highlight is brought there and Enter pressed."""
        if option.key is not None:
            return (yield Stroke(_KEYS[option.key], GAP))
        if option.number is not None and option.number < 10:
            return (yield Stroke(str(option.number).encode(), GAP))
        view = yield from self._highlight(option, prompt)
        marked = self._marked(view)
        if marked is not None and marked.label == option.label and _is_asked(prompt, view):
            view = yield Stroke(_ENTER, GAP)
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
            down = labels.index(option.label) > labels.index(marked.label)
            view = yield Stroke(_DOWN if down else _UP, GAP)
        return view

    def _shown(self, view: View) -> Shown | None:
        return self._words.dialog(view.screen)

    def _marked(self, view: View) -> Option | None:
        shown = self._shown(view)
        return next((each for each in shown[0].options if each.marked), None) if shown else None


def _is_asked(prompt: Prompt, view: View) -> bool:
    """Is the dialog on the screen still this prompt's? One that no hook told of may look like another when it changes."""
    if view.is_done or not isinstance(view.state, Prompted):
        return False
    is_open = any(each.id == prompt.id for each in view.state.prompts)
    return view.state.prompt.id == prompt.id or not is_open


def _changed(view: View) -> Refused:
    return Refused(Reason.PROMPT_CHANGED, "another dialog is on the screen by now; nothing more was typed", view.state)


def _denies(option: Option, shown: Shown) -> bool:
    return shown[1] is not None and label_for(shown[1].deny, shown[0]) == option


def _type(text: str) -> Steps:
    yield Stroke(paste(text), GAP)
    return (yield Stroke(_ENTER, GAP))


def _labelled(dialog: Dialog, label: str) -> Option | None:
    """A long label is cut where the screen ends."""
    return dialog.option(label) or next(
        (each for each in dialog.options if len(each.label) > 20 and label.startswith(each.label)), None
    )


def _is_page(query: Query, dialog: Dialog) -> bool:
    asked = " ".join((*dialog.title, dialog.question))
    return "".join(query.text.split()) in "".join(asked.split())


def _unrecognized(view: View, why: str) -> Refused:
    lines = tuple(line for line in view.screen.lines if line.strip())
    return Refused(Reason.DIALOG_UNRECOGNIZED, f"{why}; nothing more was typed", view.state, lines=lines)
