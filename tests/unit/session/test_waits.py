from collections.abc import Iterable

from coop.model.events import Event, Fact, PromptAnswered, SessionEnded, StateChanged
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Permission, Prompt
from coop.model.state import AgentState, ExitStatus, Idle, Prompted, Working
from coop.session.waits import PromptWaits, Waited

FIRST, SECOND = Permission(PromptId("p1"), "Bash"), Permission(PromptId("p2"), "Write")


def event(at: float, fact: Fact) -> Event:
    return Event(EventSeq(1), "e", at, fact)


def becomes(at: float, state: AgentState) -> Event:
    return event(at, StateChanged(Idle(), state, 0))


def asks(at: float, *prompts: Prompt) -> Event:
    return becomes(at, Prompted(prompts[0], prompts if len(prompts) > 1 else ()))


def answered(at: float, prompt: Prompt, by: str = "api", outcome: str | None = "accepted") -> Event:
    return event(at, PromptAnswered(prompt, by, outcome))


def waits(*events: Event) -> list[Waited]:
    told = PromptWaits()

    def receive(each: Event) -> Iterable[Waited]:
        return told.receive(each)

    return [waited for each in events for waited in receive(each)]


def test_a_wait_ends_when_the_prompt_is_gone_not_when_that_is_told() -> None:
    (waited,) = waits(asks(1.0, FIRST), becomes(4.0, Working()), answered(5.0, FIRST))
    assert waited == Waited(FIRST, 1.0, 4.0, "api", "accepted")
    assert waited.seconds == 3.0


def test_several_wait_each_for_itself() -> None:
    events = (asks(1.0, FIRST, SECOND), asks(3.0, SECOND), answered(3.5, FIRST), becomes(9.0, Working()), answered(9.0, SECOND))
    assert [(each.prompt, each.seconds) for each in waits(*events)] == [(FIRST, 2.0), (SECOND, 8.0)]


def test_one_that_is_covered_for_a_while_goes_on_waiting() -> None:
    (waited,) = waits(asks(1.0, FIRST), asks(2.0, SECOND), asks(3.0, FIRST), becomes(6.0, Working()), answered(6.0, FIRST))
    assert (waited.asked_at, waited.gone_at) == (1.0, 6.0)


def test_what_is_asked_until_the_end_has_no_outcome() -> None:
    assert waits(asks(1.0, FIRST), event(5.0, SessionEnded(ExitStatus(0)))) == [Waited(FIRST, 1.0, 5.0)]


def test_an_answer_that_comes_before_the_state_ends_the_wait_too() -> None:
    told = waits(asks(1.0, FIRST), answered(2.0, FIRST, "keyboard", None), becomes(3.0, Working()))
    assert told == [Waited(FIRST, 1.0, 2.0, "keyboard", None)]


def test_an_answer_to_what_was_never_asked_is_no_wait() -> None:
    assert waits(answered(2.0, FIRST)) == []
