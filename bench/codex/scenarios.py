"""What Codex is put through, and how each scenario ends."""

from collections.abc import Mapping

from bench.agents.states import Scenario
from bench.codex import plays
from bench.codex import plays_apart as apart

SCENARIOS: Mapping[str, Scenario] = {
    "text": Scenario(plays.text),
    "text, slowly streamed": Scenario(plays.slow_text),
    "thinking": Scenario(plays.thinking),
    "command, accepted": Scenario(plays.accepted, 2),
    "command, denied": Scenario(plays.denied),
    "command, denied with words": Scenario(plays.denied_with_words, 2),
    "command, accepted at the keyboard": Scenario(plays.accepted_at_the_keyboard, 2),
    "command, Esc at the keyboard": Scenario(plays.denied_at_the_keyboard),
    "command, asked for after 1.5 s": Scenario(plays.slowly_asked, 2),
    "two commands at once": Scenario(plays.two_tools, 2),
    "a dialog left for 3 s": Scenario(plays.left_alone, 2),
    "a command of 1.5 s": Scenario(plays.long_tool, 2),
    "a command of 1.5 s, permitted": Scenario(plays.long_tool_permitted, 2),
    "question": Scenario(plays.question, 2),
    "two questions": Scenario(plays.two_questions, 2),
    "question, Esc at the keyboard": Scenario(plays.question_declined_at_the_keyboard),
    "Esc before the first word": Scenario(apart.early_escape),
    "Esc in the stream": Scenario(apart.escape_in_the_stream),
    "Esc in a command, which goes on": Scenario(apart.escape_in_a_tool),
    "a background terminal": Scenario(apart.background, 2),
    "a queued message": Scenario(apart.queued, 2),
    "a message that steers": Scenario(apart.steered, 2),
    "a message that interrupts": Scenario(apart.interrupted_for_another, 2),
    "typed by a person": Scenario(apart.typed_by_a_person),
    "!command by a person": Scenario(apart.shell_by_a_person, 0),
    "an API error": Scenario(apart.an_error, final="error"),
    "a stream that breaks off": Scenario(apart.broken_off, final="error"),
    "a stream that fails": Scenario(apart.overloaded, final="error"),
    "/compact": Scenario(apart.compact),
    "/clear": Scenario(apart.clear, 0),
    "gate": Scenario(apart.gate, 3),
    "patch, accepted": Scenario(plays.patched, 2, where="read-only"),
    "edit, accepted": Scenario(plays.edited, 2, where="read-only"),
    "patch, denied": Scenario(plays.patch_denied, where="read-only"),
    "plan, rejected, then accepted": Scenario(plays.plan, 3, where="plan"),
    "two retries": Scenario(apart.retries, 3, where="retries"),
    "trust dialog at the start": Scenario(apart.at_the_start, 0, where="untrusted", at_start=True),
    "a new model at the start": Scenario(apart.at_the_start, 0, where="a new model", at_start=True),
}
