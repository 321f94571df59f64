import tomllib

from coop.agents.codex.trust import Hook, flags, trusted_hash


def test_the_hash_is_the_one_codex_keeps() -> None:
    """Of a hook that the real 0.166.0 was made to trust, as it wrote it down."""
    found = trusted_hash("UserPromptSubmit", Hook("relay 'a b' é", 5))
    assert found == "sha256:36c0ca07ccc68b97d40d0e946d58d9169594068dba6c8fdb4de663dfa40649f7"


def test_each_hook_is_trusted_by_its_own_hash_and_place() -> None:
    hooks = {"Stop": Hook("relay 'a b' \"$X\"", 5), "UserPromptSubmit": Hook("relay é", 3)}
    given = flags(hooks)
    assert given[::2] == ("-c",) * 3
    parsed = tomllib.loads("\n".join(given[1::2]))["hooks"]
    assert parsed["Stop"] == [{"hooks": [{"type": "command", "command": "relay 'a b' \"$X\"", "timeout": 5}]}]
    assert parsed["state"] == {
        "/<session-flags>/config.toml:stop:0:0": {"trusted_hash": trusted_hash("Stop", hooks["Stop"])},
        "/<session-flags>/config.toml:user_prompt_submit:0:0": {
            "trusted_hash": trusted_hash("UserPromptSubmit", hooks["UserPromptSubmit"])
        },
    }
