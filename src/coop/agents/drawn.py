"""What a dialog on the screen asks, as a prompt: all that can be told without knowing whose it is."""

from coop.agents.dialogs import Dialog, Signature
from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup

DRAWN = PromptId("screen")
"""Until the session knows which prompt it is."""


def prompt_of(dialog: Dialog, found: Signature | None) -> Prompt:
    # They are told by their places: where the first is out of sight, none can be.
    options = tuple(option.label for option in dialog.options) if dialog.begins else ()
    lines = dialog.lines
    match found:
        case None:
            return Question(DRAWN, dialog.question, options, lines, subtype="unrecognized")
        case Signature(kind="permission", tool=tool):
            return Permission(DRAWN, tool or "", options=options, screen_lines=lines)
        case Signature(kind="plan"):
            return Plan(DRAWN, "", options=options, screen_lines=lines)
        case Signature(kind="setup", subtype=subtype):
            return Setup(DRAWN, subtype or "", " ".join((*dialog.title, dialog.question)), options, lines)
        case _:
            return Question(DRAWN, dialog.question, options, lines, subtype=found.subtype)
