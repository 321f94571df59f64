"""How an answer is typed into a dialog of Claude Code: chosen by its label on the screen, looked at before every key.

The same digit denies in one release and approves for good in another, so nothing here goes by position.
"""

from collections.abc import Sequence

from coop.agents import Script, Steps, View
from coop.agents.claude.paste import paste
from coop.agents.claude.replies import answers, label_of
from coop.agents.claude.screen import Words
from coop.agents.dialogs import Dialog, Option, Signature, label_for
from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Refused, Respond, Stroke
from coop.model.prompt import Prompt, Query, Question, Setup

DRAWN_WITHIN = 3.0
SETTLED = 0.3
"""A dialog swallows keys for a moment after it is drawn."""
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
            return self._answer_all(prompt.queries, answers(respond, prompt))
        if not isinstance(prompt, Question) and respond.answers:
            raise BadRequest("answers: only a question takes them; give accept or option")
        return self._choose(respond, prompt)

    # Permissions, plans, set-up

    def _choose(self, respond: Respond, prompt: Prompt) -> Script:
        view = yield from self._drawn()
        shown = self._shown(view)
        if shown is None:
            return _unrecognized(view, "no dialog is on the screen")
        if respond.accept is False and respond.text is None and not isinstance(prompt, Setup):
            yield Stroke(_ESCAPE, GAP)
            return None
        option = self._wanted(respond, *shown, exactly=view.version is not None and view.version not in self._tested)
        if option is None:
            return _unrecognized(view, "the dialog on the screen has no option that says so")
        feedback = respond.text if respond.accept is not None or _denies(option, shown) else None
        if feedback is None:
            yield from self._press(option)
        elif shown[1] is not None and shown[1].kind == "plan":
            yield from self._press(option)
            yield from _type(feedback)
        else:
            yield from self._highlight(option)
            yield Stroke(_TAB, GAP)
            yield from _type(feedback)
        return None

    def _wanted(self, respond: Respond, dialog: Dialog, found: Signature | None, *, exactly: bool) -> Option | None:
        """In a release we have not seen, words that only begin like those we know may mean something else."""
        match respond:
            case Respond(accept=None, option=int(number)):
                if not 1 <= number <= len(dialog.options):
                    return None
                return dialog.options[number - 1]
            case Respond(accept=True, always=True):
                return label_for(found.always, dialog, exactly=exactly) if found else None
            case Respond(accept=True):
                return label_for(found.accept, dialog, exactly=exactly) if found else None
            case _:
                return label_for(found.deny, dialog, exactly=exactly) if found else None

    # Questions

    def _answer_all(self, queries: Sequence[Query], given: Sequence[Answer]) -> Script:
        """One page for each question, turned by hand where several can be ticked; the last is a review."""
        yield from self._drawn()
        view = yield Stroke(b"", 0.0)
        answered: set[str] = set()
        for _ in range(2 * len(queries) + 2):
            shown = self._shown(view)
            if shown is None:
                return None
            dialog, found = shown
            if found is not None and found.subtype == "review":
                if len(answered) < len(queries):
                    return _unrecognized(view, "not every question could be answered")
                return (yield from self._submit(dialog))
            page = next((n for n, query in enumerate(queries) if _is_page(query, dialog)), None)
            if page is None:
                return _unrecognized(view, "the dialog on the screen asks something else")
            refused = yield from self._answer_page(queries[page], given[page], dialog)
            if refused is not None:
                return refused
            answered.add(queries[page].text)
            view = yield from self._turned(dialog)
        return None

    def _answer_page(self, query: Query, answer: Answer, dialog: Dialog) -> Script:
        labels = [label_of(option, query) for option in answer.options]
        if query.takes_many:
            return (yield from self._tick(labels, answer.text))
        wanted = dialog.option(_OTHER) if answer.text else _labelled(dialog, labels[0])
        if wanted is None:
            return Refused(Reason.DIALOG_UNRECOGNIZED, "the option is not in the dialog on the screen", lines=dialog.lines)
        yield from self._press(wanted)
        if answer.text:
            yield from _type(answer.text)
        return None

    def _tick(self, labels: Sequence[str], other: str | None) -> Script:
        for label in labels:
            view = yield Stroke(b"", 0.0)
            shown = self._shown(view)
            option = _labelled(shown[0], label) if shown else None
            if option is None:
                return _unrecognized(view, f"the option {label!r} is not in the dialog on the screen")
            if option.checked is not True:
                yield from self._press(option)
        if other:
            view = yield Stroke(b"", 0.0)
            shown = self._shown(view)
            box = next((each for each in shown[0].options if each.label.startswith("Type something")), None) if shown else None
            if box is None:
                return _unrecognized(view, "there is no room for words in the dialog on the screen")
            yield from self._highlight(box)
            yield Stroke(paste(other), GAP)
            yield Stroke(_DOWN, GAP)
            yield Stroke(_ENTER, GAP)
            return None
        yield Stroke(_TAB, GAP)
        return None

    def _submit(self, dialog: Dialog) -> Script:
        option = dialog.option("Submit answers")
        if option is not None:
            yield from self._press(option)
        return None

    def _turned(self, before: Dialog) -> Steps:
        view = yield Stroke(b"", LOOK)
        until = view.now + 1.0
        while (shown := self._shown(view)) is not None and shown[0].question == before.question and view.now < until:
            view = yield Stroke(b"", LOOK)
        return view

    # Keys

    def _drawn(self) -> Steps:
        """Waits until a dialog is drawn and takes keys."""
        view = yield Stroke(b"", 0.0)
        until, since = view.now + DRAWN_WITHIN, None
        while view.now < until:
            if self._shown(view) is None:
                since = None
            elif since is None:
                since = view.now
            elif view.now - since >= SETTLED:
                break
            view = yield Stroke(b"", LOOK)
        return view

    def _press(self, option: Option) -> Steps:
        """A digit chooses by itself; without one, the highlight is brought there and Enter pressed."""
        if option.key is not None:
            return (yield Stroke(_KEYS[option.key], GAP))
        if option.number is not None and option.number < 10:
            return (yield Stroke(str(option.number).encode(), GAP))
        view = yield from self._highlight(option)
        marked = self._marked(view)
        if marked is not None and marked.label == option.label:
            view = yield Stroke(_ENTER, GAP)
        return view

    def _highlight(self, option: Option) -> Steps:
        view = yield Stroke(b"", 0.0)
        for _ in range(_MOST_KEYS):
            shown, marked = self._shown(view), self._marked(view)
            if shown is None or marked is None or marked.label == option.label:
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
