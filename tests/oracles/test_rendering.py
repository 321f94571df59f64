"""Our screen shows what xterm or tmux shows, or the difference is listed and judged."""

import os

import pytest

from . import verdicts
from .cases import CASES
from .verdicts import Verdict

JUDGED = verdicts.read_judged()


@pytest.fixture(scope="session")
def opinions() -> dict[str, Verdict]:
    """What the three show, by the case's name. The oracles are asked once."""
    if reason := verdicts.missing():
        if os.environ.get("CI") == "true":
            pytest.fail(f"the oracles are missing: {reason}")
        pytest.skip(f"the oracles are missing: {reason}")
    return {verdict.case.name: verdict for verdict in verdicts.ask(CASES)}


def test_there_are_enough_cases_and_each_has_its_own_name() -> None:
    assert len(CASES) >= 120
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_judgement_is_about_a_case() -> None:
    assert {*JUDGED.alone, *JUDGED.followed} <= {case.name for case in CASES}


@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_a_case_agrees_with_xterm_or_tmux_or_is_judged(name: str, opinions: dict[str, Verdict]) -> None:
    verdict = opinions[name]
    if name in JUDGED.alone:
        assert verdict.stands_alone, "listed as standing alone, but xterm or tmux agrees: take it off the list"
    else:
        assert not verdict.stands_alone, f"new: {verdict}"


@pytest.mark.parametrize("name", JUDGED.followed)
def test_a_judged_case_still_follows_tmux_against_xterm(name: str, opinions: dict[str, Verdict]) -> None:
    assert opinions[name].from_xterm
    assert not opinions[name].from_tmux


def test_nine_in_ten_cases_agree(opinions: dict[str, Verdict]) -> None:
    assert verdicts.agreement(tuple(opinions.values())) >= 0.9


def test_the_xterm_asked_knows_emoji_as_wide(opinions: dict[str, Verdict]) -> None:
    # Its addon can load wrongly without a word; then every character beyond the BMP is narrow.
    assert opinions["emoji"].xterm.cursor == (0, 3)
