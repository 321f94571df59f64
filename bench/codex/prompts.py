"""Prompts of every kind, an answer to each, and how the world looks when that answer, and no other, was given."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.agents.answer import Case
from bench.agents.model import Call
from bench.agents.session import Session
from coop.testing import eventually
from coop.testing.openai import Reply, Turn, say, use

WORDS = "please use another name, 好吗"
PERMISSION, QUESTION, PLAN = "permission_prompt", "ask_user", "plan_prompt"
FRUIT, TOOLS = ("Apple", "Pear", "Plum"), ("Hammer", "Saw", "Drill")
A_PLAN = say("I have thought.\n<proposed_plan>\n# The plan\n\n- Do it\n</proposed_plan>\n")
IMPLEMENT = "Implement the plan."


def shell(command: str, *, asks: bool = True, goes_on: bool = False) -> Reply:
    """A command; one that `asks` wants to run outside of the sandbox, one that `goes_on` is not waited for."""
    wants = {"sandbox_permissions": "require_escalated", "justification": "May it run?"} if asks else {}
    return use("exec_command", cmd=command, **wants, **({"yield_time_ms": 300} if goes_on else {}))


def patch(path: Path) -> Reply:
    return use("apply_patch", input=f"*** Begin Patch\n*** Add File: {path}\n+made\n*** End Patch\n")


def edit(path: Path) -> Reply:
    return use("apply_patch", input=f"*** Begin Patch\n*** Update File: {path}\n@@\n-old line\n+new line\n*** End Patch\n")


def ask(*questions: tuple[str, tuple[str, ...]]) -> Reply:
    def one(text: str, labels: tuple[str, ...]) -> dict[str, Any]:
        options = [{"label": label, "description": label.lower()} for label in labels]
        return {"id": text, "question": f"Which {text}?", "header": text, "options": options}

    return use("request_user_input", questions=[one(*each) for each in questions])


def told(calls: Sequence[Call]) -> str:
    """What the tools came to, and what the user said: words that go with a denial are a message of their own."""
    results = [result for call in calls for result in call.asked.results]
    return json.dumps([*results, *(call.asked.said for call in calls)], ensure_ascii=False)


def _shell(session: Session, file: Path) -> tuple[Turn, ...]:
    return shell(f"touch {file.name}"), say("Done.")


def _patch(session: Session, file: Path) -> tuple[Turn, ...]:
    return patch(file), say("Done.")


def _edit(session: Session, file: Path) -> tuple[Turn, ...]:
    file.with_suffix(".old").write_text("old line\n")
    return edit(file.with_suffix(".old")), say("Done.")


def _edited(file: Path) -> bool:
    return file.with_suffix(".old").read_text() == "new line\n"


def _made(file: Path, told_model: str) -> bool:
    return file.exists()


def _patched(file: Path, told_model: str) -> bool:
    return file.exists() and file.read_text() == "made\n"


def _nothing(file: Path, told_model: str) -> bool:
    return not file.exists()


def _words(file: Path, told_model: str) -> bool:
    return not file.exists() and WORDS in told_model


def _asked(*questions: tuple[str, tuple[str, ...]]) -> Callable[[Session, Path], tuple[Turn, ...]]:
    return lambda session, file: (ask(*questions), say("Noted."))


def _only(*chosen: str) -> Callable[[Path, str], bool]:
    """All of these are in what the model was told, and no other label is."""
    others = {*FRUIT, *TOOLS} - {*chosen}
    return lambda file, told: all(each in told for each in chosen) and not any(each in told for each in others)


def plan_mode(session: Session) -> None:
    """By the key that goes through the modes, until the screen says so."""
    for _ in range(4):
        if _plans(session):
            return
        session.press("Shift-Tab")
        with suppress(AssertionError):
            eventually(lambda: _plans(session), within=2)
    raise AssertionError(f"no plan mode:\n{session.screen()}")


def _plans(session: Session) -> bool:
    """Below the input."""
    return "Plan mode (shift+tab" in session.screen()


def _planned(session: Session, file: Path) -> tuple[Turn, ...]:
    return A_PLAN, say("So be it.")


_ACCEPT, _DENY, _DENY_WITH = {"accept": True}, {"accept": False}, {"accept": False, "text": WORDS}


def _permissions() -> list[Case]:
    """Asked on the screen, where a denial ends the turn."""
    return [
        Case("command, accepted", PERMISSION, _ACCEPT, _shell, _made, where="read-only"),
        Case("command, denied", PERMISSION, _DENY, _shell, _nothing, goes_on=False, where="read-only"),
        Case("command, denied with words", PERMISSION, _DENY_WITH, _shell, _words, where="read-only"),
        Case("patch, accepted", PERMISSION, _ACCEPT, _patch, _patched, where="read-only"),
        Case("patch, denied", PERMISSION, _DENY, _patch, _nothing, goes_on=False, where="read-only"),
        Case("patch, denied with words", PERMISSION, _DENY_WITH, _patch, _words, where="read-only"),
        Case("edit, accepted", PERMISSION, _ACCEPT, _edit, lambda file, told: _edited(file), where="read-only"),
        Case("edit, denied", PERMISSION, _DENY, _edit, lambda file, told: not _edited(file), goes_on=False, where="read-only"),
    ]


def _held(name: str, answer: Mapping[str, object], turns: Callable[..., tuple[Turn, ...]], came_true: Any) -> Case:
    """Held by its hook, nothing is drawn, and the turn goes on whatever the answer."""
    return Case(name, PERMISSION, answer, turns, came_true, vias=("hook",), where="held", is_drawn=False)


CASES = (
    *_permissions(),
    Case("question, by number", QUESTION, {"option": 2}, _asked(("fruit", FRUIT)), _only("Pear"), where="read-only"),
    Case("question, last option", QUESTION, {"option": 3}, _asked(("tool", TOOLS)), _only("Drill"), where="read-only"),
    Case(
        "question, in words",
        QUESTION,
        {"text": WORDS},
        _asked(("fruit", FRUIT)),
        lambda file, told: WORDS in told and _only()(file, told),
        where="read-only",
    ),
    Case(
        "question, declined",
        QUESTION,
        _DENY,
        _asked(("fruit", FRUIT)),
        lambda file, told: True,
        goes_on=False,
        where="read-only",
    ),
    Case(
        "two questions",
        QUESTION,
        {"answers": [{"option": "Plum"}, {"text": WORDS}]},
        _asked(("fruit", FRUIT), ("tool", TOOLS)),
        lambda file, told: _only("Plum")(file, told) and WORDS in told,
        where="read-only",
    ),
    Case("plan, accepted", PLAN, _ACCEPT, _planned, lambda file, told: IMPLEMENT in told, where="plan", before=plan_mode),
    Case(
        "plan, rejected",
        PLAN,
        _DENY,
        _planned,
        lambda file, told: IMPLEMENT not in told,
        goes_on=False,
        where="plan",
        before=plan_mode,
    ),
    Case(
        "plan, rejected with words",
        PLAN,
        _DENY_WITH,
        _planned,
        lambda file, told: WORDS in told and IMPLEMENT not in told,
        where="plan",
        before=plan_mode,
    ),
    _held("command, accepted by its hook", _ACCEPT, _shell, _made),
    _held("command, denied by its hook with words", _DENY_WITH, _shell, _words),
    _held("patch, accepted by its hook", _ACCEPT, _patch, _patched),
    _held("patch, denied by its hook with words", _DENY_WITH, _patch, _words),
)
