"""A pretend OpenAI Responses API on loopback: drives the real Codex offline, one scripted reply at a time."""

from coop.testing.openai.api import FakeOpenAI, Received
from coop.testing.replies import Block, Break, Drop, Fail, Reply, Say, Think, Turn, Use, say, use

__all__ = ["Block", "Break", "Drop", "Fail", "FakeOpenAI", "Received", "Reply", "Say", "Think", "Turn", "Use", "say", "use"]
