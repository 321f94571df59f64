"""The unit tests mirror the source."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATED = ("_ghostty_abi", "coop_pb2", "coop_pb2_grpc")
COVERED_ELSEWHERE = {
    "coop/model": "plain values: every other test is made of them",
    "coop/errors": "tests/contracts, by code",
    "coop/agents/composer": "tests/unit/agents/*/test_nudge.py and tests/playbooks: by what it types into each agent's input",
    "coop/agents/hand": "tests/unit/agents/*/test_answer.py and tests/playbooks: by what it types into each agent's dialogs",
    "coop/agents/drawn": "tests/unit/agents/*/test_screen.py: by what each agent's dialogs ask",
    "coop/detect/words": "tests/unit/detect/test_belief.py: what is said is only seen by what is believed",
    "coop/terminal/backend": "a Protocol",
    "coop/terminal/polled": "tests/contracts/test_backend.py",
    "coop/terminal/tmux": "tests/contracts/test_backend.py and tests/integration/test_attach.py",
    "coop/terminal/tmux_polled": "tests/contracts/test_backend.py",
    "coop/terminal/screen": "a Protocol; tests/contracts/test_screen.py",
    "coop/terminal/ghostty": "tests/contracts/test_screen.py and tests/oracles",
    "coop/terminal/ghostty_cells": "tests/contracts/test_screen.py and tests/oracles",
    "coop/terminal/ghostty_dump": "tests/properties/test_laws.py and tests/contracts/test_screen.py",
    "coop/terminal/ghostty_engine": "tests/contracts/test_screen.py",
    "coop/session/core": "tests/playbooks",
    "coop/session/answering": "tests/playbooks/test_claude_answers.py",
    "coop/session/hidden": "tests/playbooks/test_claude_answers.py",
    "coop/session/nudging": "tests/playbooks/test_claude_nudges.py and test_telling.py",
    "coop/session/refusing": "tests/playbooks/test_telling.py, test_typing.py and test_attached.py",
    "coop/session/typing": "tests/playbooks/test_typing.py",
    "coop/session/listening": "tests/playbooks/test_claude_turns.py",
    "coop/session/effects": "plain values",
    "coop/session/observing": "a Protocol",
    "coop/session/runner": "tests/integration",
    "coop/server": "tests/contracts, over real sockets",
    "coop/cli/run": "tests/integration",
    "coop/cli/detach": "tests/integration/test_detach.py",
    "coop/cli/subject": "tests/integration/test_attach.py",
    "coop/cli/logs": "tests/integration",
    "coop/cli/options": "plain values",
    "coop/cli/main": "tests/e2e",
    "coop/cli/stdout": "tests/e2e/test_stdout.py",
    "coop/cli/unread": "tests/e2e/test_stdout.py",
    "coop/cli/keys": "tests/integration/test_commands.py",
    "coop/cli/ls": "tests/integration/test_commands.py and test_commands_on_terminals.py",
    "coop/cli/nudge": "tests/integration/test_commands.py",
    "coop/cli/peek": "tests/integration/test_commands.py",
    "coop/cli/respond": "tests/integration/test_commands.py and test_commands_on_terminals.py",
    "coop/cli/signal": "tests/integration/test_commands.py",
    "coop/cli/stop": "tests/integration/test_commands.py",
    "coop/cli/type": "tests/integration/test_commands.py",
    "coop/cli/watching": "tests/integration/test_commands_on_terminals.py",
    "coop/cli/replay": "tests/integration/test_recording.py and tests/live/*/test_recording.py",
    "coop/cli/export": "tests/integration/test_recording.py",
    "coop/cli/report": "tests/integration/test_recording.py",
    "coop/cli/console/glass": "tests/integration/test_terminal.py",
    "coop/cli/console/loop": "tests/integration/test_terminal.py",
    "coop/client/channel": "tests/integration/test_terminal.py",
    "coop/client/backend": "tests/integration/test_client.py",
    "coop/client/opening": "tests/unit/client/test_session.py",
    "coop/client/blocking": "tests/contracts/clients/test_clients.py",
    "coop/client/sidecar": "tests/integration/test_client.py",
    "coop/cli/mcp_serving": "tests/integration/test_mcp.py",
    "coop/mcp/server": "tests/integration/test_mcp.py",
    "coop/mcp/tools": "tests/integration/test_mcp.py",
    "coop/testing": "the tests themselves; tests/live",
    "coop_sim": "tests/integration/test_sim.py",
}


def _modules() -> set[str]:
    found = (path.relative_to(ROOT / "src").with_suffix("") for path in (ROOT / "src").rglob("*.py"))
    return {str(path) for path in found if path.name not in ("__init__", "__main__", *GENERATED)}


def _unit_tests() -> set[str]:
    here = ROOT / "tests/unit"
    found = (path.relative_to(here) for path in here.rglob("test_*.py") if path.name != "test_mirror.py")
    return {_tested(path) for path in found}


def _tested(path: Path) -> str:
    module = path.parent / path.stem.removeprefix("test_")
    return str(module if module.parts[0] == "coop_sim" else Path("coop", module))


def test_every_module_is_tested_here_or_says_where() -> None:
    missing = {
        module
        for module in _modules() - _unit_tests()
        if not any(module == place or module.startswith(place + "/") for place in COVERED_ELSEWHERE)
    }
    assert not missing


def test_no_unit_test_is_left_behind_by_its_module() -> None:
    assert not {test for test in _unit_tests() - _modules() if not (ROOT / "src" / test).is_dir()}
