"""A sample of the campaign that `python -m bench.repl` runs at full count, and what its judge makes of a coop that is wrong."""

from dataclasses import replace

import pytest

from bench.repl.__main__ import conduct
from bench.repl.commands import COUNT, KINDS, commands
from bench.repl.page import write
from bench.repl.truth import ERROR, IDLE, WORKING, Run, judge

RUN = Run(told=9.9, began=10.0, ended=12.0, failed=False, left=14.5)
RIGHT = [(9.0, IDLE), (10.05, WORKING), (12.3, IDLE)]


@pytest.mark.parametrize("repl", KINDS)
def test_a_sample_of_states_is_right(repl: str) -> None:
    items = conduct(repl, 10)
    mistakes = [item for item in items if item["wrong"] or item["false_idles"] or item["false_receipts"]]
    assert mistakes == []
    assert {item["failed"] for item in items} == {True, False}
    assert f"| {repl}: false idles | 0 | 0 | met |" in write({repl: items}, command="a test", at="here")


@pytest.mark.parametrize("repl", KINDS)
def test_every_kind_of_command_is_given_often(repl: str) -> None:
    given = commands(repl)
    assert len(given) == COUNT
    assert given == commands(repl)
    assert all(sum(command.kind == kind for command in given) >= 15 for kind in KINDS[repl])


def test_a_coop_that_is_right_is_found_right() -> None:
    verdict = judge(RUN, RIGHT, quiet=0.3)
    assert (verdict.wrong, verdict.false_idles, round(verdict.latency or -1)) == ([], [], 0)


def test_an_error_is_told_at_once_and_stays() -> None:
    failed = replace(RUN, failed=True)
    assert judge(failed, [*RIGHT[:2], (12.02, ERROR)], quiet=0.3).wrong == []
    assert judge(failed, RIGHT, quiet=0.3).wrong == ["waiting_for_input instead of error, 2.50 s after it ended"]
    assert judge(RUN, [*RIGHT[:2], (12.02, ERROR)], quiet=0.3).wrong


@pytest.mark.parametrize("state", [IDLE, ERROR])
def test_a_blink_of_rest_in_a_command_is_a_false_idle(state: str) -> None:
    assert len(judge(RUN, [*RIGHT[:2], (11.0, state), (11.01, WORKING), RIGHT[2]], quiet=0.3).false_idles) == 1
    assert len(judge(RUN, [(9.0, state), (10.2, WORKING), RIGHT[2]], quiet=0.3).false_idles) == 1


def test_work_that_does_not_end_is_wrong() -> None:
    assert judge(RUN, RIGHT[:2], quiet=0.3).wrong == ["working instead of waiting_for_input, 2.50 s after it ended"]
    assert judge(RUN, [*RIGHT, (13.4, WORKING), (13.5, IDLE)], quiet=0.3).wrong


def test_between_the_lines_of_a_command_it_waits() -> None:
    lines = replace(RUN, more=[(5.0, 8.0)])
    assert judge(lines, [(4.0, IDLE), *RIGHT[1:]], quiet=0.3).wrong == []
    assert judge(lines, [(4.0, WORKING), (9.0, IDLE), *RIGHT[1:]], quiet=0.3).wrong


def test_another_state_is_wrong_while_it_works() -> None:
    assert judge(RUN, [(9.0, IDLE), (10.05, "unknown"), (12.3, IDLE)], quiet=0.3).wrong
