import pytest

from coop.errors import BadRecording
from coop.model.commands import Answer, ConfigureStop, Keys, Nudge, ResolveStop, Respond, Type, TypeRaw, When
from coop.model.events import Event, Resized
from coop.model.ids import ConnectionId, EventSeq, HookId, RequestId
from coop.model.readings import Learned
from coop.model.records import (
    Asked,
    ChildExited,
    ChildStopped,
    HookAsked,
    Item,
    LogFound,
    LogLine,
    LogTold,
    Output,
    PlanText,
    SizeChanged,
    Tick,
)
from coop.model.screen import XTERM, Size
from coop.model.state import ExitStatus
from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.wire.recording import (
    FORMAT,
    Ended,
    Header,
    Published,
    Received,
    end_line,
    event_line,
    header_line,
    item_line,
    item_of,
    item_text,
    published_line,
    read,
)


def header(**changes: object) -> Header:
    given: dict[str, object] = {
        "coop": "0.1.0",
        "engine": "engine 1",
        "agent": "unknown",
        "holds_hooks": True,
        "session": "work",
        "size": Size(80, 24),
        "scrollback": 100,
        "identity": XTERM,
        "settings": {"epoch": "e"},
        "learned": Learned(session_id="s"),
        "now": 5.0,
        "wall": 1_800_000_000.0,
        "begins": "start",
    }
    return Header(**{**given, **changes})  # type: ignore[arg-type]


HEADER = header_line(header())
ITEMS: tuple[Item, ...] = (
    Output("héllo\x1b[0m".encode()),
    Output(b"half \xe2\x94"),
    HookAsked(HookId(7), "Stop", b'{"a":1}'),
    LogLine(b"\xff\x00", 1.5),
    LogTold(b'{"a": 1}\n{"b": 2}', 1.5),
    LogFound("/tmp/log"),
    PlanText("/tmp/plan.md", "# Plän"),
    SizeChanged(Size(10, 4)),
    ChildExited(ExitStatus(None, 9, "why")),
    ChildStopped(19),
    Tick(),
    Asked(RequestId(1), Type("x", enter=True), ConnectionId(3)),
    Asked(RequestId(2), TypeRaw(b"\x03\xff")),
    Asked(RequestId(3), Keys(("Ctrl-C", "x"))),
    Asked(RequestId(4), Nudge("go", When.STEER, wait=1.5, key="k")),
    Asked(RequestId(5), Respond(answers=(Answer((1, "two")), Answer(text="free")), always=True)),
    Asked(RequestId(6), ConfigureStop(StopConfig(StopMode.GATE, "go on", 3))),
    Asked(RequestId(7), ResolveStop(StopSignal("complete"))),
)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: type(item).__name__)
def test_an_item_is_read_as_it_was_written(item: Item) -> None:
    found = read(HEADER + item_line(item, 12.25), source="x")
    assert found.lines == (Received(12.25, item),)
    assert item_of(type(item), item_text(item)) == item


def test_text_can_be_read_with_any_tool_and_other_bytes_are_base64() -> None:
    assert item_line(Output("héllo".encode()), 1.0) == '[1.0,"output","héllo"]\n'.encode()
    assert item_line(Output(b"\xff"), 1.0) == b'[1.0,"output",{"base64":"/w=="}]\n'


def test_a_header_is_read_as_it_was_written() -> None:
    told = header(begins="middle", screen="\x1bc", dialogs={"screen": {}}, removed={"jwt": 2}, replayable=False)
    assert read(header_line(told), source="x").header == told


def test_events_and_the_end_are_read_as_they_were_written() -> None:
    event, end = Event(EventSeq(1), "e", 2.0, Resized(Size(10, 4))), Ended(3.0, "stopped", "abc", "1.0")
    found = read(HEADER + event_line(event) + end_line(end), source="x")
    told = Published(2.0, 1, {"type": "resize", "cols": 10, "rows": 4, "event_seq": 1, "epoch": "e"})
    assert found.lines == (told, end)
    assert (found.end, found.published()) == (end, (told,))
    assert published_line(told) == event_line(event)


def test_a_torn_last_line_is_passed_over() -> None:
    whole = HEADER + item_line(Tick(), 1.0)
    found = read(whole + item_line(Output(b"text"), 2.0)[:-3], source="x")
    assert found.is_torn
    assert found.lines == (Received(1.0, Tick()),)
    assert found.end is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"nonsense\n", "line 2"),
        (b'[1,"dance",{}]\n', "'dance' is no kind of item"),
        (b'[1,"output",{"base64":"%"}]\n', "line 2"),
        (b'{"a":1}\n', "expected \\[time, kind, body\\]"),
        (b'[1,"started",{"pid":"x"}]\n', "pid"),
        (b'[1,"asked",{"id":1}]\n', "line 2 .*an id and a command"),
        (b'[1,"asked",5]\n', "line 2 .*an id and a command, got 5"),
        (b'[1,"asked",{"id":1,"command":7}]\n', "line 2 .*an id and a command"),
        (b'[1,"asked",{"id":1,"command":{"type":"dance"}}]\n', "line 2 .*an id and a command"),
        (b'[1,"asked",{"id":1,"command":{"type":"resize","size":{"cols":60000,"rows":60000}}}]\n', "line 2 .*60000×60000"),
        (b'[1,"tick",5]\n', "line 2 .*expected an object, got 5"),
        (b'[1,"size_changed",{"size":{"cols":0,"rows":5}}]\n', "line 2 .*0×5"),
        (b'[1,"event",1,{"type":"resize","cols":60000,"rows":2}]\n', "line 2 .*60000×2"),
        (b'[1,"event",1,{"type":"resize","cols":"8"}]\n', "line 2 .*a number of cols"),
        (b"[1" + b"0" * 400 + b',"tick",{}]\n', "line 2"),
        (b"[" * 100_000 + b"\n", "line 2"),
    ],
)
def test_a_line_that_is_none_is_named(line: bytes, says: str) -> None:
    with pytest.raises(BadRecording, match=says):
        read(HEADER + line, source="x")


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"\xff\xfe\n", HEADER[:-1]])
def test_what_has_no_header_is_no_recording(data: bytes) -> None:
    with pytest.raises(BadRecording, match="not a recording of coop"):
        read(data, source="x")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"size": Size(60_000, 60_000)}, "60000×60000: expected 1×1 to 2000×2000"),
        ({"size": Size(0, 24)}, "0×24"),
        ({"scrollback": 10**12}, "scrollback of 1000000000000"),
        ({"scrollback": -1}, "scrollback of -1"),
    ],
)
def test_a_screen_that_nobody_has_room_for_is_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(BadRecording, match=says):
        read(header_line(header(**changes)), source="x")


def test_another_format_is_refused_by_its_number() -> None:
    with pytest.raises(BadRecording, match=f"format {FORMAT + 1}"):
        read(header_line(header(coop_recording=FORMAT + 1)), source="x")


def test_a_path_with_half_a_character_does_not_stop_a_recording() -> None:
    found = read(HEADER + item_line(LogFound("/tmp/\udcff"), 1.0), source="x")
    assert found.lines == (Received(1.0, LogFound("/tmp/�")),)
