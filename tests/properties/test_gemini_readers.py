"""Gemini's readers never raise, whatever it, or somebody who forges it, writes."""

from hypothesis import given
from hypothesis import strategies as st

from coop.agents.gemini import gemini
from coop.agents.gemini.boxes import find_box
from coop.agents.gemini.report import read_report
from coop.model.readings import Says
from coop.model.screen import Cursor, ScreenSnapshot, Size

GEMINI = gemini()
EVENTS = st.sampled_from(["SessionStart", "BeforeAgent", "BeforeTool", "Notification", "AfterAgent", "Unheard", ""])
WORDS = st.sampled_from(
    [
        *"user gemini info error main exec edit ask_user exit_plan_mode init message result resume success cancelled yesno".split(),
        *("Request cancelled.", "<session_context>", "2026-11-15T07:05:00Z", "[no response text]", '{"code": 401}', ""),
    ]
)
KEYS = st.sampled_from(
    "type id content timestamp text tokens model toolCalls name status $set messages sessionId kind details command filePath "
    "tool_name tool_input questions question options label header multiSelect plan_path prompt prompt_response source error "
    "message role delta session_id transcript_path cwd input output".split()
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=8)
ROWS = st.sampled_from(
    [
        "╭" + "─" * 30 + "╮",
        "╰" + "─" * 30 + "╯",
        "│ ? Shell  touch made      1 of 2 │",
        "│ ● 1. Allow once                 │",
        "│   2. No, suggest changes (esc)  │",
        "│ ●  Done                         │",
        "│ Answer Questions                │",
        "│ ▲",
        "─" * 40,
        " >   Type your message or @path/to/file",
        " ! ls",
        " ⠋ Thinking... (esc to cancel, 2s)",
        "",
    ]
) | st.text(max_size=20)


@given(RECORDS, EVENTS)
def test_records_are_read_whatever_they_hold(record: dict[str, object], event: str) -> None:
    for read in (GEMINI.read_log, GEMINI.read_stdout):
        assert read is not None
        read(record)
    assert GEMINI.read_hook is not None
    GEMINI.read_hook(event, record)


@given(st.lists(ROWS, max_size=14))
def test_screens_are_read_whatever_they_show(rows: list[str]) -> None:
    assert GEMINI.read_screen is not None
    GEMINI.read_screen(ScreenSnapshot(tuple(rows), Size(40, 14), Cursor(0, 0), False, "", 1))
    find_box(rows)


@given(st.text(max_size=40) | st.text(max_size=10).map(lambda folder: f"0;◇  Ready ({folder})"))
def test_titles_are_read_whatever_they_say(title: str) -> None:
    assert all(isinstance(said, Says) for said in read_report(title))
