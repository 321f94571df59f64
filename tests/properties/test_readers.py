"""Readers never raise, whatever an agent, or somebody who forges one, writes."""

import json
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from coop.agents import Agent
from coop.agents.claude import claude
from coop.model.prompt import Prompt
from coop.model.readings import Says, ScreenReading
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import Prompted
from tests.support.captured import CAPTURED

CLAUDE = claude()
EVENTS = ("SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop", "StopFailure", "PreToolUse", "Unheard", "")
WORDS = st.sampled_from(
    [
        *(
            "user",
            "assistant",
            "system",
            "result",
            "init",
            "api_retry",
            "turn_duration",
            "queue-operation",
            "enqueue",
            "tool_result",
        ),
        *("text", "end_turn", "tool_use", "<synthetic>", "AskUserQuestion", "ExitPlanMode", "idle", "busy", "waiting", "shell"),
        *("2026-11-15T06:47:58.123Z", "0001-01-01T00:00:00", "9999-12-31T23:59:59+00:00", "[Request interrupted by user]"),
    ]
)
KEYS = st.sampled_from(
    [
        *(
            "type",
            "subtype",
            "message",
            "content",
            "model",
            "id",
            "usage",
            "stop_reason",
            "text",
            "is_error",
            "timestamp",
            "version",
        ),
        *(
            "tool_name",
            "tool_input",
            "questions",
            "options",
            "label",
            "plan",
            "permission_suggestions",
            "background_tasks",
            "error",
        ),
        *(
            "status",
            "waitingFor",
            "statusUpdatedAt",
            "sessionId",
            "attempt",
            "max_retries",
            "operation",
            "isSidechain",
            "prompt",
        ),
        *(
            "session_id",
            "transcript_path",
            "last_assistant_message",
            "isApiErrorMessage",
            "parent_tool_use_id",
            "source",
            "result",
        ),
    ]
)
# Numbers as JSON has them, but for those that no float can hold: see tests/unit/agents/claude/test_status.py.
SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8) | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
RECORDS = st.dictionaries(KEYS | st.text(max_size=5), VALUES, max_size=8)


@given(event=st.sampled_from(EVENTS) | st.text(max_size=8), record=RECORDS)
def test_no_hook_makes_its_reader_raise(event: str, record: dict[str, object]) -> None:
    assert CLAUDE.read_hook is not None
    assert isinstance(CLAUDE.read_hook(event, record), tuple)


@given(record=RECORDS)
def test_no_line_makes_its_reader_raise(record: dict[str, object]) -> None:
    for read in (CLAUDE.read_log, CLAUDE.read_status, CLAUDE.read_stdout):
        assert read is not None
        assert isinstance(read(record), tuple)


SAMPLES = [
    *(json.loads(path.read_text()) for path in sorted((CAPTURED / "claude/hooks").glob("*.json"))),
    *json.loads((CAPTURED / "claude/logs/line_samples.json").read_text()).values(),
]


@given(sample=st.sampled_from(SAMPLES), data=st.data())
def test_no_real_record_with_something_strange_in_it_makes_a_reader_raise(
    sample: dict[str, object], data: st.DataObject
) -> None:
    record = _spoiled(sample, data)
    event = str(sample.get("hook_event_name", "Stop"))
    assert CLAUDE.read_hook is not None
    CLAUDE.read_hook(event, record)
    for read in (CLAUDE.read_log, CLAUDE.read_status, CLAUDE.read_stdout):
        assert read is not None
        read(record)


def _spoiled(value: dict[str, object], data: st.DataObject) -> dict[str, object]:
    """One value of it, on any level, is something else."""
    key = data.draw(st.sampled_from(sorted(value)))
    inner = value[key]
    goes_deeper = data.draw(st.booleans())
    if goes_deeper and isinstance(inner, dict) and inner:
        return {**value, key: _spoiled(cast("dict[str, object]", inner), data)}
    if goes_deeper and isinstance(inner, list) and inner:
        first, *others = cast("list[object]", inner)
        if isinstance(first, dict) and first:
            return {**value, key: [_spoiled(cast("dict[str, object]", first), data), *others]}
    return {**value, key: data.draw(VALUES)}


@given(
    st.text()
    | st.builds("{};{}".format, st.sampled_from(["0", "2", "7501"]), st.text() | st.just("state=idle:app=claude-code"))
)
def test_no_report_makes_its_reader_raise(command: str) -> None:
    assert CLAUDE.read_report is not None
    assert isinstance(CLAUDE.read_report(command), tuple)


ROWS = st.sampled_from(
    [
        *(
            "",
            "─" * 40,
            "╌" * 40,
            "❯\xa0",
            "❯\xa0draft",
            "  continued",
            " ❯ 1. Yes",
            "   2. No",
            "❯ 1. [ ] Auth",
            "  2. [✔] Search",
        ),
        *(
            " ❯ Yes, I trust this folder",
            "   No, exit",
            "  5. Chat about this",
            " Do you want to proceed?",
            " Bash command",
            "❯",
        ),
        *(
            "✻ Pondering… (3s)",
            "  esc to interrupt",
            "529 Overloaded · Retrying in 1s · attempt 2/10",
            "attempt 3 of 5",
            "❯ 99. x",
        ),
        *(
            "Press up to edit queued messages",
            "Review your answers",
            "❯ 1. Submit answers",
            "Would you like to proceed?",
            "❯ 0. x",
        ),
    ]
)
SCREENS = st.lists(ROWS | st.text(max_size=20), max_size=15).map(
    lambda rows: ScreenSnapshot(tuple(rows), Size(40, max(1, len(rows))), Cursor(0, 0), False, "", 1)
)


def _read(agent: Agent, screen: ScreenSnapshot) -> ScreenReading:
    assert agent.read_screen is not None
    return agent.read_screen(screen)


@given(SCREENS)
def test_no_screen_makes_its_reader_raise(screen: ScreenSnapshot) -> None:
    reading = _read(CLAUDE, screen)
    if reading.composer is not None:
        assert reading.says is not None
        assert not isinstance(reading.says.claim, Prompted)


@given(SCREENS)
def test_what_can_be_chosen_is_on_the_screen(screen: ScreenSnapshot) -> None:
    says: Says | None = _read(CLAUDE, screen).says
    if says is None or not isinstance(says.claim, Prompted):
        return
    prompt: Prompt = says.claim.prompt
    assert len(prompt.options) >= 2
    shown = "\n".join(screen.lines).replace("\xa0", " ")
    assert all(option in shown for option in prompt.options)


@given(SCREENS)
def test_the_same_screen_is_read_the_same(screen: ScreenSnapshot) -> None:
    assert _read(CLAUDE, screen) == _read(claude(), screen)
