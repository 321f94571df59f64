"""Hooks by their place and their hash."""

import json
from dataclasses import replace
from pathlib import Path

from coop_sim.codex.config import read_config
from coop_sim.codex.flags import Options, read_flags
from coop_sim.codex.hook_config import Hook, fingerprint, read_hooks

OURS = Hook("Stop", "/<session-flags>/config.toml:stop:0:0", "/bin/true 'é'", 5, None, is_trusted=False)
MEASURED = "sha256:8b58ed977a05f929b29d197c3f85aa5f190ef3d67f24e729e4aefa5198fa4ece"
"""By which the real one takes that hook for trusted."""


def options(tmp_path: Path, *flags: str) -> Options:
    return read_flags(flags, {"HOME": str(tmp_path)}, tmp_path)


def found(given: Options) -> list[tuple[str, bool]]:
    return [(hook.command, hook.is_trusted) for hook in read_hooks(read_config(given), given)]


def test_a_hook_on_the_command_line_is_trusted_by_its_hash(tmp_path: Path) -> None:
    entry = f"hooks.Stop=[{{hooks=[{{type='command',command={json.dumps(OURS.command)},timeout=5}}]}}]"
    state = f'hooks.state={{{json.dumps(OURS.key)}={{trusted_hash="{fingerprint(OURS)}"}}}}'
    assert found(options(tmp_path, "-c", entry, "-c", state)) == [(OURS.command, True)]
    assert found(options(tmp_path, "-c", entry)) == [(OURS.command, False)]
    longer = entry.replace("timeout=5", "timeout=6")
    assert found(options(tmp_path, "-c", longer, "-c", state)) == [(OURS.command, False)]


def test_a_hash_is_of_the_one_spelling() -> None:
    assert fingerprint(OURS) == MEASURED
    assert fingerprint(replace(OURS, matcher="x")) != fingerprint(OURS)


def test_a_folder_that_nobody_trusts_has_no_hooks_and_the_end_has_little_time(tmp_path: Path) -> None:
    home, work = tmp_path / ".codex", tmp_path / "work"
    (work / ".codex").mkdir(parents=True)
    home.mkdir()
    table = "[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype='command'\ncommand='{}'\n"
    (home / "config.toml").write_text(table.format("users"))
    (work / ".codex/config.toml").write_text(table.format("projects"))
    given = replace(options(tmp_path), cwd=work)
    assert found(given) == [("users", False)]
    (home / "config.toml").write_text(table.format("users") + f'[projects."{work}"]\ntrust_level="trusted"\n')
    assert found(given) == [("users", False), ("projects", False)]
    assert [hook.timeout for hook in read_hooks(read_config(given), given)] == [3.0, 3.0]
