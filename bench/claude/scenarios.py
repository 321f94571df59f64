"""What Claude Code is put through, and how each scenario ends."""

from collections.abc import Mapping

from bench.agents.states import Scenario
from bench.claude import plays
from bench.claude import plays_apart as apart

SCENARIOS: Mapping[str, Scenario] = {
    "text": Scenario(plays.text),
    "text, slowly streamed": Scenario(plays.slow_text),
    "thinking": Scenario(plays.thinking),
    "Bash, accepted": Scenario(plays.bash_accepted, 2),
    "Bash, denied": Scenario(plays.bash_denied),
    "Bash, accepted at the keyboard": Scenario(plays.bash_accepted_at_the_keyboard, 2),
    "Bash, Esc at the keyboard": Scenario(plays.bash_denied_at_the_keyboard),
    "Write, accepted by keys": Scenario(plays.write_accepted_by_keys, 2),
    "Write, denied with words": Scenario(plays.write_denied_with_words, 2),
    "Edit, accepted": Scenario(plays.edit_accepted, 3),
    "two tools at once": Scenario(plays.two_tools, 2),
    "two reads asked at once": Scenario(plays.two_reads, 2),
    "a dialog left for 3 s": Scenario(plays.left_alone, 2),
    "a subagent's permission": Scenario(plays.subagent, 4, only="2.1.197"),
    "a tool of 1.5 s": Scenario(plays.long_tool, 2),
    "question": Scenario(plays.question, 2),
    "two questions by keys": Scenario(plays.two_questions_by_keys, 2),
    "question, Esc at the keyboard": Scenario(plays.question_declined_at_the_keyboard),
    "plan, rejected, then accepted": Scenario(plays.plan, 6),
    "Esc before the first word": Scenario(apart.early_escape),
    "Esc in the stream": Scenario(apart.escape_in_the_stream),
    "Esc in a tool": Scenario(apart.escape_in_a_tool),
    "a queued message": Scenario(apart.queued, 2),
    "Esc with a queued message": Scenario(apart.escape_with_a_queue, 2),
    "typed by a person": Scenario(apart.typed_by_a_person),
    "!command, and the turn after it": Scenario(apart.shell_by_a_person),
    "a background task": Scenario(apart.background, 3),
    "an API error": Scenario(apart.an_error, final="error"),
    "a stream that breaks off": Scenario(apart.broken_off, final=None),
    "a stream that fails": Scenario(apart.overloaded, final=None),
    "two retries": Scenario(apart.retries, 3),
    "/compact": Scenario(apart.compact),
    "/clear": Scenario(apart.clear, 0),
    "gate": Scenario(apart.gate, 3),
    "a slow Stop hook of the user's": Scenario(apart.own_slow_hook, 1, where="own hook"),
    "a blocking Stop hook of the user's": Scenario(apart.own_blocking_hook, 2, where="own hook"),
    "auto mode's dialogs without hooks": Scenario(apart.hookless, 2, where="auto mode", only="2.1.325"),
    "trust dialog at the start": Scenario(apart.trust, 0, where="untrusted", at_start=True),
}
