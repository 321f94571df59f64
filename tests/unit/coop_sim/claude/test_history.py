"""What the model is sent of the conversation."""

from coop_sim.claude.history import History, history_of
from coop_sim.claude.log_lines import assistant_line, said_line, synthetic_line, tool_result_line
from coop_sim.shapes import Table


def said(text: str) -> dict[str, object]:
    return assistant_line({"type": "text", "text": text}, message_id="m", model="c", stop_reason="end_turn", counts={})


def test_messages_take_turns() -> None:
    history = History()
    history.ask("do it")
    history.take(said("one"))
    history.take(said("two"))
    history.take(tool_result_line("out", tool_id="t", prompt_id="p", is_error=False, response="", feedback=""))
    history.ask("and then")
    assert [message["role"] for message in history.messages] == ["user", "assistant", "user"]
    assert history.messages[2]["content"] == [
        {"tool_use_id": "t", "type": "tool_result", "content": "out", "is_error": False},
        {"type": "text", "text": "and then"},
    ]


def test_a_prompt_taken_back_was_never_said() -> None:
    history = History()
    history.take(said_line("before"))
    history.ask("never mind")
    history.take_back("never mind")
    assert history.messages == [{"role": "user", "content": [{"type": "text", "text": "before"}]}]
    history.take_back("before")
    assert history.messages == []


def test_what_claude_code_says_itself_is_not_sent_and_a_compaction_forgets() -> None:
    boundary: Table = {"type": "system", "subtype": "compact_boundary"}
    lines = [said_line("old"), synthetic_line("API Error", error={}), boundary]
    assert history_of(lines).messages == []
    assert history_of([*lines, said_line("a summary")]).messages[0]["content"] == [{"type": "text", "text": "a summary"}]
