"""What Gemini CLI is put through: turns that go their way, and turns that end otherwise."""

import random
import string
import time

from bench.agents.stage import Stage
from bench.agents.subject import WORKING
from bench.gemini.prompts import PERMISSION, PLAN, QUESTION, WORDS, ask, edit, plan_mode, plan_turns, shell, write
from coop.testing import eventually
from coop.testing.google import Break, Fail, Reply, Say, Think, say


def name(stage: Stage) -> str:
    return f"made-{len(stage.session.model.calls)}"


def touch(stage: Stage) -> Reply:
    return shell(f"touch {name(stage)}")


def story(stage: Stage, length: int) -> str:
    """Words that do not come again: what repeats itself is asked about."""
    dice = random.Random(len(stage.session.model.calls))
    words = ("".join(dice.choices(string.ascii_lowercase, k=dice.randint(2, 9))) for _ in range(length // 4))
    return " ".join(words)[:length]


def text(stage: Stage) -> None:
    stage.tell("say hello", say("Hello."))


def slow_text(stage: Stage) -> None:
    stage.tell("tell me a story", say(story(stage, 400), delay=0.3, pace=0.1))


def thinking(stage: Stage) -> None:
    stage.tell("think", Reply((Think("Let me see what this is about. " * 6), Say("I thought.")), pace=0.3))


def accepted(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.answer(PERMISSION, accept=True)


def denied(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("never said"))
    stage.answer(PERMISSION, accept=False, ends=True)


def accepted_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.drawn(PERMISSION)
    stage.press("1")


def denied_at_the_keyboard(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("never said"))
    stage.drawn(PERMISSION)
    stage.press("Escape", ends=True)


def written(stage: Stage) -> None:
    stage.tell("write it", write(stage.session.place.workspace / name(stage)), say("Done."))
    stage.answer(PERMISSION, accept=True)


def edited(stage: Stage) -> None:
    path = stage.session.place.workspace / f"{name(stage)}.txt"
    path.write_text("old line\n")
    stage.tell("edit it", edit(path), say("Done."))
    stage.answer(PERMISSION, accept=True)


def write_denied(stage: Stage) -> None:
    stage.tell("write it", write(stage.session.place.workspace / name(stage)), say("never said"))
    stage.answer(PERMISSION, accept=False, ends=True)


def one_after_the_other(stage: Stage) -> None:
    stage.tell("make two", touch(stage), shell(f"touch {name(stage)}-b"), say("Done."))
    stage.answer(PERMISSION, accept=True)
    stage.answer(PERMISSION, accept=True)


def left_alone(stage: Stage) -> None:
    stage.tell("make it", touch(stage), say("Done."))
    stage.drawn(PERMISSION)
    time.sleep(3)
    stage.answer(PERMISSION, accept=True)


def long_tool(stage: Stage) -> None:
    stage.tell("work", shell(f"sleep 1.5; touch {name(stage)}"), say("Done."))
    stage.answer(PERMISSION, accept=True)


def question(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("Noted."))
    stage.answer(QUESTION, option=2)


def several_options(stage: Stage) -> None:
    stage.tell("ask me", ask(("tool", ("Saw", "Drill", "Hammer")), many=True), say("Noted."))
    stage.answer(QUESTION, answers=[{"options": ["Saw", "Hammer"]}])


def question_declined_at_the_keyboard(stage: Stage) -> None:
    stage.tell("ask me", ask(("fruit", ("Apple", "Pear"))), say("never said"))
    stage.drawn(QUESTION)
    stage.press("Escape", ends=True)


def plan(stage: Stage) -> None:
    """Rejected with words; then accepted."""
    plan_mode(stage.session)
    write_it, leave = plan_turns()
    stage.tell("plan it", write_it, leave, leave, say("So be it."))
    stage.answer(PLAN, accept=False, text=WORDS)
    stage.answer(PLAN, accept=True)


def early_escape(stage: Stage) -> None:
    stage.tell("think about it", say("never said", delay=5))
    eventually(stage.calls)
    stage.press("Escape", ends=True)


def _words(stage: Stage) -> Reply:
    """Which no other scenario has."""
    return say(story(stage, 2000), pace=0.1)


def _until(stage: Stage, words: Reply) -> None:
    (block,) = words.blocks
    assert isinstance(block, Say)
    eventually(lambda: any(block.text[:14] in line for line in stage.onlooker.now.lines), what="words")


def escape_in_the_stream(stage: Stage) -> None:
    words = _words(stage)
    stage.tell("count", words)
    _until(stage, words)
    stage.press("Escape", ends=True)


def escape_in_a_tool(stage: Stage) -> None:
    begun = stage.session.place.workspace / f"{name(stage)}-begun"
    stage.tell("begin", shell(f"touch {begun.name}; sleep 30"), say("never said"))
    stage.answer(PERMISSION, accept=True)
    eventually(begun.exists)
    stage.press("Escape", ends=True)


def queued(stage: Stage) -> None:
    stage.tell("count slowly", say(story(stage, 280), pace=0.4), say("Second answer."))
    stage.session.until(WORKING)
    stage.session.post("agent/nudge", message="and then this", when="queue", wait=0)


def interrupted_for_another(stage: Stage) -> None:
    words = _words(stage)
    stage.tell("count slowly", words, say("Stopped for you."))
    _until(stage, words)
    stage.breaks.append(time.monotonic())  # Esc follows at once
    stage.tell("stop and do this", when="interrupt")


def typed_by_a_person(stage: Stage) -> None:
    stage.session.model.script(say("Hello, person.", delay=0.2))
    stage.session.post("input", text="hello, I type this")
    eventually(lambda: any("hello, I type this" in line for line in stage.onlooker.now.lines[-5:]), what="what was typed")
    time.sleep(0.3)  # Enter right behind it would be a line of a paste
    stage.session.press("Enter")


def loop(stage: Stage) -> None:
    """It asks about what repeats itself, after it has gone on with a word of its own."""
    stage.tell("tell me a story", say("Once upon a time there was a fox. " * 12, pace=0.1), say("I went on."))
    stage.answer(QUESTION, option=1)


def an_error(stage: Stage) -> None:
    stage.tell("try it", Fail(400, message="a bad thing"))


def not_allowed(stage: Stage) -> None:
    stage.tell("try it", Fail(403, message="not allowed"))


def broken_off(stage: Stage) -> None:
    """It tries again by itself."""
    stage.tell("try it", Break(Reply((Say("half a sen"),))), say("And the rest."))


def retry(stage: Stage) -> None:
    stage.tell("try it", Fail(503, message="busy"), say("At last."))


def clear(stage: Stage) -> None:
    stage.tell("/clear", raw=True)


def gate(stage: Stage) -> None:
    """Sent back twice, then let go by the valve."""
    stage.session.http.put("/api/v1/config/stop", json={"mode": "gate", "most_blocks": 2})
    stage.tell("work", say("I stop."), say("I stop again."), say("Really."))
    eventually(lambda: stage.calls() >= 3, within=20)
    stage.session.http.put("/api/v1/config/stop", json={"mode": "allow"})


def at_the_start(stage: Stage) -> None:
    stage.answer("setup_prompt", accept=True, ends=True)
