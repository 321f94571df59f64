"""Prompts of every kind, an answer to each, and how the world looks when that answer, and no other, was given."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.agents.answer import Case
from bench.agents.session import Session
from bench.gemini.subject import HOOKED
from coop.testing import eventually
from coop.testing.google import Reply, Turn, say, use

WORDS = "please use another name, 好吗"
PERMISSION, QUESTION, PLAN = "permission_prompt", "ask_user", "plan_prompt"
FRUIT, TOOLS = ("Apple", "Pear", "Plum"), ("Hammer", "Saw", "Drill")


def shell(command: str) -> Reply:
    return use("run_shell_command", command=command, description="Make a file")


def write(path: Path) -> Reply:
    return use("write_file", file_path=str(path), content="made\n")


def edit(path: Path) -> Reply:
    """`path` has an old line."""
    return use("replace", file_path=str(path), instruction="new", old_string="old line", new_string="new line")


def ask(*questions: tuple[str, tuple[str, ...]], many: bool = False) -> Reply:
    def one(text: str, labels: tuple[str, ...]) -> dict[str, Any]:
        options = [{"label": label, "description": label.lower()} for label in labels]
        more = {"multiSelect": True} if many else {}
        return {"question": f"Which {text}?", "header": text, "type": "choice", "options": options, **more}

    return use("ask_user", questions=[one(*each) for each in questions])


def plan_turns() -> tuple[Turn, Turn]:
    content = "# The plan\n\n- Do it\n"
    return (
        use("write_file", file_path="$PLANS/plan.md", content=content),
        use("exit_plan_mode", plan_filename="plan.md", plan_path="$PLANS/plan.md"),
    )


def _shell(session: Session, file: Path) -> tuple[Turn, ...]:
    return shell(f"touch {file.name}"), say("Done.")


def _write(session: Session, file: Path) -> tuple[Turn, ...]:
    return write(file), say("Done.")


def _edit(session: Session, file: Path) -> tuple[Turn, ...]:
    file.with_suffix(".old").write_text("old line\n")
    return edit(file.with_suffix(".old")), say("Done.")


def _edited(file: Path) -> bool:
    return file.with_suffix(".old").read_text() == "new line\n"


def _made(file: Path, told: str) -> bool:
    return file.exists()


def _written(file: Path, told: str) -> bool:
    return file.exists() and file.read_text() == "made\n"


def _nothing(file: Path, told: str) -> bool:
    return not file.exists()


def _asked(*questions: tuple[str, tuple[str, ...]], many: bool = False) -> Callable[[Session, Path], tuple[Turn, ...]]:
    return lambda session, file: (ask(*questions, many=many), say("Noted."))


def _only(*chosen: str) -> Callable[[Path, str], bool]:
    """All of these are in what the model was told, and no other label is."""
    others = {*FRUIT, *TOOLS} - {*chosen}
    return lambda file, told: all(each in told for each in chosen) and not any(each in told for each in others)


def plan_mode(session: Session) -> None:
    """By the key that goes through the modes, until the session says so."""
    for _ in range(6):
        if session.state()["permission_mode"] == "plan":
            return
        before = session.state()["permission_mode"]
        session.press("Shift-Tab")
        try:
            eventually(lambda before=before: session.state()["permission_mode"] != before, within=3)  # type: ignore[misc]
        except AssertionError:
            continue
    raise AssertionError(f"no plan mode:\n{session.screen()}")


def _planned(session: Session, file: Path) -> tuple[Turn, ...]:
    return *plan_turns(), say("So be it.")


_ACCEPT, _DENY = {"accept": True}, {"accept": False}
CASES = (
    Case("command, accepted", PERMISSION, _ACCEPT, _shell, _made),
    Case("command, denied", PERMISSION, _DENY, _shell, _nothing, goes_on=False),
    Case("write, accepted", PERMISSION, _ACCEPT, _write, _written),
    Case("write, denied", PERMISSION, _DENY, _write, _nothing, goes_on=False),
    Case("edit, accepted", PERMISSION, _ACCEPT, _edit, lambda file, told: _edited(file)),
    Case("edit, denied", PERMISSION, _DENY, _edit, lambda file, told: not _edited(file), goes_on=False),
    Case("question, by number", QUESTION, {"option": 2}, _asked(("fruit", FRUIT)), _only("Pear")),
    Case("question, last option", QUESTION, {"option": 3}, _asked(("tool", TOOLS)), _only("Drill")),
    Case("question, in words", QUESTION, {"text": WORDS}, _asked(("fruit", FRUIT)), lambda file, told: WORDS in told),
    Case("question, declined", QUESTION, _DENY, _asked(("fruit", FRUIT)), lambda file, told: True, goes_on=False),
    Case(
        "several options",
        QUESTION,
        {"answers": [{"options": [1, "Drill"]}]},
        _asked(("tool", TOOLS), many=True),
        _only("Hammer", "Drill"),
    ),
    Case(
        "two questions",
        QUESTION,
        {"answers": [{"option": "Plum"}, {"text": WORDS}]},
        _asked(("fruit", FRUIT), ("tool", TOOLS)),
        lambda file, told: _only("Plum")(file, told) and WORDS in told,
        only=HOOKED,
    ),
    Case(
        "plan, accepted",
        PLAN,
        _ACCEPT,
        _planned,
        lambda file, told: "approved" in told.lower() and WORDS not in told,
        where="plan",
        before=plan_mode,
    ),
    Case(
        "plan, rejected with words",
        PLAN,
        {"accept": False, "text": WORDS},
        _planned,
        lambda file, told: WORDS in told and "approved" not in told.lower(),
        where="plan",
        before=plan_mode,
    ),
)
