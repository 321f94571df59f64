import pytest

from coop.errors import BadRecording
from coop.model.records import ShuttingDown, Started, Tick
from coop.session.bundle import ABOUT, RECORDING, Report, moment, pack, unpack
from coop.session.export import file_of
from tests.unit.session.recordings import recorded

REPORT = b'{"agent":"claude","state":"working","at":1.5,"expected":"waiting_for_input"}'


def test_what_is_packed_is_unpacked() -> None:
    told = recorded([(1000.5, Started(1))])
    found = unpack(pack({ABOUT: REPORT, RECORDING: file_of(told)}), source="x")
    assert found.recording == told
    assert found.report == Report(agent="claude", state="working", at=1.5, expected="waiting_for_input")


def test_a_report_may_be_without_a_recording() -> None:
    assert unpack(pack({ABOUT: REPORT}), source="x").recording is None


@pytest.mark.parametrize("data", [b"", b"text", pack({}), pack({ABOUT: b"{"}), pack({ABOUT: REPORT})[:40]])
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(BadRecording, match="not a report of coop"):
        unpack(data, source="x")


def test_the_moment_is_before_the_session_was_ended() -> None:
    told = recorded([(1000.5, Started(1)), (1002.0, Tick()), (1003.0, ShuttingDown(1.0)), (1004.0, Tick())])
    assert moment(told) == 2.0
    assert moment(recorded([])) == 0.0
