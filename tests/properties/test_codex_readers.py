"""Codex's readers never raise either, whatever it, or somebody who forges it, writes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from coop.agents.codex import codex
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import Prompted
from tests.properties.test_readers import RECORDS, VALUES
from tests.support.captured import CAPTURED

CODEX = codex()
SAMPLES = [
    *(json.loads(path.read_text()) for path in sorted((CAPTURED / "codex/hooks").glob("*.json"))),
    *map(json.loads, (CAPTURED / "codex/logs/session.jsonl").read_text().splitlines()),
]
PAYLOADS = [sample["payload"] for sample in SAMPLES if "payload" in sample]
ROWS = st.sampled_from(
    [
        *("", "›", "› draft", "! ls", "  more", "  GPT-5.5 default · /w", "  loading", "• Working (2s • esc to interrupt)"),
        *("  Would you like to run the following command?", "  $ ls", "› 1. Yes, proceed (y)", "  2. No", "  Question 1/2"),
        *("  › 1. A  b", "    2. None of the above", "  Implement this plan?", "> 1. Sign in", "• Queued follow-up inputs"),
        *("  ↳ later", "  1 background terminal running · /ps", "• Reconnecting... 1/2", ">_ OpenAI Codex (v1)", "› 0. x"),
    ]
)
SCREENS = st.builds(
    lambda rows, row, col, visible: ScreenSnapshot(
        tuple(rows), Size(40, max(1, len(rows))), Cursor(row, col, visible), True, "", 1
    ),
    st.lists(ROWS | st.text(max_size=20), max_size=15),
    st.integers(0, 20),
    st.integers(0, 40),
    st.booleans(),
)


@given(event=st.sampled_from(["UserPromptSubmit", "PermissionRequest", "Stop", "x"]), record=RECORDS)
def test_no_record_makes_a_reader_raise(event: str, record: dict[str, object]) -> None:
    assert CODEX.read_hook is not None
    assert CODEX.read_log is not None
    assert CODEX.read_stdout is not None
    CODEX.read_hook(event, record)
    CODEX.read_log(record)
    CODEX.read_stdout(record)


@given(
    payload=st.sampled_from(PAYLOADS),
    kind=st.sampled_from(["event_msg", "response_item", "token_usage_record"]),
    data=st.data(),
)
def test_no_real_line_with_something_strange_in_it_makes_its_reader_raise(
    payload: dict[str, object], kind: str, data: st.DataObject
) -> None:
    assert CODEX.read_log is not None
    key = data.draw(st.sampled_from(sorted(payload)))
    CODEX.read_log({"type": kind, "payload": {**payload, key: data.draw(VALUES)}})


@given(SCREENS)
def test_no_screen_makes_its_reader_raise(screen: ScreenSnapshot) -> None:
    assert CODEX.read_screen is not None
    reading = CODEX.read_screen(screen)
    assert reading == CODEX.read_screen(screen)
    if reading.composer is not None:
        assert reading.says is not None
        assert not isinstance(reading.says.claim, Prompted)
    elif reading.says is not None and isinstance(reading.says.claim, Prompted):
        assert len(reading.says.claim.prompt.options) >= 2
