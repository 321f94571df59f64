import pytest

from coop.agents.commands import agent_in, program_of, split
from coop.model.launch import Launch
from coop.model.screen import Size


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
        ("env HOME=/home/claude vim", "vim"),
        ("env -C /work/claude vim", "vim"),
        ("env -iC/work/claude -uCODEX vim", "vim"),
        ("env -- A=1 claude", "claude"),
        ("env - PATH=/bin claude", "claude"),
        ("sudo -u claude vim", "vim"),
        ("sudo -Eu claude A=1 -- vim", "vim"),
        ("doas -u claude vim", "vim"),
        ("taskset -c 0,1 claude", "claude"),
        ("npx @google/gemini-cli", "gemini-cli"),
        ("npx -yp @google/gemini-cli gemini", "gemini"),
        ("npx --package=@openai/codex codex", "codex"),
        ("npx @anthropic-ai/claude-code@2.1.325", "claude-code"),
        ("npx -c claude", ""),
        ("env -S claude", ""),
        ("node --no-warnings=DEP0040 -r x /opt/gemini/bundle/gemini.js", "gemini.js"),
        ("node -e claude", ""),
        ("env", ""),
        ("timeout 60", ""),
        ("", ""),
    ],
)
def test_the_program_is_found_behind_what_starts_it(command: str, program: str) -> None:
    assert program_of(command.split()) == program


ENV = {"HOME": "/home/dev", "X": "y"}


def started(command: str) -> tuple[str, dict[str, str], str]:
    """Its runner, its environment and its folder."""
    found = agent_in(Launch(tuple(command.split()), ENV, Size(80, 24), "/work"), ("claude", "claude-code"))
    return ("", {}, "") if found is None else (" ".join(found.runner), dict(found.env), found.cwd)


@pytest.mark.parametrize(
    ("command", "env", "cwd"),
    [
        ("claude", ENV, "/work"),
        ("env A=B=C claude", {**ENV, "A": "B=C"}, "/work"),
        ("env HOME=/home/claude claude", {**ENV, "HOME": "/home/claude"}, "/work"),
        ("env -u X claude", {"HOME": "/home/dev"}, "/work"),
        ("env -uX --unset=HOME claude", {}, "/work"),
        ("env -i A=1 claude", {"A": "1"}, "/work"),
        ("env - A=1 claude", {"A": "1"}, "/work"),
        ("env -C claude claude", ENV, "/work/claude"),
        ("env --chdir=/src/claude A=1 env -u X claude", {"HOME": "/home/dev", "A": "1"}, "/src/claude"),
        ("sudo -u claude -D /src X=z claude", {"HOME": "/home/dev", "X": "z"}, "/src"),
        ("timeout 60 claude", ENV, "/work"),
        ("npx @anthropic-ai/claude-code@2.1.325", ENV, "/work"),
    ],
)
def test_what_it_is_started_with_is_what_env_makes_of_it(command: str, env: dict[str, str], cwd: str) -> None:
    assert started(command) == (command, env, cwd)


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        ("./in-a-box --home=/home/claude /opt/bin/claude fix claude", "./in-a-box --home=/home/claude /opt/bin/claude"),
        ("python -m coop_sim claude -p", "python -m coop_sim claude"),
        ("env A=1 ./in-a-box claude", "env A=1 ./in-a-box claude"),
        ("sh -c claude", ""),
        ("bash -lc claude", ""),
        ("sh -c true", ""),
        ("env -S claude claude", ""),
        ("env", ""),
    ],
)
def test_behind_what_nobody_knows_it_is_the_first_word_that_could_be_it(command: str, runner: str) -> None:
    assert started(command)[0] == runner


def test_a_command_without_it_is_all_arguments() -> None:
    assert split(("env", "A=1", "claude", "-p"), ("claude",)) == (("env", "A=1", "claude"), ("-p",))
    assert split(("sh", "-c", "claude"), ("claude",)) == ((), ("sh", "-c", "claude"))
