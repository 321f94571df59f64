import ast
import io
import tarfile

import msgspec
import pytest

from coop.errors import BadRecording
from coop.model.records import ShuttingDown, Started, Tick
from coop.session import bundle
from coop.session.bundle import ABOUT, RECORDING, Report, length, moment, pack, unpack
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


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text",
        pack({}),
        pack({ABOUT: b"{"}),
        pack({ABOUT: REPORT.replace(b"claude", b"\xff")}),
        pack({ABOUT: REPORT})[:40],
    ],
)
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(BadRecording, match="not a report of coop"):
        unpack(data, source="x")


def linked(kind: bytes, name: str, target: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for each in {ABOUT, RECORDING}:
            entry = tarfile.TarInfo(each)
            if each == name:
                entry.type, entry.linkname = kind, target
            archive.addfile(entry)
    return packed.getvalue()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
@pytest.mark.parametrize("name", [ABOUT, RECORDING])
def test_what_is_no_file_is_not_followed(kind: bytes, name: str) -> None:
    for target in (name, ABOUT, "/etc/hostname"):
        with pytest.raises(BadRecording, match=f"x: not a report of coop: {name} is not a file"):
            unpack(linked(kind, name, target), source="x")


def test_the_moment_is_before_the_session_was_ended() -> None:
    told = recorded([(1000.5, Started(1)), (1002.0, Tick()), (1003.0, ShuttingDown(1.0)), (1004.0, Tick())])
    assert moment(told) == 2.0
    assert moment(recorded([])) == 0.0


EVIL = ['" or __import__("os").abort() or "', "working\nimport os", "Working", "", "\x1b[31m"]


@pytest.mark.parametrize("expected", EVIL)
def test_a_report_that_expects_no_state_is_refused(expected: str) -> None:
    about = msgspec.json.encode({"agent": "a", "state": "working", "at": 1.5, "expected": expected})
    with pytest.raises(BadRecording, match="expected") as refused:
        unpack(pack({ABOUT: about}), source="x")
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("words", [*EVIL, '"""\nimport os\n"""', "\\", "{at}", "\x00", "\u202e", 'it\'s "so"'])
def test_nothing_that_a_report_says_is_run(words: str) -> None:
    report = Report(agent=words, state=words, at=1.5, note=words)
    source = bundle.failing_test(report, recording=f"{words}.jsonl", said="working", expected="error", at=1.23456)
    assert source.replace("\n", "").isprintable()
    found = ast.parse(source)
    assert [type(each).__name__ for each in found.body] == [
        "Expr",
        "ImportFrom",
        "ImportFrom",
        "Assign",
        "Assign",
        "FunctionDef",
    ]
    literals = {each.value for each in ast.walk(found) if isinstance(each, ast.Constant)}
    assert {words, f"{words}.jsonl", "error", 1.235} <= literals
    plain = bundle.failing_test(
        Report(agent="a", state="b", at=1.5, note="c"), recording="d", said="working", expected="error", at=1.2
    )
    assert [type(each) for each in ast.walk(ast.parse(plain))] == [type(each) for each in ast.walk(found)]


def test_a_recording_is_as_long_as_its_last_line_is_late() -> None:
    assert length(recorded([])) == 0.0
    assert length(recorded([(1000.5, Started(1)), (1002.0, Tick())])) == 2.0
