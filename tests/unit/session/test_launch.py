from pathlib import Path

from coop.model.screen import Size
from coop.session.launch import launch
from coop.session.places import Places

PLACES = Places(Path("/run/coop"), "it")


def env_of(**inherited: str) -> dict[str, str]:
    return dict(launch(("sh",), inherited=inherited, size=Size(80, 24), term="xterm-256color", places=PLACES).env)


def test_the_child_is_told_where_it_runs() -> None:
    env = env_of()
    assert env == {
        "TERM": "xterm-256color",
        "COOP": "1",
        "COOP_SOCKET": "/run/coop/it.sock",
        "COOP_HOOK_PIPE": "/run/coop/it.hooks",
    }


def test_the_host_terminals_variables_are_scrubbed() -> None:
    env = env_of(TMUX="x", TERM_PROGRAM="y", KITTY_WINDOW_ID="1", STY="z", COLUMNS="80", TERM="tmux-256color", HOME="/h")
    assert set(env) == {"TERM", "COOP", "COOP_SOCKET", "COOP_HOOK_PIPE", "HOME"}
    assert env["TERM"] == "xterm-256color"


def test_no_setting_or_token_of_ours_reaches_the_child() -> None:
    env = env_of(COOP_AUTH_TOKEN="secret", COOP_PORT="1", COOP_SOCKET="/parents")
    assert "secret" not in env.values()
    assert "COOP_PORT" not in env
    assert env["COOP_SOCKET"] == "/run/coop/it.sock"
