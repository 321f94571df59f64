import pytest

from coop.agents.codex.nudge import LONGEST, harmless, is_same, type_nudge
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, When
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Idle, Working
from tests.unit.agents.claude.keyboard import Typed
from tests.unit.agents.codex.screens import composer, exec_dialog, read

BEGIN, END = b"\x1b[200~", b"\x1b[201~"


class Input:
    """An input that takes what is pasted, and is cleared as Codex's is; Enter and Tab take it away."""

    def __init__(self, draft: str = "", *, glyph: str = "›", state: AgentState | None = None, deaf: int = 0) -> None:
        self.draft, self.glyph, self.sent, self._deaf = draft, glyph, "", deaf
        self.state = state or Idle()

    def press(self, data: bytes) -> None:
        if data.startswith(BEGIN):
            self.draft += data.removeprefix(BEGIN).removesuffix(END).decode()
        elif data == b"\x15":
            head, newline, last = self.draft.rpartition("\n")
            self.draft = head if not last else head + newline
        elif data == b"\x1b":
            self.state = Idle()
        elif data == b"\x7f" and not self.draft:
            self.glyph = "›"
        elif data in (b"\r", b"\t") and self._deaf:
            self._deaf -= 1
        elif data in (b"\r", b"\t"):
            self.sent, self.draft = self.draft, ""

    @property
    def screen(self) -> ScreenSnapshot:
        return composer(self.draft, glyph=self.glyph)

    @property
    def is_done(self) -> bool:
        return bool(self.sent)


def typed(nudge: Nudge, terminal: Input) -> Typed:
    return Typed(type_nudge(nudge), terminal, read=read)


def test_a_message_is_pasted_and_entered() -> None:
    result = typed(Nudge("fix it"), terminal := Input())
    assert result.keys == [BEGIN + b"fix it" + END, b"\r"]
    assert (terminal.sent, result.refused) == ("fix it", None)


def test_in_the_queue_it_goes_by_tab() -> None:
    assert typed(Nudge("later", When.QUEUE), Input(state=Working())).keys[-1] == b"\t"


def test_steering_is_enter_in_the_middle_of_a_turn() -> None:
    assert typed(Nudge("now", When.STEER), Input(state=Working())).keys == [BEGIN + b"now" + END, b"\r"]


def test_an_interrupt_comes_first() -> None:
    assert typed(Nudge("stop", When.INTERRUPT), Input(state=Working())).keys[0] == b"\x1b"


def test_an_enter_that_was_lost_is_pressed_again() -> None:
    assert typed(Nudge("fix it"), Input(deaf=1)).keys == [BEGIN + b"fix it" + END, b"\r", b"\r"]


def test_a_draft_of_several_lines_is_cleared() -> None:
    result = typed(Nudge("mine"), terminal := Input("one\n\nthree"))
    assert terminal.sent == "mine"
    assert next(stroke.clears for stroke in result.strokes if stroke.clears) == "one\n\nthree"


def test_a_draft_can_be_kept() -> None:
    result = typed(Nudge("mine", keep_draft=True), Input("one"))
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DRAFT_PRESENT, [])


def test_shell_mode_is_left_first() -> None:
    assert typed(Nudge("mine"), terminal := Input(glyph="!")).refused is None
    assert terminal.glyph == "›"


def test_what_somebody_types_meanwhile_is_not_sent_along() -> None:
    class Shared(Input):
        def press(self, data: bytes) -> None:
            super().press(data)
            if data.startswith(BEGIN):
                self.draft += " and mine"

    result = typed(Nudge("yours"), terminal := Shared())
    assert result.refused is not None
    assert (result.refused.reason, terminal.sent) == (Reason.DRAFT_PRESENT, "")


def test_nothing_is_typed_into_a_dialog() -> None:
    class Asking(Input):
        @property
        def screen(self) -> ScreenSnapshot:
            return exec_dialog("touch made")

    result = typed(Nudge("y"), Asking())
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.AGENT_BUSY, [])


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("!ls", "\\!ls"),
        (" \n!ls", " \n\\!ls"),
        ("/clear", " /clear"),
        (" /clear", " /clear"),
        ("look at @x", "look at @x "),
        ("use $x", "use $x "),
        ("a! /b #c", "a! /b #c"),
        ("plain", "plain"),
    ],
)
def test_what_would_run_something_is_made_harmless(text: str, guarded: str) -> None:
    assert harmless(text) == guarded
    assert is_same(text, guarded.strip())


def test_raw_is_raw() -> None:
    assert typed(Nudge("/clear", raw=True), Input()).keys[0] == BEGIN + b"/clear" + END


def test_tabs_stay_and_control_characters_do_not() -> None:
    assert typed(Nudge("a\tb\x1b[201~\x03"), Input()).keys[0] == BEGIN + b"a\tb[201~" + END


def test_another_message_is_another() -> None:
    assert not is_same("fix it", "fix it not")


@pytest.mark.parametrize("message", ["", "  \n", "\u200b"])
def test_nothing_cannot_be_said(message: str) -> None:
    with pytest.raises(BadRequest):
        type_nudge(Nudge(message))


def test_what_is_too_long_is_refused_before_anything_is_typed() -> None:
    with pytest.raises(MessageTooLong):
        type_nudge(Nudge("x" * (LONGEST + 1)))
