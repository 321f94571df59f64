"""A pretend Gemini API on loopback: drives the real Gemini CLI offline, one scripted reply at a time."""

from coop.testing.google.api import FakeGoogle, Received
from coop.testing.replies import Block, Break, Drop, Fail, Reply, Say, Think, Turn, Use, say, use

__all__ = ["Block", "Break", "Drop", "Fail", "FakeGoogle", "Received", "Reply", "Say", "Think", "Turn", "Use", "say", "use"]
