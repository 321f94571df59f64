"""A sample of each campaign that `make evidence` runs at full count."""

from pathlib import Path

import pytest

from bench.agents.kept import Kept
from bench.codex.campaigns import ANSWERS, ANSWERS_PAGE, DELIVER, DELIVERY_PAGE, STATES, STATES_PAGE
from bench.codex.look import look
from bench.codex.subject import VERSION, is_same
from tests.oracles import xterm

SAMPLE = (
    "command, accepted",
    "command, denied with words",
    "question",
    "Esc in the stream",
    "a background terminal",
    "an API error",
)


def test_a_sample_of_states_is_right(agents: Path, tmp_path: Path) -> None:
    if reason := xterm.missing():
        pytest.skip(reason)
    kept = Kept.load(tmp_path, "states")
    STATES.run(kept, [f"{VERSION}|0|{name}" for name in SAMPLE])
    items = list(kept.items.values())
    assert [(item["key"], *item["wrong"], *item["false_idles"]) for item in items if item["wrong"] or item["false_idles"]] == []
    assert sum(item["transitions"] for item in items) >= 15
    assert f"| Esc in the stream | {VERSION} |" in STATES_PAGE.write(items, command="a test", at="here")


def test_a_sample_of_nudges_arrives(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "delivery")
    DELIVER.run(kept, [f"coop {VERSION} {number}" for number in range(0, 25, 2)])
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert f"| coop | {VERSION} | 13 | 13 |" in DELIVERY_PAGE.write(items, command="a test", at="here")


def test_a_sample_of_answers_is_right(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "answers")
    ANSWERS.run(kept, [key for key in ANSWERS.keys(1)[::3] if "|plan|" not in key])
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert "| wrong | 0 | ≤ 0 | met |" in ANSWERS_PAGE.write(items, command="a test", at="here")


INPUT = ["› Ask Codex to do anything", "", "  GPT-5.5 default · /work · Pretend session", "  ? for shortcuts"]


@pytest.mark.parametrize(
    ("above", "rests"),
    [([], True), (["• Working (2s • esc to interrupt)"], False), (["  1 background terminal running · /ps to view"], False)],
)
def test_the_onlooker_tells_work_from_rest(above: list[str], *, rests: bool) -> None:
    assert look(0.0, [*above, *INPUT]).rests is rests


def test_the_onlooker_sees_a_dialog_and_what_it_is_about() -> None:
    rows = ["Would you like to run the following command?", "  $ touch it", "› 1. Yes, proceed (y)"]
    sight = look(0.0, [*rows, "  Press enter to confirm or esc to cancel"])
    assert (sight.dialog, sight.about, sight.rests) == ("permission_prompt", "touch it", False)
    assert look(0.0, [*rows, *INPUT]).dialog == ""


@pytest.mark.parametrize(
    ("sent", "received", "same"),
    [
        ("  a\tb  \n", "a\tb", True),
        ("!ls", "\\!ls", True),
        ("/clear", "/clear", True),
        ("/clear", "\\/clear", False),
        ("hello", "\\hello", False),
        ("hello", "hello hello", False),
    ],
)
def test_only_what_is_documented_may_change(sent: str, received: str, *, same: bool) -> None:
    assert is_same(sent, received) is same
