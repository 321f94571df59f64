"""What an agent asks."""

from dataclasses import dataclass

from coop.model.ids import PromptId


@dataclass(frozen=True, slots=True)
class Question:
    """A question read from the screen: its text, and the options offered, in the order shown."""

    id: PromptId
    text: str
    options: tuple[str, ...] = ()
    screen_lines: tuple[str, ...] = ()


Prompt = Question
"""Permissions, plans and set-up dialogs join with the agents that have them."""
