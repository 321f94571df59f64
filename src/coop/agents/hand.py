"""The hand that answers dialogs: it looks before every key, and stops when what it answers is no longer there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coop.agents import Steps, View
from coop.agents.dialogs import Dialog, Option, Signature, label_for
from coop.model.commands import Reason, Refused, Respond, Stroke
from coop.model.prompt import Prompt, Query
from coop.model.screen import ScreenSnapshot
from coop.model.state import Prompted

LOOK = 0.05
MOVED_WITHIN = 1.5
"""So long an arrow may take to be seen."""
DOWN, UP, ENTER, TAB, ESCAPE = b"\x1b[B", b"\x1b[A", b"\r", b"\t", b"\x1b"
NO_SUCH_OPTION = "the dialog on the screen has no option that says so"
_MOST_KEYS = 40
_CUT_FROM = 20
"""A label may be cut where the screen ends, but never to less."""

Shown = tuple[Dialog, Signature | None]
"""The dialog on the screen, and which of those we know it is."""
Find = Callable[[Shown], Option | None]
_Place = tuple[int, str]


def is_asked(prompt: Prompt, view: View) -> bool:
    """Is the dialog on the screen still this prompt's?"""
    return not view.is_done and isinstance(view.state, Prompted) and view.state.prompt.id == prompt.id


@dataclass(frozen=True, slots=True)
class Hand:
    dialog_of: Callable[[ScreenSnapshot], Shown | None]
    drawn_within: float
    """How long a dialog may take to be drawn after it was told of."""
    settled: float
    """How long it must have been there before it takes keys."""
    gap: float
    """Between keys of one answer: closer ones act on where the highlight was."""
    scrolls: bool = False
    """Options may be out of sight, and come into it on the way down."""
    is_asked: Callable[[Prompt, View], bool] = is_asked

    def shown(self, view: View) -> Shown | None:
        return self.dialog_of(view.screen)

    def marked(self, view: View) -> Option | None:
        """The option under the highlight."""
        shown = self.shown(view)
        return next((each for each in shown[0].options if each.marked), None) if shown else None

    def drawn(self, prompt: Prompt) -> Steps:
        """Waits until its dialog is drawn and takes keys."""
        view = yield Stroke(b"", 0.0)
        until, since = view.now + self.drawn_within, None
        while view.now < until and not view.is_done:
            if self.shown(view) is None or not self.is_asked(prompt, view):
                since = None
            elif since is None:
                since = view.now
            elif view.now - since >= self.settled:
                break
            view = yield Stroke(b"", LOOK)
        return view

    def reach(self, label: str, prompt: Prompt) -> Steps:
        """Brings the highlight to it, if it can; whoever presses a key then looks where it is.

        An arrow waits until the one before it has moved the highlight: one too many would move it on under Enter.
        """
        view = yield Stroke(b"", 0.0)
        for _ in range(_MOST_KEYS):
            arrow, before = self._arrow(label, prompt, view), self._place(view)
            if arrow is None:
                break
            view = yield Stroke(arrow, self.gap, leads=True)
            view = yield from self._moved(before, prompt, view)
            if self._place(view) in (None, before):
                break
        return view

    def _arrow(self, label: str, prompt: Prompt, view: View) -> bytes | None:
        """Which way it is to it; `None` when the highlight is there, or cannot get there."""
        shown, marked = self.shown(view), self.marked(view)
        if shown is None or marked is None or marked.label == label or not self.is_asked(prompt, view):
            return None
        labels = [each.label for each in shown[0].options]
        if label not in labels:
            return DOWN if self.scrolls else None
        return UP if labels.index(label) < labels.index(marked.label) else DOWN

    def seek(self, find: Find, prompt: Prompt, view: View) -> Steps:
        """Scrolls a list of which not all is in sight, down and then up, until what is looked for comes into it."""
        shown = self.shown(view)
        if shown is None or not shown[0].is_scrolled:
            return view
        for arrow in (DOWN, UP):
            view = yield from self._scroll(arrow, find, prompt, view)
            if not self._seeks(find, prompt, view):
                break
        return view

    def _scroll(self, arrow: bytes, find: Find, prompt: Prompt, view: View) -> Steps:
        """To the end of the list, or once around it."""
        first = self.marked(view)
        for _ in range(_MOST_KEYS):
            before = self._place(view)
            if before is None or not self._seeks(find, prompt, view):
                break
            view = yield Stroke(arrow, self.gap, leads=True)
            view = yield from self._moved(before, prompt, view)
            if self._place(view) in (None, before) or self.marked(view) == first:
                break
        return view

    def _seeks(self, find: Find, prompt: Prompt, view: View) -> bool:
        """Is it still asked, and out of sight?"""
        shown = self.shown(view)
        return shown is not None and find(shown) is None and self.is_asked(prompt, view)

    def _moved(self, before: _Place | None, prompt: Prompt, view: View) -> Steps:
        until = view.now + MOVED_WITHIN
        while self._place(view) in (None, before) and view.now < until and self.is_asked(prompt, view):
            view = yield Stroke(b"", LOOK)
        return view

    def _place(self, view: View) -> _Place | None:
        """Where the highlight is, and on what: a list may move under it."""
        shown = self.shown(view)
        return next(((n, each.label) for n, each in enumerate(shown[0].options) if each.marked), None) if shown else None

    def is_at(self, label: str, prompt: Prompt, view: View) -> bool:
        marked = self.marked(view)
        return marked is not None and marked.label == label and self.is_asked(prompt, view)

    def lost(self, prompt: Prompt, view: View) -> Refused:
        """Why nothing is typed where its dialog is not to be seen."""
        return unrecognized(view, "the dialog on the screen cannot be read") if self.is_asked(prompt, view) else changed(view)

    def enter_at(self, label: str, prompt: Prompt, *, leads: bool = False) -> Steps:
        """Brings the highlight to it, and presses Enter if it got there. `leads` to where words are typed."""
        view = yield from self.reach(label, prompt)
        if self.is_at(label, prompt, view):
            view = yield Stroke(ENTER, self.gap, leads=leads)
        return view

    def digit(self, option: Option, *, leads: bool = False) -> Steps | None:
        """Presses the option's number, where it has one that is a single key."""
        has_key = option.number is not None and option.number < 10
        return self._press(str(option.number).encode(), leads=leads) if has_key else None

    def _press(self, key: bytes, *, leads: bool) -> Steps:
        return (yield Stroke(key, self.gap, leads=leads))


def wanted(respond: Respond, prompt: Prompt, dialog: Dialog, found: Signature, *, exactly: bool) -> Option | None:
    """The option that says what is answered. `exactly` in a release we have not seen: there, words that only begin like those we
    know may mean something else."""
    match respond:
        case Respond(accept=None, option=int(number)) if 1 <= number <= len(prompt.options):
            return _numbered(number, prompt.options, dialog)
        case Respond(accept=None, option=int()):
            return None
        case Respond(accept=True, always=True):
            return label_for(found.always, dialog, exactly=exactly)
        case Respond(accept=True):
            return label_for(found.accept, dialog, exactly=exactly)
        case Respond(accept=False) | Respond(text=str()):  # words alone send a plan back
            return label_for(found.deny, dialog, exactly=exactly)
        case _:
            return None


def _numbered(number: int, offered: Sequence[str], dialog: Dialog) -> Option | None:
    """What stood there when it was asked for, wherever it is now; one of several with that label only where it still stands."""
    label = offered[number - 1]
    same = [each for each in dialog.options if each.label == label]
    if len(same) == 1 == offered.count(label):  # another may be out of sight
        return same[0]
    # Without a digit it would be reached by its label, and another of that label be taken for it.
    return next((each for each in same if each.number == number), None)


def may_escape(dialog: Dialog, found: Signature, *, exactly: bool) -> bool:
    """May Esc stand for a no? `exactly`, in a release we have not seen, only where the dialog says no in words that we know."""
    return not exactly or label_for(found.deny, dialog, exactly=True) is not None


def labelled(dialog: Dialog, label: str) -> Option | None:
    """The option of that label; a long one may be cut on the screen."""
    return dialog.option(label) or next(
        (each for each in dialog.options if len(each.label) > _CUT_FROM and label.startswith(each.label)), None
    )


def page_of(queries: Sequence[Query], dialog: Dialog) -> int | None:
    """Which of the questions the dialog asks; `None` for something else. One may begin like another, or quote it."""
    asked = _bare(" ".join((*dialog.title, dialog.question)))
    asking = [n for n, query in enumerate(queries) if _bare(query.text) in asked]
    if not asked:
        asking = [n for n, query in enumerate(queries) if _is_tail_of(query, dialog)]
        return asking[0] if len(asking) == 1 else None
    return max(asking, key=lambda n: len(_bare(queries[n].text)), default=None)


def _is_tail_of(query: Query, dialog: Dialog) -> bool:
    """Is all that is in sight of the options what stands there in the question? Those behind them are the agent's own."""
    numbers = range(1, len(query.choices) + 1)
    drawn = {each.number: each for each in dialog.options if each.number in numbers}
    named = {number: labelled(dialog, query.choices[number - 1].label) for number in numbers if number in drawn}
    return bool(drawn) and named == drawn and len(query.choices) in drawn


def _bare(text: str) -> str:
    return "".join(text.split())


def changed(view: View) -> Refused:
    return Refused(Reason.PROMPT_CHANGED, "another dialog is on the screen by now; nothing more was typed", view.state)


def unrecognized(view: View, why: str) -> Refused:
    lines = tuple(line for line in view.screen.lines if line.strip())
    return Refused(Reason.DIALOG_UNRECOGNIZED, f"{why}; nothing more was typed", view.state, lines=lines)
