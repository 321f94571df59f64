"""What Gemini CLI is put through, and how each scenario ends."""

from collections.abc import Mapping

from bench.agents.states import Scenario
from bench.gemini import plays
from bench.gemini.subject import HOOKED, VERSION

SCENARIOS: Mapping[str, Scenario] = {
    "text": Scenario(plays.text),
    "text, slowly streamed": Scenario(plays.slow_text),
    "thinking": Scenario(plays.thinking),
    "command, accepted": Scenario(plays.accepted, 2),
    "command, denied": Scenario(plays.denied),
    "command, accepted at the keyboard": Scenario(plays.accepted_at_the_keyboard, 2),
    "command, Esc at the keyboard": Scenario(plays.denied_at_the_keyboard),
    "write, accepted": Scenario(plays.written, 2),
    "edit, accepted": Scenario(plays.edited, 2),
    "write, denied": Scenario(plays.write_denied),
    "two commands, one after the other": Scenario(plays.one_after_the_other, 3),
    "a dialog left for 3 s": Scenario(plays.left_alone, 2),
    "a command of 1.5 s": Scenario(plays.long_tool, 2),
    "question": Scenario(plays.question, 2),
    "several options": Scenario(plays.several_options, 2),
    "question, Esc at the keyboard": Scenario(plays.question_declined_at_the_keyboard),
    "Esc before the first word": Scenario(plays.early_escape),
    "Esc in the stream": Scenario(plays.escape_in_the_stream),
    "Esc in a command": Scenario(plays.escape_in_a_tool),
    "a queued message": Scenario(plays.queued, 2),
    "a message that interrupts": Scenario(plays.interrupted_for_another, 2),
    "typed by a person": Scenario(plays.typed_by_a_person),
    "an API error": Scenario(plays.an_error, final="error"),
    "not allowed": Scenario(plays.not_allowed, final="error"),
    "a stream that breaks off": Scenario(plays.broken_off, 2),
    "a silent retry": Scenario(plays.retry, 2),
    "a loop that is asked about": Scenario(plays.loop, 2),
    "gate": Scenario(plays.gate, 3, only=HOOKED),
    "plan, rejected, then accepted": Scenario(plays.plan, 4, where="plan"),
    "/clear": Scenario(plays.clear, 0, only=VERSION, where="clear"),
    "trust dialog at the start": Scenario(plays.at_the_start, 0, where="untrusted", at_start=True),
}
