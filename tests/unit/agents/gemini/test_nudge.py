import pytest

from coop.agents.gemini.nudge import KNOWN_WITHIN, LONGEST, harmless, is_same
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Nudge, Reason, When
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Idle, Working
from tests.unit.agents.claude.keyboard import Pages, Typed
from tests.unit.agents.gemini.screens import GEMINI, composer, read, shell


class Input:
    """Gemini's input: takes a paste, erases, and is emptied by Enter."""

    def __init__(self, draft: str = "", *, glyph: str = ">", state: AgentState | None = None, loses: int = 0) -> None:
        self.draft = draft
        self.sent: list[str] = []
        self.state: AgentState = state or Idle()
        self._glyph = glyph
        self._loses = loses

    @property
    def is_done(self) -> bool:
        return bool(self.sent)

    def press(self, data: bytes) -> None:
        match data:
            case b"\r" if self._loses:
                self._loses -= 1
            case b"\r":
                self.sent.append(self.draft)
                self.draft = ""
            case b"\x15":
                self.draft = self.draft.rpartition("\n")[0] + ("\n" if "\n" in self.draft else "")
            case b"\x7f":
                self.draft = self.draft[:-1]
            case b"\x1b":
                self.state = Idle()
            case _ if data.startswith(b"\x1b[200~"):
                self.draft += data[6:-6].decode()
            case _:
                pass

    @property
    def screen(self) -> ScreenSnapshot:
        return composer(self.draft, glyph=self._glyph)


def typed(nudge: Nudge, terminal: Input) -> Typed:
    assert GEMINI.type_nudge is not None
    return Typed(GEMINI.type_nudge(nudge), terminal, read=read)


def test_a_message_is_pasted_and_sent_after_a_pause() -> None:
    terminal = Input()
    done = typed(Nudge("hello"), terminal)
    assert terminal.sent == ["hello"]
    paste = next(stroke for stroke in done.strokes if stroke.data.startswith(b"\x1b[200~"))
    assert paste.pause >= 0.3


def test_a_lost_enter_is_pressed_once_more() -> None:
    terminal = Input(loses=1)
    assert typed(Nudge("hello"), terminal).keys.count(b"\r") == 2
    assert terminal.sent == ["hello"]


@pytest.mark.parametrize("draft", ["half a thought", "one\ntwo\nthree"])
def test_a_draft_is_cleared_without_ctrl_c(draft: str) -> None:
    terminal = Input(draft)
    done = typed(Nudge("hello"), terminal)
    assert terminal.sent == ["hello"]
    assert b"\x03" not in done.keys
    assert [stroke.clears for stroke in done.strokes if stroke.clears] == [draft]


def test_a_draft_can_be_kept() -> None:
    done = typed(Nudge("hello", keep_draft=True), Input("mine"))
    assert done.keys == []
    assert done.refused is not None
    assert done.refused.reason is Reason.DRAFT_PRESENT


def test_a_shell_is_left_alone() -> None:
    done = typed(Nudge("rm -rf /"), Input(glyph="!"))
    assert done.keys == []
    assert done.refused is not None


def test_nothing_is_typed_into_a_dialog() -> None:
    assert GEMINI.type_nudge is not None
    done = Typed(GEMINI.type_nudge(Nudge("1")), Pages((shell(), None)), read=read)
    assert done.keys == []
    assert done.refused is not None
    assert done.refused.reason is Reason.AGENT_BUSY


def test_a_busy_agent_is_interrupted_by_one_esc() -> None:
    terminal = Input(state=Working())
    done = typed(Nudge("stop", when=When.INTERRUPT), terminal)
    assert done.keys.count(b"\x1b") == 1
    assert terminal.sent == ["stop"]


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("/clear", "\\/clear"),
        ("?", "\\?"),
        ("!ls", "!ls"),
        ("# x", "# x"),
        ("look at @wor", "look at @wor "),
        ("@a b", "@a b"),
        ("ends with \\", "ends with \\ "),
        ("plain", "plain"),
    ],
)
def test_what_would_do_something_is_made_harmless(text: str, guarded: str) -> None:
    assert harmless(text) == guarded
    assert is_same(text, guarded)


def test_what_is_raw_is_typed_as_it_is_once_it_is_known_as_a_command() -> None:
    terminal = Input()
    done = typed(Nudge("/clear", raw=True), terminal)
    assert terminal.sent == ["/clear"]
    assert sum(stroke.pause for stroke in done.strokes[: len(done.strokes) - 1]) > KNOWN_WITHIN
    typed(Nudge("/", raw=True), Input())


@pytest.mark.parametrize("message", ["", "  \n", "\u200b"])
def test_nothing_is_no_message(message: str) -> None:
    with pytest.raises(BadRequest):
        typed(Nudge(message), Input())


def test_more_than_was_seen_to_arrive_is_refused() -> None:
    with pytest.raises(MessageTooLong):
        typed(Nudge("x" * (LONGEST + 1)), Input())


def test_another_message_is_not_the_same() -> None:
    assert is_same(" hello\r\nthere ", "hello\nthere")
    assert not is_same("hello", "hello there")


def test_steering_is_refused_for_it_would_only_queue() -> None:
    assert GEMINI.type_nudge is not None
    with pytest.raises(BadRequest, match="cannot be steered"):
        GEMINI.type_nudge(Nudge("now", When.STEER))
