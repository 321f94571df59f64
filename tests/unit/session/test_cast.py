import json

from coop.model.commands import Resize
from coop.model.ids import RequestId
from coop.model.records import Asked, Output, Started
from coop.model.screen import Size
from coop.session.cast import cast
from tests.unit.session.recordings import recorded
from tests.unit.session.test_replay import conversation


def test_it_is_an_asciicast_of_version_2() -> None:
    header, *events = map(json.loads, cast(conversation()))
    assert (header["version"], header["width"], header["height"], header["timestamp"]) == (2, 120, 40, 1_800_000_000)
    assert header["coop"]["replayable"] is False
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert {kind for _, kind, _ in events} == {"o", "m"}


def test_states_and_prompts_are_markers() -> None:
    marks = [text for line in list(cast(conversation()))[1:] for _, kind, text in [json.loads(line)] if kind == "m"]
    assert marks == ["waiting_for_input", "permission_prompt  Bash: ls", "permission_prompt  Bash: ls"]


def test_characters_are_whole_and_sizes_are_told() -> None:
    resize = Asked(RequestId(1), Resize(Size(90, 20)))
    told = recorded([(1000.0, Started(1)), (1001.0, Output(b"\xe2\x94")), (1002.0, Output(b"\x80!")), (1003.0, resize)])
    assert [json.loads(line) for line in cast(told)][1:] == [[2.0, "o", "─!"], [3.0, "r", "90x20"]]
