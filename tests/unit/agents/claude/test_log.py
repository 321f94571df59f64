import json
from typing import cast

import pytest

from coop.agents.claude.log import read_log
from coop.model.readings import Claim, Decided, Heard, Learned, Reading, Returned, Says, Unheard, Used
from coop.model.state import ErrorKind, Failed, Idle, Working
from tests.support.captured import CAPTURED

LOGS = CAPTURED / "claude/logs"
SAMPLES = cast("dict[str, dict[str, object]]", json.loads((LOGS / "line_samples.json").read_text()))
SILENT = [
    name
    for name in SAMPLES
    if name.partition("/")[0] in ("attachment", "mode", "ai-title", "last-prompt", "file-history-snapshot")
]


def whole(name: str) -> list[Reading]:
    lines = (LOGS / f"{name}.jsonl").read_text().splitlines()
    return [reading for line in lines for reading in read_log(json.loads(line))]


def claims(readings: list[Reading]) -> list[tuple[Claim, bool]]:
    return [(reading.claim, reading.final) for reading in readings if isinstance(reading, Says)]


def sample(name: str) -> list[Reading]:
    return list(read_log(SAMPLES[name]))


def test_a_turn_with_a_tool_is_read_as_what_happened() -> None:
    readings = whole("bash_perm")
    works, rests, ended = (Working(), True), (Idle(), False), (Idle(), True)
    assert claims(readings) == [works, works, works, works, rests, ended]
    assert [reading for reading in readings if isinstance(reading, Heard)] == [Heard("please run")]
    assert [reading for reading in readings if isinstance(reading, Decided)] == [Decided("", accepted=True)]
    assert {reading.version for reading in readings if isinstance(reading, Learned) and reading.version} == {"2.1.197"}
    assert [each.last_message for each in readings if isinstance(each, Learned) and each.last_message] == [
        "I will run it.",
        "All done.",
    ]


def test_every_interrupt_ends_the_turn_for_good() -> None:
    readings = whole("esc_interrupt")
    assert [claim for claim in claims(readings) if claim[0] == Idle()] == [(Idle(), True)] * 3
    assert [each.text for each in readings if isinstance(each, Heard)] == [
        "first prompt",
        "second prompt",
        "third prompt",
        "fourth prompt",
    ]
    (decided,) = [each for each in readings if isinstance(each, Decided)]
    assert decided.accepted is False


def test_a_message_is_told_of_more_than_once_and_counts_once() -> None:
    used = [reading for reading in whole("bash_perm") if isinstance(reading, Used)]
    assert len(used) == 3
    assert len({each.message_id for each in used}) == 2
    assert all(set(each.tokens) >= {"input_tokens", "output_tokens"} for each in used)


def test_a_record_says_when_it_was() -> None:
    stamps = [reading.stamp for reading in whole("bash_perm") if isinstance(reading, Says) and reading.stamp]
    assert len(stamps) == 6
    assert stamps[0] == pytest.approx(1794725278.044)


@pytest.mark.parametrize("name", SILENT)
def test_most_lines_say_nothing(name: str) -> None:
    assert sample(name) == []


@pytest.mark.parametrize(
    "name", ["user/str/meta", "user/text/meta", "system/stop_hook_summary", "system/local_command", "system/compact_boundary"]
)
def test_lines_that_are_nobodys_work_carry_no_state(name: str) -> None:
    assert claims(sample(name)) == []


def test_what_a_subagent_does_carries_no_state() -> None:
    assert read_log({**SAMPLES["user/str"], "isSidechain": True}) == ()


@pytest.mark.parametrize("stop", ["end_turn", "refusal", "max_tokens"])
def test_a_message_that_ends_the_turn_can_be_overruled(stop: str) -> None:
    assert claims(sample(f"assistant/text/stop={stop}")) == [(Idle(), False)]


def test_a_message_that_was_cut_short_says_nothing_of_the_state() -> None:
    assert claims(sample("assistant/text/stop=None")) == []


def test_a_message_coop_cannot_have_come_from_the_model_has_no_model() -> None:
    readings = sample("assistant/text/synthetic/stop=stop_sequence")
    assert claims(readings) == []
    assert not [each for each in readings if isinstance(each, Learned) and each.model]


def test_an_api_error_is_a_failure() -> None:
    ((claim, final),) = claims(sample("assistant/text/apiError/synthetic/stop=stop_sequence"))
    assert (claim, final) == (Failed("Invalid API key · Fix external API key", ErrorKind.UNAUTHORIZED), True)


def test_a_message_into_the_queue_is_heard_as_queued() -> None:
    line = {**SAMPLES["queue-operation"], "operation": "enqueue", "content": "and then that"}
    assert read_log(line) == (Heard("and then that", queued=True),)
    assert sample("queue-operation") == []


@pytest.mark.parametrize(("operation", "said"), [("popAll", (Returned("and then that"),)), ("remove", ())])
def test_a_message_out_of_the_queue_has_come_back_into_the_input(operation: str, said: tuple[Reading, ...]) -> None:
    assert read_log({**SAMPLES["queue-operation"], "operation": operation, "content": "and then that"}) == said


def test_words_that_come_with_a_result_are_heard() -> None:
    assert Heard("also list it") in sample("user/tool_result,text")


def test_the_permission_mode_is_learned() -> None:
    assert sample("permission-mode") == [Learned(permission_mode="default")]


@pytest.mark.parametrize(
    "text", ["<command-name>/clear</command-name>", "<local-command-stdout>x", "<bash-input>ls</bash-input>"]
)
def test_commands_of_the_person_are_no_turn(text: str) -> None:
    assert claims(list(read_log({"type": "user", "message": {"content": text}}))) == []


@pytest.mark.parametrize("stamp", [None, 3, "yesterday", "2026-99-99T00:00:00Z", ""])
def test_a_record_without_a_time_says_none(stamp: object) -> None:
    assert read_log({"type": "system", "subtype": "turn_duration", "timestamp": stamp}) == (Says(Idle()),)


def test_a_prompt_that_a_hook_has_blocked_was_heard_by_nobody() -> None:
    words = "UserPromptSubmit operation blocked by hook:\nnot today\n\nOriginal prompt: hello there"
    blocked = {"type": "system", "subtype": "informational", "content": words, "isMeta": False}
    assert list(read_log(blocked)) == [Unheard(None)]
    assert list(read_log({**blocked, "content": "Something else"})) == []


@pytest.mark.parametrize(
    ("changed", "expected"), [({}, [Unheard(None, returns=True)]), ({"timedOut": True}, []), ({"hookEvent": "Stop"}, [])]
)
def test_a_prompt_that_was_stopped_while_a_hook_held_it_came_back(changed: dict[str, object], expected: list[Reading]) -> None:
    cancelled = {"type": "hook_cancelled", "hookEvent": "UserPromptSubmit", "timedOut": False, **changed}
    assert list(read_log({"type": "attachment", "attachment": cancelled})) == expected
