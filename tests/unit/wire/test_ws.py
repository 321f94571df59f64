import pytest

from coop.errors import BadRequest
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.wire import ws


def snapshot(*lines: str, seq: int, cols: int = 10, generations: tuple[int, ...] = ()) -> ScreenSnapshot:
    return ScreenSnapshot(lines, Size(cols, len(lines)), Cursor(0, 1), False, "", seq, generations)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"type":"input","text":"hello\\r"}', ws.InputMessage),
        ('{"type":"input_raw","data":"YQ=="}', ws.InputRawMessage),
        ('{"type":"keys","keys":["Escape"]}', ws.KeysMessage),
        ('{"type":"resize","cols":200,"rows":50}', ws.ResizeMessage),
        ('{"type":"screen_request"}', ws.ScreenRequestMessage),
        ('{"type":"state_request"}', ws.StateRequestMessage),
        ('{"type":"dump_request"}', ws.DumpRequestMessage),
        ('{"type":"nudge","message":"Fix the bug"}', ws.NudgeMessage),
        ('{"type":"respond","accept":true}', ws.RespondMessage),
        ('{"type":"respond","option":2}', ws.RespondMessage),
        ('{"type":"respond","text":"Use Redis"}', ws.RespondMessage),
        ('{"type":"replay","offset":0}', ws.ReplayMessage),
        ('{"type":"lock","action":"acquire"}', ws.LockMessage),
        ('{"type":"lock","action":"release"}', ws.LockMessage),
        ('{"type":"auth","token":"..."}', ws.AuthMessage),
        ('{"type":"ping"}', ws.PingMessage),
    ],
)
def test_every_message_of_the_seed_is_understood(text: str, kind: type) -> None:
    assert isinstance(ws.decode(text), kind)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "message"),
        ("[]", "object"),
        ("{}", "type"),
        ('{"type":"nope"}', "nope"),
        ('{"type":"keys","keys":[1]}', r"\$\.keys\[0\]"),
        ('{"type":"lock","action":"steal"}', r"\$\.action"),
    ],
)
def test_a_malformed_message_is_refused_by_its_field(text: str, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        ws.decode(text)


def test_output_is_what_the_seed_shows() -> None:
    assert ws.output(b"hi", 1024) == b'{"type":"output","data":"aGk=","offset":1024}'


def test_a_delta_has_only_the_rows_that_changed() -> None:
    delta = ws.screen_delta(snapshot("a", "b", "c", seq=1), snapshot("a", "B", "c", seq=4, generations=(1, 3, 1)))
    assert isinstance(delta, ws.ScreenDeltaMessage)
    assert (delta.base_seq, delta.seq, delta.changed) == (1, 4, {1: "B"})


def test_a_resized_screen_is_sent_whole() -> None:
    assert isinstance(ws.screen_delta(snapshot("a", seq=1), snapshot("a", seq=2, cols=20)), ws.ScreenMessage)


def test_a_reply_without_request_id_has_none() -> None:
    assert ws.encode(ws.PongMessage()) == b'{"type":"pong"}'
    assert ws.encode(ws.PongMessage(7)) == b'{"type":"pong","request_id":7}'


@pytest.mark.parametrize(
    "message",
    [
        ws.dump(b"\x1bchello", 7, Size(80, 24)),
        ws.OutputMessage("YQ==", 3),
        ws.LaggedMessage(offset=1, next_offset=9, dump="YQ=="),
        ws.ExitMessage(None, 9),
        ws.PongMessage(4),
        ws.ErrorMessage("busy", "WRITER_BUSY"),
    ],
)
def test_what_coop_says_can_be_read(message: ws.ToClient) -> None:
    assert ws.read(ws.encode(message)) == message


@pytest.mark.parametrize("text", [b'{"type":"weather"}', b"{", b"\xff", b'{"type":"output"}'])
def test_what_only_a_newer_coop_says_is_passed_over(text: bytes) -> None:
    assert ws.read(text) is None
