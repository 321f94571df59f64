"""A sample of each campaign that `make evidence` runs at full count."""

from pathlib import Path

import pytest

from bench.agents.kept import Kept
from bench.gemini.campaigns import ANSWERS, ANSWERS_PAGE, DELIVER, DELIVERY_PAGE, STATES, STATES_PAGE
from bench.gemini.look import look
from bench.gemini.subject import HOOKED, VERSION, is_same
from tests.oracles import xterm

SAMPLE = ("command, accepted", "write, denied", "question", "Esc in the stream", "a queued message", "an API error")
"""It takes seconds to start: nudges and states without hooks, answers with them; the campaigns have all with both."""


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
    DELIVER.run(kept, [f"coop {VERSION} {number}" for number in range(0, 24, 2)])
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert f"| coop | {VERSION} | 12 | 12 |" in DELIVERY_PAGE.write(items, command="a test", at="here")


def test_a_sample_of_answers_is_right(agents: Path, tmp_path: Path) -> None:
    kept = Kept.load(tmp_path, "answers")
    ANSWERS.run(kept, [key for key in ANSWERS.keys(1)[::2] if key.startswith(f"{HOOKED}||")])
    items = list(kept.items.values())
    assert [item for item in items if item["verdict"] != "right"] == []
    assert "| wrong | 0 | ≤ 0 | met |" in ANSWERS_PAGE.write(items, command="a test", at="here")


RULE = "─" * 120
INPUT = [RULE, " Shift+Tab to accept edits", " >   Type your message or @path/to/file", " workspace (/directory)"]


@pytest.mark.parametrize(
    ("above", "rests"), [([], True), ([" ⠦ Thinking... (esc to cancel, 2s)"], False), (["  Queued (press ↑ to edit):"], False)]
)
def test_the_onlooker_tells_work_from_rest(above: list[str], *, rests: bool) -> None:
    assert look(0.0, ["✦ Hello.", *above, *INPUT]).rests is rests


def test_the_onlooker_sees_a_dialog_and_what_it_is_about() -> None:
    rows = ["? Shell  touch it", "Allow execution of [Shell]?", "● 1. Allow once", "  3. No, suggest changes (esc)"]
    box = [f"╭{'─' * 118}╮", *(f"│ {row:<116} │" for row in rows), f"╰{'─' * 118}╯"]
    sight = look(0.0, box)
    assert (sight.dialog, sight.about, sight.rests) == ("permission_prompt", "Shell  touch it", False)
    assert look(0.0, [*box, *INPUT]).dialog == ""


@pytest.mark.parametrize(
    ("sent", "received", "same"),
    [
        ("  a\tb  \n", "a    b", True),
        ("/clear", "\\/clear", True),
        ("? why", "\\? why", True),
        ("!ls", "!ls", True),
        ("hello", "\\hello", False),
        ("hello", "hello hello", False),
    ],
)
def test_only_what_is_documented_may_change(sent: str, received: str, *, same: bool) -> None:
    assert is_same(sent, received) is same
