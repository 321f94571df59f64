import pytest

from coop.agents.commands import program_of


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("claude", "claude"),
        ("/opt/bin/claude --resume x", "claude"),
        ("env X=1 claude", "claude"),
        ("env -u HOME -C /tmp A=1 B=2 claude -p hello", "claude"),
        ("npx codex", "codex"),
        ("npx -y @openai/codex@0.166.0 exec", "codex"),
        ("npx -p @openai/codex codex", "codex"),
        ("timeout 60 gemini", "gemini"),
        ("timeout -k 5 --signal INT 1m gemini", "gemini"),
        ("nohup nice -n 5 timeout 60 env X=1 gemini", "gemini"),
        ("env -- claude", "claude"),
        ("vim claude", "vim"),
        ("timeout 60 less codex", "less"),
        ("bash -c claude", "bash"),
        ("./x=1/claude", "claude"),
        ("env", ""),
        ("timeout 60", ""),
        ("", ""),
    ],
)
def test_the_program_is_found_behind_what_starts_it(command: str, program: str) -> None:
    assert program_of(command.split()) == program
