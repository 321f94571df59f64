"""States of an unknown agent, from its screen."""

import tomllib
from collections.abc import Callable

from coop.agents import Agent
from coop.agents.generic import configured
from coop.model.events import StateChanged
from coop.model.records import Output
from coop.model.state import AgentState, AltScreen, Failed, Idle, Starting, Working
from coop.session.core import SETTLE, SETTLE_AT_MOST
from coop.session.effects import Effect, Publish
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay

CONFIG = r"""
[screen]
prompt = '^\$'
error = '^error:'
quiet = 1.0
"""


def shell() -> Agent:
    return configured(tomllib.loads(CONFIG), source="test")


def becomes(state: AgentState) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        return (
            isinstance(effect, Publish) and isinstance(effect.event.fact, StateChanged) and effect.event.fact.current == state
        )

    return claim


def idle(make_play: MakePlay) -> Playbook:
    play = make_play(agent=shell()) >> Output(b"$ ")
    return play.after(1.0) << becomes(Idle())


def test_a_configured_agent_starts_as_starting(make_play: MakePlay) -> None:
    assert make_play(agent=shell()).core.belief.state == Starting()


def test_a_prompt_that_stays_quiet_is_idle(make_play: MakePlay) -> None:
    play = make_play(agent=shell()) >> Output(b"$ ")
    assert play.after(0.9).done()
    assert (play.after(0.1) << becomes(Idle())).done()


def test_work_is_seen_when_the_screen_rests(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"make\r\ncompiling")
    assert play.after(SETTLE / 2).done()
    assert (play.after(SETTLE / 2) << becomes(Working())).done()


def test_a_screen_that_never_rests_is_read_all_the_same(make_play: MakePlay) -> None:
    play = idle(make_play)
    for _ in range(int(SETTLE_AT_MOST / 0.02) + 1):
        play = (play >> Output(b"\r\nline")).after(0.02)
    assert (play << becomes(Working())).done()


def test_a_frame_is_read_where_it_ends(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"\x1b[?2026hmake\r\ncompiling")
    play = play >> Output(b"\x1b[?2026l")
    assert (play << becomes(Working())).done()


def test_output_at_the_prompt_starts_the_grace_anew(make_play: MakePlay) -> None:
    play = make_play(agent=shell()) >> Output(b"$ ")
    play = play.after(0.6) >> Output(b"l")
    assert play.after(0.9).done()
    assert (play.after(0.1) << becomes(Idle())).done()


def test_an_error_is_told_with_its_words(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"make\r\nerror: no rule\r\n")
    play = play.after(SETTLE) << becomes(Working())  # it may go on
    assert ((play >> Output(b"$ ")).after(SETTLE) << becomes(Failed("error: no rule"))).done()


def test_an_editor_on_the_alternate_screen_is_told_apart(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"vi\x1b[?1049h\x1b[H~\r\n~")
    assert play.after(0.49).done()
    assert (play.after(0.01) << becomes(AltScreen())).done()


def test_the_same_state_is_not_announced_twice(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"ls")
    assert play.after(5.0).done()


def test_idle_ends_an_unused_session(make_play: MakePlay) -> None:
    play = make_play(agent=shell(), idle_timeout=30.0) >> Output(b"$ ")
    play = play.after(1.0) << becomes(Idle())
    play = play.after(29.99)
    assert play.done()
    play = play.after(0.01)
    assert len(play.effects) == 1
