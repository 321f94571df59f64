"""A sample of each campaign that `make evidence` runs at full count, and what its judge makes of a coop that is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench.agents.kept import Kept
from bench.agents.subject import IDLE, WORKING
from bench.agents.truth import Dialog, Turn
from bench.agents.verdict import judge
from bench.claude import hooks, page_hooks
from bench.claude.arms import ARMS, EMPTY
from bench.claude.campaigns import ANSWERS, ANSWERS_PAGE, DELIVER, DELIVERY_PAGE, STATES, STATES_PAGE
from bench.claude.subject import VERSIONS, is_same
from tests.oracles import xterm

SAMPLE = (
    ("2.1.197", "Bash, Esc at the keyboard"),
    ("2.1.197", "a queued message"),
    ("2.1.197", "two questions by keys"),
    ("2.1.325", "Bash, accepted"),
    ("2.1.325", "Esc in the stream"),
    ("2.1.325", "two tools at once"),
)
TURN = Turn(
    began=10.0,
    flights=[(10.2, 11.0), (13.5, 14.0)],
    over=14.0,
    rested=14.1,
    ended=15.5,
    dialogs=[Dialog("permission_prompt", 11.1, 13.2)],
)
RIGHT = [(10.0, IDLE), (10.15, WORKING), (11.05, "permission_prompt"), (13.3, WORKING), (14.2, IDLE)]


def test_a_sample_of_states_is_right(agents: Path, tmp_path: Path) -> None:
    if reason := xterm.missing():
        pytest.skip(reason)
    kept = Kept.load(tmp_path, "states")
    STATES.run(kept, [f"{version}|0|{name}" for version, name in SAMPLE])
    items = list(kept.items.values())
    assert [(item["key"], *item["wrong"], *item["false_idles"]) for item in items if item["wrong"] or item["false_idles"]] == []
    assert sum(item["transitions"] for item in items) >= 15
    assert "| Esc in the stream | 2.1.325 |" in STATES_PAGE.write(items, command="a test", at="here")


def test_a_sample_of_nudges_arrives(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "delivery")
    wanted = [f"coop {version} {number}" for at, version in enumerate(VERSIONS) for number in range(at, 25, 4)]
    DELIVER.run(kept, wanted)
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert "| coop | 2.1.325 | 6 | 6 |" in DELIVERY_PAGE.write(items, command="a test", at="here")


def test_a_sample_of_answers_is_right(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "answers")
    ANSWERS.run(kept, [key for key in ANSWERS.keys(60)[::7] if "|plan|" not in key])
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert "| wrong | 0 | ≤ 0 | met |" in ANSWERS_PAGE.write(items, command="a test", at="here")


def test_a_round_of_hooks_is_timed(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "hooks")
    hooks.run(kept, ["2.1.325|1"])
    (item,) = kept.items.values()
    assert set(item["text"]) == set(ARMS)
    assert all(0 < each["to_first"] < each["turn"] for each in item["text"].values())


def test_a_page_of_hooks_has_every_arm() -> None:
    turn = {arm: {"to_first": 10.0 + at, "turn": 100.0, "to_idle": 20.0} for at, arm in enumerate(ARMS)}
    turn[EMPTY] |= {"to_submit": 4.0, "from_submit": 6.1, "to_stop": 5.0, "from_stop": 15.0}
    items = [{"version": version, "text": turn, "tools": turn, "load": 1.0} for version in VERSIONS]
    page = page_hooks.write(items, command="a test", at="here")
    assert all(arm in page for arm in ARMS)
    assert "| Enter to first request | 2.1.325 | 4.0 | 6.1 |" in page


def test_a_coop_that_is_right_is_found_right() -> None:
    verdict = judge(TURN, RIGHT)
    assert (verdict.transitions, verdict.wrong, verdict.false_idles) == (4, [], [])
    assert [round(each) for each in verdict.latencies] == [-50]


@pytest.mark.parametrize("at", [10.5, 12.0, 13.3, 13.7], ids=["in a request", "in a dialog", "in a tool", "before the end"])
def test_an_idle_that_is_false_is_found(at: float) -> None:
    published = sorted([*RIGHT, (at, IDLE), (at + 0.01, WORKING)])
    assert len(judge(TURN, published).false_idles) == 1


def test_an_idle_that_lingers_is_found() -> None:
    assert judge(TURN, [(10.0, IDLE), (10.4, WORKING), *RIGHT[2:]]).false_idles == [
        "still idle 200 ms after the agent had begun"
    ]


def test_a_dialog_that_is_told_late_or_never_is_found() -> None:
    late = judge(TURN, [(10.0, IDLE), (10.15, WORKING), (12.5, "permission_prompt"), (13.3, WORKING), (14.2, IDLE)])
    assert ([round(each) for each in late.latencies], len(late.wrong)) == ([1400], 1)
    never = judge(TURN, [(10.0, IDLE), (10.15, WORKING), (14.2, IDLE)])
    assert "of 1 dialogs 0 were told" in never.wrong


def test_work_that_does_not_end_is_found() -> None:
    assert len(judge(TURN, RIGHT[:-1]).wrong) == 1
    assert judge(replace(TURN, final="error"), RIGHT).wrong


@pytest.mark.parametrize(
    ("sent", "received", "same"),
    [
        ("a\tb  \n", "a    b", True),
        ("e\u0301", "é", True),
        ("!ls", "\\!ls", True),
        ("  /clear", "  \\/clear", True),
        ("hello", "\\hello", False),
        ("hello", "hello hello", False),
        ("two\nlines", "two lines", False),
    ],
)
def test_only_what_is_documented_may_change(sent: str, received: str, *, same: bool) -> None:
    assert is_same(sent, received) is same
