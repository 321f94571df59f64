import msgspec
import pytest

from coop.agents import UNKNOWN
from coop.errors import ConfigError
from coop.model.commands import Keys, Nudge, Type, TypeRaw
from coop.model.ids import RequestId
from coop.model.readings import Learned
from coop.model.records import Asked, Item, LogLine, LogTold, Output, Started, Tick
from coop.model.screen import XTERM, Size
from coop.session.export import file_of, redacted
from coop.session.redaction import Secrets
from coop.session.replay import agent_of, replay
from coop.terminal.ghostty import GhosttyScreen
from coop.wire.recording import Published, Received, Recorded, read
from tests.unit.session.recordings import recorded
from tests.unit.session.test_redaction import KEY
from tests.unit.session.test_replay import conversation

SECRET = KEY[7:]


def asked(number: int, command: object) -> Asked:
    return Asked(RequestId(number), command)  # type: ignore[arg-type]


ITEMS: tuple[Item, ...] = (
    Started(1),
    Output(f"use {KEY[:10]}".encode()),
    Output(KEY[10:].encode()),
    asked(1, Type(KEY[:15])),
    asked(2, TypeRaw(KEY[15:20].encode())),
    *(asked(3 + n, Keys((each,))) for n, each in enumerate(KEY[20:])),
    asked(90, Nudge(f"take {KEY}")),
    LogLine(f'{{"text": "{KEY}"}}'.encode(), 1.0),
    LogTold(f'{{}}\n{{"text": "{KEY}"}}'.encode(), 1.0),
    Tick(),
)


def test_a_secret_is_gone_wherever_it_was_and_however_it_was_cut() -> None:
    told = recorded([(1000.0 + n, item) for n, item in enumerate(ITEMS)])
    assert SECRET.encode() in file_of(told) or KEY.encode() in file_of(told)
    exported = redacted(told, Secrets.of(), agent_of)
    again = file_of(exported.recorded)
    for n in range(len(SECRET) - 5):
        assert SECRET[n : n + 5].encode() not in again
    assert exported.recorded.header.removed == {"anthropic_key": 5}
    assert not exported.left


def test_a_secret_typed_as_keys_of_one_request_is_gone_and_named_keys_stay() -> None:
    typed = asked(1, Keys((*KEY, "Enter", "Ctrl-C", "é", "\n")))
    told = recorded([(1000.0, Started(1)), (1001.0, typed), (1002.0, asked(2, Keys((KEY,)))), (1003.0, asked(3, Keys(())))])
    exported = redacted(told, Secrets.of(), agent_of).recorded
    masked = [line.item.command for line in exported.lines if isinstance(line, Received) and isinstance(line.item, Asked)]
    hidden = f"sk-ant-{'x' * len(SECRET)}"
    assert masked == [Keys((*hidden, "Enter", "Ctrl-C", "é", "\n")), Keys((hidden,)), Keys(())]


@pytest.mark.parametrize("keys", [("Enter",), ("Enter", "y"), ("Shift-Tab",), ()])
def test_a_recording_with_any_keys_in_it_can_be_exported(keys: tuple[str, ...]) -> None:
    told = recorded([(1000.0, Started(1)), (1001.0, asked(1, Keys(keys))), (1002.0, Tick())])
    assert redacted(told, Secrets.of(), agent_of).recorded.lines == told.lines


def test_an_export_is_a_recording_that_gives_the_same_events() -> None:
    exported = redacted(conversation(), Secrets.of(), agent_of).recorded
    assert (exported.header.replayable, exported.header.removed) == (True, {})
    again = read(file_of(exported), source="x")
    assert replay(again, agent_of(again.header)).is_same
    assert again.published() == conversation().published()


def test_one_that_tells_something_else_now_says_so_and_keeps_no_words() -> None:
    exported = redacted(conversation(), Secrets.of(["SessionStart"]), agent_of).recorded
    assert exported.header.replayable is False
    [asks, *_] = [each for each in exported.published() if each.message.get("prompt")]
    assert set(asks.message["prompt"]) <= {"type", "id", "subtype", "tool"}


def test_a_recording_that_breaks_off_can_be_exported() -> None:
    told = conversation()
    cut = told.lines[: max(n for n, line in enumerate(told.lines) if isinstance(line, Received)) + 1]
    assert redacted(Recorded(told.header, cut), Secrets.of(), agent_of).recorded.header.replayable


def test_what_begins_in_the_middle_keeps_its_screen() -> None:
    header = msgspec.structs.replace(recorded([]).header, begins="middle", screen=f"\x1bc{KEY}")
    resize = Published(1000.5, 3, {"type": "resize", "cols": 20, "rows": 5, "event_seq": 3, "epoch": "e"})
    told = Recorded(header, (Received(1000.0, Output(b" more")), resize))
    exported = redacted(told, Secrets.of(), lambda _: UNKNOWN).recorded
    assert exported.header.replayable is False
    assert KEY[7:] not in (exported.header.screen or "")
    again = replay(exported, UNKNOWN)
    assert (again.screen.size.cols, again.screen.size.rows) == (20, 5)


def test_what_is_drawn_piece_by_piece_is_told() -> None:
    """Its end is drawn first, and its beginning is too short for a key: nothing that is read in order can find it."""
    drawn = f"\x1b[1;11H{KEY[10:]}\x1b[1;1H{KEY[:10]}".encode()
    told = recorded([(1000.0, Started(1)), (1001.0, LogLine(KEY.encode(), 1.0)), (1002.0, Output(drawn)), (1003.0, Tick())])
    assert redacted(told, Secrets.of(), agent_of).left == {"anthropic_key"}


def test_a_known_secret_in_rows_behind_a_gutter_is_gone() -> None:
    shown = f"{KEY}\r\n> {KEY[:24]}\r\n> {KEY[24:]}\r\n".encode()
    exported = redacted(recorded([(1000.0, Started(1)), (1002.0, Output(shown)), (1003.0, Tick())]), Secrets.of(), agent_of)
    assert KEY[24:].encode() not in file_of(exported.recorded)
    assert (exported.left, exported.recorded.header.removed) == (frozenset(), {"anthropic_key": 2})


def test_the_rest_of_a_known_secret_behind_a_gutter_is_told_where_it_was_drawn_first() -> None:
    drawn = f"{KEY}\x1b[3;1H> {KEY[24:]}\x1b[2;1H> {KEY[:24]}".encode()
    told = recorded([(1000.0, Started(1)), (1002.0, Output(drawn)), (1003.0, Tick())])
    assert redacted(told, Secrets.of(), agent_of).left == {"anthropic_key"}


@pytest.mark.parametrize("move", ["\x1b[1;17H", "\x1b[C\x1b[D", "\x1b[10C\x1b[10D"])
def test_a_cursor_that_moves_within_a_secret_hides_nothing(move: str) -> None:
    told = recorded([(1000.0, Started(1)), (1002.0, Output(f"{KEY[:16]}{move}{KEY[16:]}".encode())), (1003.0, Tick())])
    exported = redacted(told, Secrets.of(), agent_of)
    assert KEY[16:].encode() not in file_of(exported.recorded)
    assert (exported.left, exported.recorded.header.removed) == (frozenset(), {"anthropic_key": 1})


@pytest.mark.parametrize("cut", [10, 22])
def test_a_secret_that_was_only_ever_drawn_end_first_is_told(cut: int) -> None:
    """Whether its beginning is long enough to be masked by itself or not."""
    drawn = f"\x1b[1;{cut + 1}H{KEY[cut:]}\x1b[1;1H{KEY[:cut]}".encode()
    told = recorded([(1000.0, Started(1)), (1002.0, Output(drawn)), (1003.0, Tick())])
    assert redacted(told, Secrets.of(), agent_of).left == {"anthropic_key"}


def test_a_secret_over_two_rows_is_gone_from_the_screen_with_which_a_recording_begins() -> None:
    screen = GhosttyScreen(Size(20, 5), XTERM, scrollback=10)
    screen.feed(f"my {KEY}".encode())
    header = msgspec.structs.replace(
        recorded([], size=Size(20, 5)).header, begins="middle", screen=screen.dump().decode(), learned=Learned()
    )
    exported = redacted(Recorded(header, ()), Secrets.of(), lambda _: UNKNOWN)
    shown = "".join(replay(exported.recorded, UNKNOWN).screen.lines)
    assert (shown, exported.left) == (f"my sk-ant-{'x' * len(SECRET)}", frozenset())


def test_an_export_can_be_exported_again() -> None:
    told = recorded([(1000.0, Started(1)), (1001.0, Output(KEY.encode())), (1002.0, Tick())])
    again = redacted(redacted(told, Secrets.of(), agent_of).recorded, Secrets.of(), agent_of)
    assert not again.left


@pytest.mark.parametrize("pattern", [".", "engine", "[a-z]+"])
def test_a_pattern_that_takes_the_header_apart_is_refused(pattern: str) -> None:
    told = recorded([(1000.0, Started(1)), (1001.0, Output(b"hello"))])
    with pytest.raises(ConfigError, match="make it narrower"):
        redacted(told, Secrets.of([pattern]), agent_of)


def test_a_pattern_that_takes_the_recording_apart_is_refused() -> None:
    told = recorded([(1000.0, Started(1)), (1001.0, asked(1, Nudge("x")))])
    with pytest.raises(ConfigError, match="matches more than text"):
        redacted(told, Secrets.of(["message"]), agent_of)
