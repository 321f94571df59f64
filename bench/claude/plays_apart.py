"""Turns that end otherwise: cut short, queued, held, failed; and what is not a turn at all."""

import json
import time

from bench.agents.stage import Stage
from bench.agents.subject import WORKING
from bench.claude.plays import bash, name
from bench.claude.prompts import PERMISSION, QUESTION
from coop.testing import eventually
from coop.testing.anthropic import Break, Drop, Fail, Reply, Say, say

_SLOW = "if [ -f slow ]; then sleep 1.2; rm slow; elif [ -f block ]; then rm block; sleep 0.5; "
_BLOCK = """echo '{"decision":"block","reason":"keep going please"}'; fi; exit 0"""
OWN_HOOK = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": _SLOW + _BLOCK, "timeout": 20}]}]}})
"""A Stop hook of the user's own, which holds the turn, or sends the agent back, when told to by a file."""


def early_escape(stage: Stage) -> None:
    stage.tell("think about it", say("never said", delay=3))
    eventually(stage.calls)
    stage.press("Escape", ends=True)


def escape_in_the_stream(stage: Stage) -> None:
    stage.tell("count", say("word " * 400, pace=0.1))
    eventually(lambda: any("word word" in line for line in stage.onlooker.now.lines), what="words")
    stage.press("Escape", ends=True)


def escape_in_a_tool(stage: Stage) -> None:
    begun = stage.session.place.workspace / f"{name(stage)}-begun"
    stage.tell("begin", bash(stage, f"touch {begun.name}; sleep 30"), say("never said"))
    stage.answer(PERMISSION, accept=True)
    eventually(begun.exists)
    stage.press("Escape", ends=True)


def queued(stage: Stage) -> None:
    stage.tell("count slowly", say("one two three four five", pace=0.4), say("Second answer."))
    stage.session.until(WORKING)
    stage.tell("and then this", when="queue")


def background(stage: Stage) -> None:
    shell = bash(stage, f"sleep 1.5; touch {name(stage)}", run_in_background=True)
    stage.tell("begin it", shell, say("It runs."), say("It has ended."))
    stage.answer(PERMISSION, accept=True)


def an_error(stage: Stage) -> None:
    stage.session.model.otherwise = Fail(400, "invalid_request_error", "a bad thing")  # 2.1.325 tries it twice
    stage.tell("try it")


def retries(stage: Stage) -> None:
    stage.tell("try it", *(Fail(500, "api_error", "broken"),) * 2, say("At last."))


def broken_off(stage: Stage) -> None:
    """2.1.325 tries again; 2.1.197 gives up."""
    stage.tell("try it", Drop(Reply((Say("half a sen"),))), say("And the rest."))


def overloaded(stage: Stage) -> None:
    stage.tell("try it", Break(Reply((Say("half a sen"),))), say("And the rest."))


def clear(stage: Stage) -> None:
    stage.tell("/clear", raw=True)


def compact(stage: Stage) -> None:
    stage.any_call = True
    stage.tell("/compact", say("<summary>It was about nothing.</summary>", delay=0.4), raw=True)


def gate(stage: Stage) -> None:
    """Sent back twice, then let go by the valve."""
    stage.session.http.put("/api/v1/config/stop", json={"mode": "gate", "most_blocks": 2})
    stage.tell("work", say("I stop."), say("I stop again."), say("Really."))
    eventually(lambda: stage.calls() >= 3, within=20)
    stage.session.http.put("/api/v1/config/stop", json={"mode": "allow"})


def escape_with_a_queue(stage: Stage) -> None:
    """The queued message runs at once, so there is no rest in between."""
    stage.tell("count slowly", say("word " * 400, pace=0.1), say("Second answer."))
    stage.session.until(WORKING)
    stage.tell("and then this", when="queue")
    stage.session.press("Escape")


def typed_by_a_person(stage: Stage) -> None:
    stage.session.model.script(say("Hello, person.", delay=0.2))
    stage.session.post("input", text="hello, I type this", enter=True)


def shell_by_a_person(stage: Stage) -> None:
    """No hook tells that the model is asked after it."""
    stage.tell("!echo hi", say("I saw it.", delay=0.4), raw=True)


def hookless(stage: Stage) -> None:
    """Auto mode without its safety check: a notice, then a dialog without digits, and no hook for either."""
    stage.tell("test it", bash(stage, "npm test"), say("Done."))
    stage.drawn(QUESTION)
    stage.press("Enter")
    stage.answer(PERMISSION, accept=True)


def own_slow_hook(stage: Stage) -> None:
    slow = stage.session.place.workspace / "slow"
    slow.touch()
    stage.tell("work", say("I stop here."))
    eventually(lambda: not slow.exists())
    stage.held = time.monotonic()


def own_blocking_hook(stage: Stage) -> None:
    (stage.session.place.workspace / "block").touch()
    stage.tell("work", say("I stop here."), say("I went on."))


def trust(stage: Stage) -> None:
    stage.answer("setup_prompt", accept=True, ends=True)
