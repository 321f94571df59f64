"""Laws: what holds whatever comes."""

import string
from contextlib import suppress
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from coop.agents import UNKNOWN
from coop.errors import BadRequest
from coop.model.commands import Command, Keys, Lease, LeaseAction, Nudge, Resize, Respond, Signal, Type, TypeRaw
from coop.model.ids import ConnectionId, RequestId
from coop.model.records import (
    Asked,
    ChildExited,
    ChildStopped,
    ConnectionGone,
    HookRecord,
    Item,
    Output,
    OutputEnded,
    ShuttingDown,
    Started,
    Tick,
    Written,
)
from coop.model.screen import XTERM, Size
from coop.model.state import Exited, ExitStatus
from coop.session.core import CoreSettings, SessionCore
from coop.session.effects import Abandon, Publish, Reply, Write
from coop.session.sources.fifo import HookPipe
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.keys import encode_keys
from coop.terminal.mending import mend, split_at_soft_resets
from coop.terminal.ring import Ring
from coop.wire import ws

SEQUENCES = (
    b"\x1b[",
    b"\x1b]0;t\x07",
    b"\x1b[31m",
    b"\x1b[!p",
    b"\x1b[g",
    b"\x1b[?1049h",
    b"\x1b[2J",
    b"\x1b[5;3H",
    b"\x1b[?6n",
)
OTHERS = (b"\x7f", b"\xff\xfe", b"\r\n", b"text", b"\x1bP$qm\x1b\\", b"\x1b[2;3r", b"\x1b(0qqq", "漢字👨‍👩‍👧".encode())
INTERESTING = st.sampled_from((*SEQUENCES, *OTHERS))
STREAM = st.lists(INTERESTING | st.binary(max_size=12), max_size=20).map(b"".join)


@given(capacity=st.integers(1, 50), pieces=st.lists(st.binary(max_size=60), max_size=12), offset=st.integers(0, 400))
def test_the_ring_is_a_suffix_of_the_stream(capacity: int, pieces: list[bytes], offset: int) -> None:
    ring, stream = Ring(capacity), b"".join(pieces)
    for piece in pieces:
        ring.append(piece)
    assert ring.total == len(stream)
    assert ring.since(0).data == stream[-capacity:][: len(stream)]
    chunk = ring.since(offset)
    assert chunk.data == stream[chunk.offset :]
    assert chunk.offset >= min(offset, len(stream)) or chunk.offset == ring.start


@given(stream=STREAM, cuts=st.lists(st.integers(0, 200), max_size=8))
def test_chunking_never_changes_a_screen(stream: bytes, cuts: list[int]) -> None:
    whole, cut = GhosttyScreen(Size(20, 5), XTERM), GhosttyScreen(Size(20, 5), XTERM)
    whole.feed(stream)
    edges = [0, *sorted(min(edge, len(stream)) for edge in cuts), len(stream)]
    for start, end in pairwise(edges):
        cut.feed(stream[start:end])
    assert whole.cells() == cut.cells()
    assert whole.modes() == cut.modes()
    assert whole.snapshot().cursor == cut.snapshot().cursor


@given(stream=STREAM)
def test_a_dump_makes_the_same_screen(stream: bytes) -> None:
    screen = GhosttyScreen(Size(20, 5), XTERM)
    screen.feed(stream)
    again = GhosttyScreen(Size(20, 5), XTERM)
    again.feed(screen.dump())
    assert again.snapshot().lines == screen.snapshot().lines
    assert again.snapshot().cursor == screen.snapshot().cursor
    assert again.snapshot().alt_screen == screen.snapshot().alt_screen
    assert again.modes() == screen.modes()


PENS = (b"\x1b[31m", b"\x1b[1;4m", b"\x1b[44m", b"\x1b[0m", b"\x1b(0qq", b"\x1b(B", b"\x0e", b"\x0f", b"\x1b)0", b"\x1b[>5u")
PLACES = (
    b"\x1b7",
    b"\x1b8",
    b"\x1b[?6h",
    b"\x1b[?6l",
    b"\x1b[2;4r",
    b"\x1b[?69h\x1b[3;9s",
    b"\x1b[5;3H",
    b"\x1b[3;20H",
    b"\x1b[4h",
)
SCREENS = (b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?47h", b"\x1b[?1047h", b"\x1b[!p", b"\x1bc", b"\x1b[?2026h", b"\x1b[?7l")
WORDS = (b"0123456789abcdefghij", b"\r\n", b"text", b"\x1b[2J", b"\x1b[K", b"\x1b", b"\x1b[")
ASCII = st.text(string.printable, max_size=6).map(str.encode)
DRAWING = st.lists(st.sampled_from((*PENS, *PLACES, *SCREENS, *WORDS)) | ASCII, max_size=25).map(b"".join)
AT_REST = b"\x18\x1b\\"
"""After it no sequence is under way."""


def behaviour(screen: GhosttyScreen) -> tuple[object, ...]:
    shown = screen.snapshot()
    return (
        *(screen.cells(), screen.modes(), screen.kitty_flags(), screen.pen_is_plain(), screen.take_replies()),
        *(shown.cursor, shown.alt_screen, screen.in_synchronized_update),
    )


@given(before=DRAWING, after=DRAWING)
def test_a_dump_changes_nothing(before: bytes, after: bytes) -> None:
    dumped, other = (GhosttyScreen(Size(20, 5), XTERM) for _ in range(2))
    for part in (before, after):
        dumped.feed(part)
        other.feed(part)
        dumped.dump()
        assert behaviour(dumped) == behaviour(other)


@given(stream=DRAWING, goes_back=st.sampled_from([b"\x1b[?1049l\x1b[?6l", b"\x1b8\x1b[?6l"]))
def test_a_dump_knows_what_the_program_goes_back_to(stream: bytes, goes_back: bytes) -> None:
    """The main screen beneath, and the cursor where it was saved; but for one at a line's very end."""
    screen, again = (GhosttyScreen(Size(20, 5), XTERM) for _ in range(2))
    screen.feed(stream + AT_REST)
    again.feed(screen.dump())
    assume(goes_back.startswith(b"\x1b8") or screen.on_alternate_screen())
    screen.feed(goes_back)
    again.feed(goes_back)
    assume(screen.snapshot().cursor.col < 18)
    screen.feed(b"Z")
    again.feed(b"Z")
    assert again.snapshot().lines == screen.snapshot().lines
    assert again.ansi_lines() == screen.ansi_lines()


@given(
    stream=st.lists(st.sampled_from([b"\x1b", b"[", b"!", b"p", b"g", b"x", b"\x7f"]), max_size=12).map(b"".join),
    cut=st.integers(0, 12),
)
def test_mending_does_not_depend_on_where_the_stream_is_cut(stream: bytes, cut: int) -> None:
    first, second = stream[:cut], stream[cut:]
    mended = mend(b"", first)
    assert mended + mend(mended, second) == mend(b"", stream)
    resets = len(split_at_soft_resets(b"", first)) + len(split_at_soft_resets(first, second)) - 2
    assert resets == stream.count(b"\x1b[!p")


@given(st.text(max_size=12) | st.text(string.ascii_letters + "-+", max_size=12))
def test_a_key_is_encoded_or_refused(name: str) -> None:
    with suppress(BadRequest):
        assert encode_keys([name], frozenset())


@given(st.text() | st.binary())
def test_a_message_is_read_or_refused(text: str | bytes) -> None:
    with suppress(BadRequest):
        ws.decode(text)


@given(lines=st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=8), cut=st.integers(0, 60))
def test_a_torn_hook_line_is_never_lost(lines: list[bytes], cut: int) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    records: list[HookRecord] = []
    pipe = HookPipe.__new__(HookPipe)
    pipe._post, pipe._partial = records.append, bytearray()
    pipe.feed(stream[:cut])
    pipe.feed(stream[cut:])
    assert [record.line for record in records] == [line for line in lines if line.strip()]


COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.builds(Type, st.text(max_size=5), st.booleans()),
    st.builds(TypeRaw, st.binary(max_size=5)),
    st.builds(Keys, st.lists(st.sampled_from(["Enter", "Up", "Nope"]), max_size=3).map(tuple)),
    st.builds(Resize, st.builds(Size, st.integers(1, 50), st.integers(1, 20)), st.booleans()),
    st.builds(Signal, st.integers(1, 30)),
    st.builds(Nudge, st.text(max_size=3)),
    st.builds(Respond, st.none() | st.booleans()),
    st.builds(Lease, st.sampled_from(LeaseAction)),
)
CONNECTIONS = st.none() | st.integers(1, 3).map(ConnectionId)
STATUS = st.builds(ExitStatus, st.integers(0, 255))
STEPS = st.lists(
    st.one_of(
        st.tuples(COMMANDS, CONNECTIONS),
        st.builds(Output, STREAM),
        st.builds(ConnectionGone, st.integers(1, 3).map(ConnectionId)),
        st.builds(ChildExited, STATUS),
        st.builds(ChildStopped, st.integers(17, 23)),
        st.just(OutputEnded()),
        st.builds(ShuttingDown, st.sampled_from([0.0, 10.0])),
        st.builds(HookRecord, st.binary(max_size=5)),
        st.just(Tick()),
        st.just("drain"),
        st.just("wait"),
    ),
    max_size=30,
)


@given(steps=STEPS, started=st.booleans())
def test_every_command_is_answered_once_writes_never_mix_and_nothing_follows_the_end(
    steps: list[object], started: bool
) -> None:
    screen = GhosttyScreen(Size(20, 5), XTERM)
    core = SessionCore(CoreSettings("e", 1.0), agent=UNKNOWN, screen=screen, ring=Ring(256), now=0.0)
    run = _Run(core)
    if started:
        run.post(Started(7))
    for step in steps:
        run.step(step)
    run.post(ChildExited(ExitStatus(0)))
    run.post(OutputEnded())
    run.settle()
    assert run.answered == run.asked
    assert isinstance(core.belief.state, Exited) or not started
    assert run.events == sorted(set(run.events))


class _Run:
    """Performs what the core wants, and watches the laws."""

    def __init__(self, core: SessionCore) -> None:
        self.core, self.now = core, 0.0
        self.asked: list[int] = []
        self.replies: list[int] = []
        self.events: list[int] = []
        self.unwritten = 0

    @property
    def answered(self) -> list[int]:
        return sorted(self.replies)

    def step(self, step: object) -> None:
        match step:
            case "drain":
                if self.unwritten:
                    self.post(Written(self.unwritten))
            case "wait":
                self.now += 0.7
                self.post(Tick())
            case (command, connection):
                self.asked.append(len(self.asked) + 1)
                self.post(Asked(RequestId(len(self.asked)), command, connection))  # type: ignore[arg-type]
            case _:
                self.post(step)  # type: ignore[arg-type]

    def post(self, item: Item) -> None:
        was_over = self.core.ended is not None
        if isinstance(item, Written):
            self.unwritten = 0
        for effect in self.core.receive(item, self.now):
            match effect:
                case Write(data):
                    assert not self.unwritten, "a write began before the last one was taken"
                    self.unwritten = len(data)
                case Abandon():
                    self.unwritten = 0
                case Reply(request):
                    self.replies.append(request)
                case Publish(event):
                    assert not was_over, f"published after the end: {event}"
                    self.events.append(event.seq)
                case _:
                    assert not was_over, f"done after the end: {effect}"

    def settle(self) -> None:
        for _ in range(100):
            deadline = self.core.deadline()
            if deadline is None:
                return
            self.now = max(self.now, deadline)
            self.post(Tick())
        raise AssertionError("the core never settles")
