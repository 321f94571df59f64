from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.agents.claude.nudge import ENDS_WITHIN, harmless, is_same, type_nudge
from coop.agents.composer import TAKEN_WITHIN
from coop.errors import BadRequest
from coop.model.commands import Nudge, Reason, When
from coop.model.ids import PromptId
from coop.model.prompt import Permission
from coop.model.screen import Cursor, ScreenSnapshot
from coop.model.state import AgentState, Failed, Idle, Prompted, Working
from tests.unit.agents.claude.keyboard import Pages, Typed
from tests.unit.agents.claude.screens import composer, dialog_screens

PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
CLEARS = (b"\x15", b"\x0b")


class Agent:
    """A composer, and an agent behind it that takes what is submitted."""

    def __init__(
        self,
        draft: str = "",
        behind: str = "",
        *,
        state: AgentState | None = None,
        loses_enters: int = 0,
        stops: bool = True,
        tells: bool = True,
    ) -> None:
        """`behind`: what stands behind the cursor."""
        self.draft = draft
        self.behind = behind
        self.heard: list[str] = []
        self._state = state or Idle()
        self._loses = loses_enters
        self._stops = stops
        self._tells = tells

    def press(self, data: bytes) -> None:
        match data:
            case b"\x15":
                before, line_break, last = self.draft.rpartition("\n")
                self.draft = before + line_break if last else before
            case b"\x0b":
                first, line_break, after = self.behind.partition("\n")
                self.behind = line_break + after if first else after
            case b"\r" if self._loses:
                self._loses -= 1
            case b"\r":
                self.heard.append(self.draft + self.behind)
                self.draft = self.behind = ""
            case b"\x1b":
                self._state = Idle() if self._stops else self._state
            case _:
                assert data.startswith(PASTE)
                assert data.endswith(PASTED)
                self.draft += data[len(PASTE) : -len(PASTED)].decode()

    @property
    def screen(self) -> ScreenSnapshot:
        *above, line = self.draft.split("\n")
        return replace(composer(self.draft + self.behind), cursor=Cursor(1 + len(above), 2 + len(line)))

    @property
    def state(self) -> AgentState:
        return self._state

    @property
    def is_done(self) -> bool:
        return self._tells and bool(self.heard)


def told(nudge: Nudge, agent: Agent) -> Typed:
    return Typed(type_nudge(nudge), agent)


def test_a_message_is_pasted_whole_and_then_submitted() -> None:
    agent = Agent()
    typing = told(Nudge("fix it\nand test it"), agent)
    assert typing.keys == [PASTE + b"fix it\nand test it" + PASTED, b"\r"]
    assert (agent.heard, typing.refused) == (["fix it\nand test it"], None)


def test_a_draft_is_cleared_line_by_line() -> None:
    """What stands in the last line goes first, then the line itself."""
    agent = Agent("one\ntwo\nthree")
    typing = told(Nudge("word " * 300), agent)
    assert typing.keys[:6] == [b"\x15"] * 5 + [PASTE + b"word " * 300 + PASTED]
    assert next(stroke.clears for stroke in typing.strokes if stroke.clears) == "one\ntwo\nthree"
    assert agent.heard == ["word " * 300]


@pytest.mark.parametrize(("before", "behind"), [("", "do not deploy"), ("do not", " deploy"), ("one\ntw", "o\nthree")])
@pytest.mark.parametrize("message", ["fix it", "word " * 300], ids=["short", "folded"])
def test_a_draft_is_cleared_wherever_the_cursor_stands_in_it(before: str, behind: str, message: str) -> None:
    agent = Agent(before, behind)
    typing = told(Nudge(message), agent)
    assert next(stroke.clears for stroke in typing.strokes if stroke.clears) == before + behind
    assert agent.heard == [message]


@pytest.mark.parametrize(("before", "behind"), [("", "do not deploy"), ("do not", " deploy"), ("", "one\ntwo")])
def test_a_draft_is_kept_wherever_the_cursor_stands_in_it(before: str, behind: str) -> None:
    typing = told(Nudge("fix it", keep_draft=True), Agent(before, behind))
    assert typing.keys == []
    assert (typing.refused is not None and typing.refused.reason) is Reason.DRAFT_PRESENT


class Slow(Agent):
    """Draws what a key does only when it is looked at a third time."""

    def __init__(self, draft: str) -> None:
        super().__init__(draft)
        self._drawn, self._looks = draft, 0

    def press(self, data: bytes) -> None:
        super().press(data)
        self._looks = 0

    @property
    def screen(self) -> ScreenSnapshot:
        self._looks += 1
        self._drawn = self.draft if self._looks > 2 else self._drawn
        return composer(self._drawn)


def test_a_draft_that_goes_away_slowly_is_cleared_all_the_same() -> None:
    agent = Slow("one\ntwo")
    told(Nudge("fix it"), agent)
    assert agent.heard == ["fix it"]


class Glued(Agent):
    """Folds a long paste, behind a draft that cannot be cleared."""

    def press(self, data: bytes) -> None:
        if data.startswith(PASTE):
            self.draft += " [Pasted text #1 +9 lines]"
        elif data not in CLEARS:
            super().press(data)


def test_a_draft_that_cannot_be_cleared_is_not_sent_with_a_long_message() -> None:
    agent = Glued("mine")
    typing = told(Nudge("line\n" * 400), agent)
    assert (typing.refused is not None and typing.refused.reason) is Reason.DRAFT_PRESENT
    assert agent.heard == []


class PutBack(Agent):
    """What was sent before and interrupted comes back into the input, after it was seen to be empty."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    def press(self, data: bytes) -> None:
        if data.startswith(PASTE) and self._times:
            self._times -= 1
            self.draft += "the one before"
        super().press(data)


def test_a_message_that_is_put_back_while_ours_is_typed_is_cleared_once() -> None:
    agent = PutBack(times=1)
    typing = told(Nudge("fix it"), agent)
    assert (typing.refused, agent.heard) == (None, ["fix it"])
    assert [stroke.clears for stroke in typing.strokes if stroke.clears] == ["the one before"]


@pytest.mark.parametrize("nudge", [Nudge("fix it"), Nudge("fix it", keep_draft=True)])
def test_somebody_who_types_on_and_on_is_not_sent_along(nudge: Nudge) -> None:
    agent = PutBack(times=9)
    typing = told(nudge, agent)
    assert typing.refused is not None
    assert (typing.refused.reason, agent.heard) == (Reason.DRAFT_PRESENT, [])
    assert sum(key.startswith(PASTE) for key in typing.keys) == (1 if nudge.keep_draft else 2)


class Overtyped(Agent):
    """Loses the Enter, and somebody types behind the message meanwhile."""

    def press(self, data: bytes) -> None:
        loses = self._loses
        super().press(data)
        if loses > self._loses:
            self.draft += " and more"


def test_what_somebody_typed_behind_the_message_is_not_sent_for_them() -> None:
    agent = Overtyped(loses_enters=1)
    assert told(Nudge("fix it"), agent).keys.count(b"\r") == 1
    assert agent.heard == []


def test_a_draft_can_be_kept() -> None:
    typing = told(Nudge("fix it", keep_draft=True), Agent("mine"))
    assert typing.keys == []
    assert typing.refused is not None
    assert (typing.refused.reason, "'mine'" in typing.refused.detail) == (Reason.DRAFT_PRESENT, True)


class Placeholder(Agent):
    """What stands in the composer is a hint, and no draft."""

    def press(self, data: bytes) -> None:
        if data.startswith(PASTE):
            self.draft = ""
        if data not in CLEARS:
            super().press(data)


class Suggestion(Placeholder):
    """And drawn as one: the cursor on its first character, and the rest faint."""

    @property
    def screen(self) -> ScreenSnapshot:
        return replace(composer(self.draft), cursor=Cursor(1, 2), is_faint_ahead=True)


def test_a_placeholder_that_does_not_go_away_is_no_draft() -> None:
    agent = Placeholder('Try "fix the tests"')
    assert [key for key in told(Nudge("fix it"), agent).keys if key in CLEARS] == list(CLEARS)
    assert agent.heard == ["fix it"]


def test_a_suggestion_is_no_draft_that_could_be_kept() -> None:
    typing = told(Nudge("fix it", keep_draft=True), Suggestion('Try "fix the tests"'))
    assert typing.refused is None
    assert not set(CLEARS) & set(typing.keys)


def test_an_enter_that_was_lost_is_pressed_once_more() -> None:
    agent = Agent(loses_enters=1)
    typing = told(Nudge("fix it"), agent)
    assert typing.keys.count(b"\r") == 2
    assert agent.heard == ["fix it"]


def test_enter_is_pressed_no_third_time() -> None:
    assert told(Nudge("fix it"), Agent(loses_enters=5)).keys.count(b"\r") == 2


def test_a_message_that_is_gone_from_the_composer_needs_no_second_enter() -> None:
    typing = told(Nudge("fix it"), Agent(tells=False))
    assert typing.keys.count(b"\r") == 1
    assert typing.now - 100.0 >= TAKEN_WITHIN


def test_without_a_composer_nothing_is_typed() -> None:
    typing = Typed(type_nudge(Nudge("fix it")), Pages((dialog_screens("2.1.325", "shell-permission")[0], None)))
    assert typing.keys == []
    assert typing.refused is not None
    assert typing.refused.reason is Reason.AGENT_BUSY


class Interrupted(Agent):
    """A dialog comes up as soon as something is typed."""

    @property
    def screen(self) -> ScreenSnapshot:
        return dialog_screens("2.1.325", "shell-permission")[0] if self.draft else super().screen


def test_a_dialog_that_comes_between_message_and_enter_is_not_answered() -> None:
    typing = told(Nudge("fix it"), Interrupted())
    assert b"\r" not in typing.keys
    assert typing.refused is not None
    assert typing.refused.reason is Reason.AGENT_BUSY


class Asked(Agent):
    """The same, but it is told of before it is drawn."""

    @property
    def state(self) -> AgentState:
        return Prompted(Permission(PromptId("p1"), "Bash", {})) if self.draft else super().state


def test_a_dialog_that_is_not_drawn_yet_gets_no_enter_either() -> None:
    typing = told(Nudge("fix it", when=When.QUEUE), Asked())
    assert b"\r" not in typing.keys
    assert typing.refused is not None
    assert typing.refused.reason is Reason.AGENT_BUSY


# When


def test_a_queued_message_is_typed_while_the_agent_works() -> None:
    agent = Agent(state=Working())
    assert told(Nudge("and then that", when=When.QUEUE), agent).keys[-1] == b"\r"
    assert agent.state == Working()


def test_a_working_agent_is_interrupted_first() -> None:
    agent = Agent(state=Working())
    assert told(Nudge("stop that", when=When.INTERRUPT), agent).keys == [b"\x1b", PASTE + b"stop that" + PASTED, b"\r"]


def test_an_idle_agent_is_not_interrupted() -> None:
    assert b"\x1b" not in told(Nudge("go on", when=When.INTERRUPT), Agent()).keys


def test_an_agent_that_does_not_stop_is_told_nothing() -> None:
    typing = told(Nudge("stop that", when=When.INTERRUPT), Agent(state=Working(), stops=False))
    assert typing.keys == [b"\x1b"]
    assert typing.refused is not None
    assert typing.refused.reason is Reason.AGENT_BUSY
    assert typing.now - 100.0 >= ENDS_WITHIN


class Elsewhere(Agent):
    """Its first Esc does something else than to stop it: what the screen shows below the input changes."""

    def __init__(self, below: str, then: str) -> None:
        super().__init__(state=Working())
        self._below = [below, then]

    def press(self, data: bytes) -> None:
        if data == b"\x1b" and len(self._below) > 1:
            self._below.pop(0)
        else:
            super().press(data)

    @property
    def screen(self) -> ScreenSnapshot:
        return composer(self.draft, below=self._below[0])


@pytest.mark.parametrize("below", ["  -- INSERT --", "  Press up to edit queued messages"], ids=["vim", "queued"])
def test_where_one_escape_only_begins_to_stop_it_another_follows(below: str) -> None:
    agent = Elsewhere(below, "  esc to interrupt")
    assert told(Nudge("stop that", when=When.INTERRUPT), agent).keys[:2] == [b"\x1b", b"\x1b"]
    assert agent.heard == ["stop that"]


class Lines(Agent):
    """Enter begins a new line there."""

    def press(self, data: bytes) -> None:
        if data == b"\r":
            self.behind += "\n"
        else:
            super().press(data)


def test_where_enter_begins_a_new_line_the_message_is_taken_out_again() -> None:
    agent = Lines()
    typing = told(Nudge("fix it"), agent)
    assert typing.refused is not None
    assert (typing.refused.reason, agent.draft, agent.heard) == (Reason.UNVERIFIED, "", [])


def test_an_agent_that_failed_needs_no_interrupt() -> None:
    agent = Agent(state=Failed("overloaded"), stops=False)
    assert told(Nudge("again", when=When.INTERRUPT), agent).refused is None
    assert agent.heard == ["again"]


# Harmless


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("!rm -rf /", "\\!rm -rf / "),
        ("/clear", "\\/clear"),
        (" \n/status", " \n\\/status"),
        ("\u200b/status", "\u200b\\/status"),
        ("exit", "\\exit"),
        (" :q! ", " \\:q! "),
        ("fix a/b!", "fix a/b!"),
        ("# note", "# note"),
        ("do not exit", "do not exit"),
        ("see @src/a", "see @src/a "),
        ("@src/a is wrong", "@src/a is wrong"),
        ("fix the route /log", "fix the route /log "),
        ("listen on :80", "listen on :80 "),
        ("ask in #general", "ask in #general "),
        (":80 is taken", ":80 is taken"),
        ("/log", "\\/log"),
        ("a backslash\\", "a backslash\\ "),
        ("/tmp/a.png", "`/tmp/a.png`"),
        (
            "what is on these?\n  /tmp/a b.PNG \n'/tmp/b.jpeg'\n\"/tmp/c.gif\"",
            "what is on these?\n  `/tmp/a b.PNG` \n`'/tmp/b.jpeg'`\n`\"/tmp/c.gif\"`",
        ),
        ("\\/tmp/a\\ b.webp", "`\\/tmp/a\\ b.webp`"),
        ("look at /tmp/a.png", "look at `/tmp/a.png`"),
        ("/tmp/a.png /tmp/b.png", "`/tmp/a.png` `/tmp/b.png`"),
        ("/tmp/a@2x.png", "`/tmp/a@2x.png` "),
        ("/tmp/a.png is wrong", "\\/tmp/a.png is wrong"),
        ("a.png\n./a.png\n/tmp/a.svg\n`/tmp/a.png`", "a.png\n./a.png\n/tmp/a.svg\n`/tmp/a.png`"),
    ],
)
def test_a_message_is_never_a_command(message: str, typed: str) -> None:
    assert harmless(message) == typed
    agent = Agent()
    assert PASTE + typed.encode() + PASTED in told(Nudge(message), agent).keys
    assert is_same(message, agent.heard[0])


def test_a_command_is_typed_as_it_is_for_whoever_asks() -> None:
    agent = Agent()
    told(Nudge("/clear", raw=True), agent)
    assert agent.heard == ["/clear"]


@pytest.mark.parametrize("message", ["", "  ", "\n\n", "\x1b\x07"])
def test_a_message_without_text_is_refused(message: str) -> None:
    with pytest.raises(BadRequest, match="message: expected some text"):
        type_nudge(Nudge(message))


@given(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\x1b\r\n\t\x9b\x00/!"), min_size=1).filter(str.strip)
)
def test_no_message_can_end_its_own_paste_or_press_keys(message: str) -> None:
    try:
        script = type_nudge(Nudge(message))
    except BadRequest:
        return
    for key in Typed(script, Agent()).keys:
        if key.startswith(PASTE):
            text = key[len(PASTE) : -len(PASTED)].decode()
            assert not any((ord(character) < 32 and character != "\n") or 127 <= ord(character) < 160 for character in text)
            assert not text.lstrip().startswith(("!", "/"))


def test_lines_end_as_the_agent_ends_them_and_tabs_are_spaces() -> None:
    agent = Agent()
    told(Nudge("a\r\nb\rc\td\n"), agent)
    assert agent.heard == ["a\nb\nc    d"]


# Heard


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        ("fix it", "fix it"),
        ("a\tb\r\nc\n", "a    b\nc"),
        ("/clear", "\\/clear"),
        ("!ls", "!ls"),
        ("!ls", "\\!ls"),
        ("x\x1by", "xy"),
    ],
)
def test_a_message_is_the_same_but_for_blanks_and_what_made_it_harmless(sent: str, heard: str) -> None:
    assert is_same(sent, heard)


@pytest.mark.parametrize(("sent", "heard"), [("fix it", "fix"), ("fix it", "fix it now"), ("clear", "/clear")])
def test_another_message_is_another(sent: str, heard: str) -> None:
    assert not is_same(sent, heard)
