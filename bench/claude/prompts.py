"""Prompts of every kind, an answer to each, and how the world looks when that answer, and no other, was given."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.agents import answer
from bench.agents.session import Session
from coop.testing.anthropic import Reply, Turn, say, use

WORDS = "please use another name, 好吗"
PERMISSION, QUESTION, PLAN = "permission_prompt", "ask_user", "plan_prompt"
FRUIT, TOOLS = ("Apple", "Pear", "Plum"), ("Hammer", "Saw", "Drill")


def _bash(session: Session, file: Path) -> tuple[Turn, ...]:
    return use("Bash", command=f"touch {file.name}", description="Make a file"), say("Done.")


def _write(session: Session, file: Path) -> tuple[Turn, ...]:
    return use("Write", file_path=str(file), content="made\n"), say("Done.")


def _edit(session: Session, file: Path) -> tuple[Turn, ...]:
    file.with_suffix(".old").write_text("old line\n")
    path = str(file.with_suffix(".old"))
    return use("Read", file_path=path), use("Edit", file_path=path, old_string="old line", new_string="new line"), say("Done.")


def _edited(file: Path) -> bool:
    return file.with_suffix(".old").read_text() == "new line\n"


def ask(*questions: tuple[str, tuple[str, ...]], many: bool = False) -> Reply:
    def one(text: str, labels: tuple[str, ...]) -> dict[str, Any]:
        options = [{"label": label, "description": label.lower()} for label in labels]
        return {"question": f"Which {text}?", "header": text, "multiSelect": many, "options": options}

    return use("AskUserQuestion", questions=[one(*each) for each in questions])


def _asked(*questions: tuple[str, tuple[str, ...]], many: bool = False) -> Callable[[Session, Path], tuple[Turn, ...]]:
    return lambda session, file: (ask(*questions, many=many), say("Noted."))


def _planned(session: Session, file: Path) -> tuple[Turn, ...]:
    """A plan that was accepted has ended the mode."""
    enter = () if session.state()["permission_mode"] == "plan" else (use("EnterPlanMode"),)
    return *enter, use("Write", file_path="$PLANFILE", content="# The plan\n1. Do it\n"), use("ExitPlanMode"), say("So be it.")


def _only(*chosen: str) -> Callable[[Path, str], bool]:
    """All of these are in what the model was told, and no other label is."""
    others = {*FRUIT, *TOOLS} - {*chosen}
    return lambda file, told: all(each in told for each in chosen) and not any(each in told for each in others)


Case = functools.partial(answer.Case, vias=("hook", "keys"))
_ACCEPT, _DENY, _WORDS = {"accept": True}, {"accept": False}, {"accept": False, "text": WORDS}
CASES = (
    Case("Bash, accepted", PERMISSION, _ACCEPT, _bash, lambda file, told: file.exists()),
    Case("Bash, denied", PERMISSION, _DENY, _bash, lambda file, told: not file.exists(), goes_on=False),
    Case("Bash, denied with words", PERMISSION, _WORDS, _bash, lambda file, told: not file.exists() and WORDS in told),
    Case("Write, accepted", PERMISSION, _ACCEPT, _write, lambda file, told: file.exists() and file.read_text() == "made\n"),
    Case("Write, denied", PERMISSION, _DENY, _write, lambda file, told: not file.exists(), goes_on=False),
    Case("Write, denied with words", PERMISSION, _WORDS, _write, lambda file, told: not file.exists() and WORDS in told),
    Case("Edit, accepted", PERMISSION, _ACCEPT, _edit, lambda file, told: _edited(file)),
    Case("Edit, denied", PERMISSION, _DENY, _edit, lambda file, told: not _edited(file), goes_on=False),
    Case("question, by number", QUESTION, {"option": 2}, _asked(("fruit", FRUIT)), _only("Pear")),
    Case("question, last option", QUESTION, {"option": 3}, _asked(("tool", TOOLS)), _only("Drill")),
    Case("question, in words", QUESTION, {"text": WORDS}, _asked(("fruit", FRUIT)), lambda file, told: WORDS in told),
    Case(
        "two questions",
        QUESTION,
        {"answers": [{"option": "Plum"}, {"text": WORDS}]},
        _asked(("fruit", FRUIT), ("tool", TOOLS)),
        lambda file, told: _only("Plum")(file, told) and WORDS in told,
    ),
    Case(
        "several options",
        QUESTION,
        {"answers": [{"options": [1, "Drill"]}]},
        _asked(("tool", TOOLS), many=True),
        lambda file, told: _only("Hammer", "Drill")(file, told) and "Hammer, Drill" in told,
    ),
    Case(
        "plan, accepted",
        PLAN,
        _ACCEPT,
        _planned,
        lambda file, told: "approved" in told.lower() and WORDS not in told,
        where="plan",
    ),
    Case(
        "plan, rejected with words",
        PLAN,
        _WORDS,
        _planned,
        lambda file, told: WORDS in told and "has approved" not in told,
        where="plan",
    ),
)
