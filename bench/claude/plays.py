"""Turns that go their way: words, thoughts, tools, questions, plans."""

import time

from bench.agents.stage import Stage
from bench.claude.prompts import PERMISSION, PLAN, QUESTION, WORDS, ask
from coop.testing.anthropic import Reply, Say, Think, Use, say, use


def name(stage: Stage) -> str:
    return f"made-{len(stage.session.model.calls)}"


def bash(stage: Stage, command: str = "", **more: object) -> Reply:
    return use("Bash", command=command or f"touch {name(stage)}", description="Make a file", **more)


def write(stage: Stage) -> Reply:
    return use("Write", file_path=str(stage.session.place.workspace / name(stage)), content="x\n")


def text(stage: Stage) -> None:
    stage.tell("say hello", say("Hello."))


def slow_text(stage: Stage) -> None:
    stage.tell("tell me a story", say("Once upon a time there was a fox. " * 12, delay=0.3, pace=0.1))


def thinking(stage: Stage) -> None:
    stage.tell("think", Reply((Think("Let me see what this is about. " * 6), Say("I thought.")), pace=0.1))


def bash_accepted(stage: Stage) -> None:
    stage.tell("make it", bash(stage), say("Done."))
    stage.answer(PERMISSION, accept=True)


def bash_denied(stage: Stage) -> None:
    stage.tell("make it", bash(stage), say("never said"))
    stage.answer(PERMISSION, accept=False, ends=True)


def bash_accepted_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", bash(stage), say("Done."))
    stage.drawn(PERMISSION)
    stage.press("1")


def bash_denied_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", bash(stage), say("never said"))
    stage.drawn(PERMISSION)
    stage.press("Escape", ends=True)


def write_accepted_by_keys(stage: Stage) -> None:
    stage.tell("write it", write(stage), say("Done."))
    stage.answer(PERMISSION, accept=True, by_keys=True)


def write_denied_with_words(stage: Stage) -> None:
    stage.tell("write it", write(stage), say("Then not."))
    stage.answer(PERMISSION, accept=False, text=WORDS)


def edit_accepted(stage: Stage) -> None:
    path = stage.session.place.workspace / f"{name(stage)}.txt"
    path.write_text("old line\n")
    edit = use("Edit", file_path=str(path), old_string="old line", new_string="new line")
    stage.tell("edit it", use("Read", file_path=str(path)), edit, say("Done."))
    stage.answer(PERMISSION, accept=True)


def two_tools(stage: Stage) -> None:
    uses = tuple(Use("Bash", {"command": f"touch {name(stage)}-{at}", "description": "x"}) for at in "ab")
    stage.tell("make two", Reply(uses), say("Done."))
    stage.answer(PERMISSION, accept=True)
    stage.answer(PERMISSION, accept=True)


def two_reads(stage: Stage) -> None:
    """Both are asked for at once; only one dialog is on the screen."""
    outside = stage.session.place.home / name(stage)
    outside.mkdir()
    for each in ("one", "two"):
        (outside / each).write_text("x\n")
    stage.tell(
        "read both", Reply(tuple(Use("Read", {"file_path": str(outside / each)}) for each in ("one", "two"))), say("Read.")
    )
    stage.answer(PERMISSION, accept=True, stays=True)
    stage.answer(PERMISSION, accept=True)


def left_alone(stage: Stage) -> None:
    stage.tell("make it", bash(stage), say("Done."))
    stage.drawn(PERMISSION)
    time.sleep(3)
    stage.answer(PERMISSION, accept=True)


def subagent(stage: Stage) -> None:
    task = use("Agent", description="a task", prompt="make the file", subagent_type="general-purpose")
    stage.tell("delegate it", task, bash(stage), say("Made.", delay=0.3), say("All done.", delay=0.3))
    stage.answer(PERMISSION, accept=True)


def long_tool(stage: Stage) -> None:
    stage.tell("work", bash(stage, f"sleep 1.5; touch {name(stage)}"), say("Done."))
    stage.answer(PERMISSION, accept=True)


def question(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("Noted."))
    stage.answer(QUESTION, option=2)


def two_questions_by_keys(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear")), ("tool", ("Saw", "Drill"))), say("Noted."))
    stage.answer(QUESTION, answers=[{"option": 2}, {"option": 1}], by_keys=True)


def question_declined_at_the_keyboard(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("never said"))
    stage.drawn(QUESTION)
    stage.press("Escape", ends=True)


def plan(stage: Stage) -> None:
    """Rejected with words; the other one is accepted."""
    one, other = (use("Write", file_path="$PLANFILE", content=f"# The {which}plan\n1. Do it\n") for which in ("", "other "))
    leave = use("ExitPlanMode")
    stage.tell("plan it", use("EnterPlanMode"), one, leave, other, leave, say("So be it."))
    stage.answer(PLAN, accept=False, text=WORDS)
    stage.answer(PLAN, accept=True)
