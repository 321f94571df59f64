import pytest

from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.session.gate import Gate

GATED = StopConfig(StopMode.GATE, "not yet", most_blocks=3)


def test_a_gate_that_nobody_configured_is_open() -> None:
    assert Gate().may_stop() == (True, "open")


def test_a_closed_gate_sends_the_agent_back_with_a_reason() -> None:
    gate = Gate(GATED)
    assert gate.may_stop() == (False, "not yet")
    assert gate.may_stop() == (False, "not yet")
    assert gate.blocks == 2


@pytest.mark.parametrize("kind", ["complete", "escalate"])
def test_whoever_says_that_it_is_done_opens_the_gate(kind: str) -> None:
    gate = Gate(GATED, StopSignal(kind), blocks=2)
    assert gate.may_stop() == (True, "resolved")
    assert gate.blocks == 0


def test_another_word_opens_nothing() -> None:
    assert Gate(GATED, StopSignal("progress")).may_stop() == (False, "not yet")


def test_an_agent_is_not_sent_back_for_ever() -> None:
    gate = Gate(GATED)
    assert [gate.may_stop()[0] for _ in range(5)] == [False, False, False, True, False]
    assert gate.blocks == 1


def test_the_safety_valve_is_told_as_such() -> None:
    assert Gate(GATED, blocks=3).may_stop() == (True, "safety_valve")


def test_a_new_turn_closes_the_gate_again() -> None:
    gate = Gate(GATED, StopSignal("complete"), blocks=2)
    gate.on_new_turn("another task")
    assert (gate.signal, gate.blocks) == (None, 0)
    assert gate.may_stop() == (False, "not yet")


def test_a_new_configuration_forgets_what_was_said() -> None:
    gate = Gate(GATED, StopSignal("complete"), blocks=2)
    gate.configure(GATED)
    assert (gate.signal, gate.blocks) == (None, 0)


def test_our_own_reason_as_the_next_prompt_is_nothing_new() -> None:
    gate = Gate(StopConfig(StopMode.GATE, reason="Not yet.", most_blocks=2))
    assert not gate.may_stop()[0]
    gate.on_new_turn(" Not yet.\n")
    assert not gate.may_stop()[0]
    gate.on_new_turn("Not yet.")
    assert gate.may_stop() == (True, "safety_valve")
