"""Turns that end otherwise: cut short, queued, steered, failed; and what is not a turn at all."""

import time

from bench.agents.stage import Stage
from bench.agents.subject import WORKING
from bench.codex.plays import name
from bench.codex.prompts import shell
from coop.testing import eventually
from coop.testing.openai import Break, Drop, Fail, Reply, Say, say


def early_escape(stage: Stage) -> None:
    stage.tell("think about it", say("never said", delay=3))
    eventually(stage.calls)
    stage.press("Escape", ends=True)


def _words(stage: Stage) -> Reply:
    """Which no other scenario has."""
    return say(f"word{name(stage)[5:]} " * 400, pace=0.1)


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
    """What runs may be ended by it, or go on in the background: the file it makes at its end tells."""
    begun, over = (stage.session.place.workspace / f"{name(stage)}-{what}" for what in ("begun", "over"))
    stage.tell("begin", shell(f"touch {begun.name}; sleep 2.5; touch {over.name}", asks=False), say("never said"))
    eventually(begun.exists)
    eventually(lambda: any("esc to interrupt" in line for line in stage.onlooker.now.lines), what="work")
    at = stage.session.press("Escape")
    try:
        eventually(over.exists, within=4)
        stage.held = time.monotonic()
    except AssertionError:
        stage.cut = at


def background(stage: Stage) -> None:
    over = stage.session.place.workspace / name(stage)
    stage.tell("begin it", shell(f"sleep 2.5; touch {over.name}", asks=False, goes_on=True), say("It runs."))
    eventually(over.exists, within=10)
    stage.held = time.monotonic()


def queued(stage: Stage) -> None:
    stage.tell("count slowly", say("one two three four five " * 4, pace=0.4), say("Second answer."))
    stage.session.until(WORKING)
    stage.tell("and then this", when="queue")


def steered(stage: Stage) -> None:
    words = _words(stage)
    stage.tell("count slowly", words, say("Turned."))
    _until(stage, words)
    stage.tell("do this instead", when="steer")


def interrupted_for_another(stage: Stage) -> None:
    words = _words(stage)
    stage.tell("count slowly", words, say("Stopped for you."))
    _until(stage, words)
    stage.breaks.append(time.monotonic())  # Esc follows at once
    stage.tell("stop and do this", when="interrupt")


def an_error(stage: Stage) -> None:
    stage.tell("try it", Fail(400, "invalid_request_error", "a bad thing"))


def broken_off(stage: Stage) -> None:
    stage.tell("try it", Drop(Reply((Say("half a sen"),))))


def overloaded(stage: Stage) -> None:
    stage.tell("try it", Break(Reply((Say("half a sen"),)), "server_error", "broken"))


def retries(stage: Stage) -> None:
    stage.tell("try it", *(Drop(Reply((Say("half"),))),) * 2, say("At last."))


def clear(stage: Stage) -> None:
    stage.tell("/clear", raw=True)


def compact(stage: Stage) -> None:
    stage.any_call = True
    stage.session.model.script(say("It was about nothing.", delay=0.4))
    stage.tell("/compact", raw=True)


def gate(stage: Stage) -> None:
    """Sent back twice, then let go by the valve."""
    stage.session.http.put("/api/v1/config/stop", json={"mode": "gate", "most_blocks": 2})
    stage.tell("work", say("I stop."), say("I stop again."), say("Really."))
    eventually(lambda: stage.calls() >= 3, within=20)
    stage.session.http.put("/api/v1/config/stop", json={"mode": "allow"})


def typed_by_a_person(stage: Stage) -> None:
    stage.session.model.script(say("Hello, person.", delay=0.2))
    stage.session.post("input", text="hello, I type this")
    eventually(lambda: any("hello, I type this" in line for line in stage.onlooker.now.lines[-5:]), what="what was typed")
    time.sleep(0.3)  # Enter right behind it would be a line of a paste
    stage.session.press("Enter")


def shell_by_a_person(stage: Stage) -> None:
    """Codex runs it by itself: the model is not asked."""
    over = stage.session.place.workspace / name(stage)
    stage.tell(f"!touch {over.name}", raw=True)
    eventually(over.exists)
    stage.held = time.monotonic()


def at_the_start(stage: Stage) -> None:
    stage.answer("setup_prompt", accept=True, ends=True)
