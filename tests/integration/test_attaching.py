"""A sample of the campaign `python -m bench.attaching`: what it says of coop must hold in the gate, too."""

import os
import re

import pytest

from bench.attaching.__main__ import page
from bench.attaching.latency import COOP, P50, TMUX, measure
from bench.attaching.screens import Verdict, compare, everything, judged
from tests.oracles import tmux, xterm

SAMPLE = ("claude/2.1.325/edit-permission-resize", "programs/vim-then-shell", "programs/unicode")


@pytest.fixture(autouse=True)
def oracles() -> None:
    reasons = [reason for reason in (xterm.missing(), tmux.missing()) if reason]
    if reasons:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("; ".join(reasons))


def test_there_are_enough_recordings_with_resizes_and_each_judgement_is_of_one() -> None:
    names = [recording.name for recording in everything()]
    assert len(set(names)) == len(names) >= 50
    assert sum(any(not isinstance(step, bytes) for step in recording.steps) for recording in everything()) >= 7
    assert {*judged(), *judged("tmux")} <= set(names)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_recorded_session_looks_the_same_through_coop_and_tmux(name: str) -> None:
    recording = next(recording for recording in everything() if recording.name == name)
    verdict = compare(recording)
    assert not verdict.stands_alone, verdict


def test_a_key_is_echoed_through_both_and_the_page_tells_the_ratio() -> None:
    figures = measure(0, 10)
    assert figures[COOP][P50] > 0 < figures[TMUX][P50]
    verdicts = [
        Verdict("a", 0, (), (), ()),
        Verdict("b", 1, ("text",), (), ("text",)),
        Verdict("c", 1, ("style",), ("style",), ()),
    ]
    text = page(verdicts, [figures], command="x", load="0")
    assert re.search(r"key to echo, coop attach : tmux attach \| [\d.]+×", text)
    assert "| the same screen through both | 1 |" in text
    assert "| coop shows what neither shows, and it is not judged | 1 | ≤ 0 | **missed** |" in text
