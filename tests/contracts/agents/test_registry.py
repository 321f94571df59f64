"""Every agent that is installed can be loaded, and is described without contradiction."""

from collections import Counter

import pytest

from coop.agents import UNKNOWN, Agent, installed_agents
from coop.model.state import Tier
from tests.contracts.agents.samples import agents, loaded, that_have

KNOWN = list(installed_agents())


@pytest.mark.parametrize("name", KNOWN)
def test_it_can_be_loaded_and_has_the_name_of_its_entry_point(name: str) -> None:
    agent = loaded(name)
    assert isinstance(agent, Agent), agent
    assert agent.name == name


def test_names_are_not_those_of_the_settings() -> None:
    assert not {"auto", UNKNOWN.name} & set(KNOWN)


def test_no_two_agents_have_one_command() -> None:
    commands = Counter(command for name in KNOWN if isinstance(agent := loaded(name), Agent) for command in agent.commands)
    assert [command for command, count in commands.items() if count > 1] == []
    assert all(command and "/" not in command for command in commands)


@pytest.mark.parametrize("name", KNOWN)
def test_one_that_is_typed_for_has_been_tried(name: str) -> None:
    agent = loaded(name)
    assert isinstance(agent, Agent)
    assert agent.commands
    assert agent.tested or not (agent.type_nudge or agent.type_answer)


@pytest.mark.parametrize("name", agents())
def test_what_it_can_do_is_not_without_what_it_needs(name: str) -> None:
    agent = agents()[name]
    needs = {
        "type_nudge": agent.read_screen,
        "type_answer": agent.read_screen,
        "reply_to_hook": agent.read_hook,
        "block_stop": agent.read_hook,
        "pipe_events": agent.read_hook,
        "is_same": agent.type_nudge,
    }
    assert [part for part, needed in needs.items() if getattr(agent, part) and needed is None] == []
    assert agent.tiers[-1] is Tier.PROCESS
    assert agent.quiet is None or agent.quiet >= 0


@pytest.mark.parametrize("name", that_have("is_same"))
def test_a_message_is_heard_as_itself_and_as_no_other(name: str) -> None:
    is_same = agents()[name].is_same
    assert is_same is not None
    messages = ["fix it", "fix them", "naïve 日本", "two\nlines", "/clear", "a"]
    assert [sent for sent in messages if not is_same(sent, sent)] == []
    assert [(sent, heard) for sent in messages for heard in messages if sent != heard and is_same(sent, heard)] == []


@pytest.mark.parametrize("name", that_have("block_stop"))
def test_a_blocked_stop_says_why(name: str) -> None:
    block_stop = agents()[name].block_stop
    assert block_stop is not None
    assert b"the tests are red" in block_stop("the tests are red")
