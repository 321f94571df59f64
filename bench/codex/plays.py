"""Turns that go their way: words, thoughts, tools, questions, plans."""

import time

from bench.agents.stage import Stage
from bench.codex.prompts import A_PLAN, PERMISSION, PLAN, QUESTION, WORDS, ask, edit, patch, plan_mode, shell
from coop.testing.openai import Reply, Say, Think, say


def name(stage: Stage) -> str:
    return f"made-{len(stage.session.model.calls)}"


def touch(stage: Stage) -> Reply:
    return shell(f"touch {name(stage)}")


def text(stage: Stage) -> None:
    stage.tell("say hello", say("Hello."))


def slow_text(stage: Stage) -> None:
    stage.tell("tell me a story", say("Once upon a time there was a fox. " * 12, delay=0.3, pace=0.1))


def thinking(stage: Stage) -> None:
    stage.tell("think", Reply((Think("Let me see what this is about. " * 6), Say("I thought.")), pace=0.3))


def accepted(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.answer(PERMISSION, accept=True)


def denied(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("never said"))
    stage.answer(PERMISSION, accept=False, ends=True)


def denied_with_words(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Then not."))
    stage.answer(PERMISSION, accept=False, breaks=True, text=WORDS)


def accepted_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.drawn(PERMISSION)
    stage.press("y")


def denied_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("never said"))
    stage.drawn(PERMISSION)
    stage.press("Escape", ends=True)


def slowly_asked(stage: Stage) -> None:
    """The dialog is not held back, since nobody has typed for long."""
    stage.tell("make it", Reply(touch(stage).blocks, delay=1.5), say("Done."))
    stage.answer(PERMISSION, accept=True)


def patched(stage: Stage) -> None:
    stage.tell("write it", patch(stage.session.place.workspace / name(stage)), say("Done."))
    stage.answer(PERMISSION, accept=True)


def edited(stage: Stage) -> None:
    path = stage.session.place.workspace / f"{name(stage)}.txt"
    path.write_text("old line\n")
    stage.tell("edit it", edit(path), say("Done."))
    stage.answer(PERMISSION, accept=True)


def patch_denied(stage: Stage) -> None:
    stage.tell("write it", patch(stage.session.place.workspace / name(stage)), say("never said"))
    stage.answer(PERMISSION, accept=False, ends=True)


def two_tools(stage: Stage) -> None:
    blocks = [block for at in "ab" for block in shell(f"touch {name(stage)}-{at}").blocks]
    stage.tell("make two", Reply(tuple(blocks)), say("Done."))
    stage.answer(PERMISSION, accept=True)
    stage.answer(PERMISSION, accept=True)


def left_alone(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.drawn(PERMISSION)
    time.sleep(3)
    stage.answer(PERMISSION, accept=True)


def long_tool(stage: Stage) -> None:
    stage.tell("work", shell("sleep 1.5", asks=False), say("Done."))


def long_tool_permitted(stage: Stage) -> None:
    stage.tell("work", shell(f"sleep 1.5; touch {name(stage)}"), say("Done."))
    stage.answer(PERMISSION, accept=True)


def question(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("Noted."))
    stage.answer(QUESTION, option=2)


def two_questions(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear")), ("tool", ("Saw", "Drill"))), say("Noted."))
    stage.answer(QUESTION, answers=[{"option": 2}, {"option": 1}])


def question_declined_at_the_keyboard(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("never said"))
    stage.drawn(QUESTION)
    stage.press("Escape", ends=True)


def plan(stage: Stage) -> None:
    """Rejected with words; the other one is accepted."""
    plan_mode(stage.session)
    stage.tell("plan it", A_PLAN, A_PLAN, say("So be it."))
    stage.answer(PLAN, accept=False, breaks=True, text=WORDS)
    stage.answer(PLAN, accept=True, breaks=True)
