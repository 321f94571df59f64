"""A pretend Anthropic Messages API on loopback: drives the real Claude Code offline, one scripted reply at a time."""

from coop.testing.anthropic.api import FakeAnthropic, Received
from coop.testing.replies import Block, Break, Drop, Fail, Reply, Say, Think, Turn, Use, say, use

__all__ = ["Block", "Break", "Drop", "Fail", "FakeAnthropic", "Received", "Reply", "Say", "Think", "Turn", "Use", "say", "use"]
