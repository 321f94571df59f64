"""Readers never raise, whatever an agent, or somebody who forges one, writes; and what they say is well-formed."""

import math
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coop.agents import Agent
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup
from coop.model.readings import Asks, Decided, Heard, Learned, Reading, Says, ScreenReading, Stops, TakenBack, Used, Waits
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working
from tests.contracts.agents.samples import agents, dialog, read, records, screens, that_have, words

Record = dict[str, object]
MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def values(name: str) -> st.SearchStrategy[object]:
    keys, texts = (st.sampled_from(each) | st.text(max_size=5) for each in words(name))
    numbers = st.integers(-(10**20), 10**20) | st.floats()
    scalars: st.SearchStrategy[object] = st.none() | st.booleans() | numbers | texts
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=8
    )


def any_record(name: str) -> st.SearchStrategy[Record]:
    keys = st.sampled_from(words(name)[0]) | st.text(max_size=5)
    return st.dictionaries(keys, values(name), max_size=8)


def spoiled(value: Record, name: str, data: st.DataObject) -> Record:
    """One value of it, on any level, is something else."""
    if not value:
        return value
    key = data.draw(st.sampled_from(sorted(value)))
    inner, goes_deeper = value[key], data.draw(st.booleans())
    if goes_deeper and isinstance(inner, dict) and inner:
        return {**value, key: spoiled(cast("Record", inner), name, data)}
    if goes_deeper and isinstance(inner, list) and inner and isinstance(inner[0], dict):
        first, *others = cast("list[Record]", inner)
        return {**value, key: [spoiled(first, name, data), *others]}
    return {**value, key: data.draw(values(name))}


def say(agent: Agent, event: str, record: Record) -> list[Reading]:
    """What all of its readers make of one record."""
    said = list(agent.read_hook(event, record)) if agent.read_hook is not None else []
    for reader in (agent.read_log, agent.read_status, agent.read_stdout):
        said += reader(record) if reader is not None else ()
    return said


def check(reading: Reading) -> None:
    match reading:
        case Says(claim, final, stamp):
            assert isinstance(claim, Working | Idle | Prompted | Failed | AltScreen | Waits)
            assert isinstance(final, bool)
            assert stamp is None or math.isfinite(stamp)
            if isinstance(claim, Prompted):
                check_prompt(claim.prompt)
        case Asks(prompt):
            check_prompt(prompt)
        case Heard(text, queued, stamp):
            assert isinstance(text, str)
            assert isinstance(queued, bool)
            assert stamp is None or math.isfinite(stamp)
        case Stops(background, again):
            assert background >= 0
            assert isinstance(again, bool)
        case Decided(tool, accepted):
            assert isinstance(tool, str)
            assert accepted in (True, False, None)
        case Used(message_id, tokens):
            assert isinstance(message_id, str)
            assert all(isinstance(count, int) for count in tokens.values())
        case Learned():
            told = (getattr(reading, field) for field in Learned.__dataclass_fields__)
            assert all(each is None or isinstance(each, str) for each in told)
        case TakenBack():
            pass


def check_prompt(prompt: Prompt) -> None:
    assert isinstance(prompt, Permission | Question | Plan | Setup)
    assert all(isinstance(text, str) for text in (*prompt.options, *prompt.screen_lines))
    if isinstance(prompt, Permission):
        assert isinstance(prompt.tool, str)


JSON = [
    name for name in agents() if any(getattr(agents()[name], f"read_{tier}") for tier in ("hook", "log", "status", "stdout"))
]


@pytest.mark.parametrize("name", JSON)
@MANY
@given(data=st.data())
def test_any_record_is_read(name: str, data: st.DataObject) -> None:
    events = st.sampled_from(sorted({event for event, _ in records(name)} or {"Stop"})) | st.text(max_size=8)
    for reading in say(agents()[name], data.draw(events), data.draw(any_record(name))):
        check(reading)


@pytest.mark.parametrize("name", [name for name in JSON if records(name)])
def test_every_recorded_record_is_read(name: str) -> None:
    said = [reading for event, record in records(name) for reading in say(agents()[name], event, record)]
    assert said, "its readers understand nothing of what was recorded"
    for reading in said:
        check(reading)


@pytest.mark.parametrize("name", [name for name in JSON if records(name)])
@MANY
@given(data=st.data())
def test_a_real_record_with_something_strange_in_it_is_read(name: str, data: st.DataObject) -> None:
    event, record = data.draw(st.sampled_from(records(name)))
    for reading in say(agents()[name], event, spoiled(record, name, data)):
        check(reading)


REPORTS = st.builds(
    "{};{}".format,
    st.sampled_from(["0", "2", "7501", "133", "9;4", ""]),
    st.text(max_size=20)
    | st.builds(
        "state={}:app={}:msg={}".format,
        st.sampled_from("idle working blocked error clear".split()),
        st.text(max_size=5),
        st.text(max_size=5),
    )
    | st.sampled_from(["A", "C", "D;1", "D;²", "1;50", "0", "✳ x", "◐ x", "⠂ x"]),
)


@pytest.mark.parametrize("name", that_have("read_report"))
@MANY
@given(command=st.text(max_size=30) | REPORTS)
def test_any_report_is_read(name: str, command: str) -> None:
    reader: Callable[[str], object] | None = agents()[name].read_report
    assert reader is not None
    for reading in cast("tuple[Reading, ...]", reader(command)):
        check(reading)


def pictures(name: str) -> st.SearchStrategy[ScreenSnapshot]:
    """Rows of its screens in any order, and any text between them; the cursor anywhere."""
    rows = sorted({line for screen in screens(name) for line in screen.lines})
    line = st.sampled_from(rows or [""]) | st.text(max_size=20)
    return st.builds(
        lambda lines, row, alt: ScreenSnapshot(
            tuple(lines), Size(80, len(lines)), Cursor(min(row, len(lines) - 1), 0), alt, "", 1
        ),
        st.lists(line, min_size=1, max_size=24),
        st.integers(0, 30),
        st.booleans(),
    )


@pytest.mark.parametrize("name", that_have("read_screen"))
@FEW
@given(data=st.data())
def test_any_screen_is_read(name: str, data: st.DataObject) -> None:
    screen = data.draw(pictures(name))
    check_reading(screen, read(name, screen))
    assert read(name, screen) == read(name, screen)


@pytest.mark.parametrize("name", that_have("read_screen"))
def test_every_recorded_screen_is_read(name: str) -> None:
    readings = [(screen, read(name, screen)) for screen in screens(name)]
    for screen, reading in readings:
        check_reading(screen, reading)
    if readings:
        assert any(reading.says is not None for _, reading in readings)


def check_reading(screen: ScreenSnapshot, reading: ScreenReading) -> None:
    """What can be chosen is on the screen, and where there is a dialog there is no input."""
    if reading.says is not None:
        check(reading.says)
    prompt = dialog(reading)
    if prompt is None:
        return
    assert reading.composer is None
    shown = bare("".join(screen.lines))
    assert [option for option in prompt.options if bare(option) not in shown] == []


def bare(text: str) -> str:
    """Without what wraps or frames a line."""
    return "".join(character for character in text if not character.isspace() and character not in "│┃|")
