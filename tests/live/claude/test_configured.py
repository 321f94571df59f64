"""People set Claude Code up their own way: other keys, other modes of typing."""

import json
from pathlib import Path
from typing import Any

import pytest

from coop.testing import eventually
from coop.testing.anthropic import say
from coop.testing.claude import ClaudeHome, seeded_home
from tests.live.claude.conftest import IDLE, Lab, StartLab

VIM = {"editorMode": "vim"}


def configured(tmp_path: Path, settings: dict[str, Any] | None = None, keys: dict[str, Any] | None = None) -> ClaudeHome:
    place = seeded_home(tmp_path)
    folder = place.home / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps(settings or {}))
    (folder / "keybindings.json").write_text(json.dumps({"bindings": [{"context": "Chat", "bindings": keys or {}}]}))
    return place


@pytest.mark.parametrize("accept", [True, False, None], ids=["accepted", "refused", "skipped"])
def test_the_mode_that_is_set_is_kept(start_lab: StartLab, tmp_path: Path, accept: bool | None) -> None:
    """2.1.325 asks whether auto mode should be the default instead, when its input has been there for a moment."""
    place = configured(tmp_path, {"permissions": {"defaultMode": "plan"}})
    lab = start_lab(place=place, plain=True, options=("--skip-startup-prompts",) if accept is None else ())
    if lab.version == "2.1.325":
        lab.until("setup_prompt")
        if accept is not None:
            assert lab.asked("setup_prompt", drawn=True)["subtype"] == "default_mode"
            lab.respond(accept=accept)
    lab.until(IDLE)
    lab.tell("hello", say("Hello."))
    lab.until(IDLE)
    assert lab.state()["permission_mode"] == "plan"
    assert json.loads((place.home / ".claude" / "settings.json").read_text())["permissions"]["defaultMode"] == "plan"


def at_work(lab: Lab) -> Lab:
    lab.tell("count slowly", say("word " * 400, pace=0.2), say("Stopped for you."))
    lab.wire.shows("word word")
    return lab


def test_who_types_as_in_vim_is_interrupted_for_a_message(start_lab: StartLab, tmp_path: Path) -> None:
    """In the mode for text the first Esc only leaves that."""
    lab = at_work(start_lab(place=configured(tmp_path, VIM)).ready())
    lab.tell("stop and do this", when="interrupt", wait=10)
    lab.wire.shows("Stopped for you.")
    assert "stop and do this" in lab.prompts_received()[-1]


@pytest.mark.parametrize("message", ["in between", ("word " * 300).strip()], ids=["short", "folded"])
def test_what_was_typed_as_in_vim_makes_way(start_lab: StartLab, tmp_path: Path, message: str) -> None:
    lab = start_lab(place=configured(tmp_path, VIM)).ready()
    lab.wire.post("/api/v1/input", {"text": "one\ntwo words\nthree"})
    lab.wire.shows("three")
    lab.press("Escape")
    eventually(lambda: "INSERT" not in lab.wire.text(), what="normal mode")
    receipt = lab.tell(message, say("Yes."), wait=8)["receipt"]
    lab.until(IDLE)
    assert lab.prompts_received()[-1].endswith(message)
    assert receipt["cleared_draft"] == "one\ntwo words\nthree"


def test_a_turn_is_stopped_by_the_key_that_is_named_for_it(start_lab: StartLab, tmp_path: Path) -> None:
    lab = at_work(start_lab(place=configured(tmp_path, keys={"escape": None, "ctrl+g": "chat:cancel"})).ready())
    lab.tell("stop and do this", when="interrupt", wait=10)
    lab.wire.shows("Stopped for you.")


def test_where_enter_begins_a_new_line_nothing_is_left_in_the_input(start_lab: StartLab, tmp_path: Path) -> None:
    lab = start_lab(place=configured(tmp_path, keys={"enter": "chat:newline", "ctrl+s": "chat:submit"})).ready()
    reply = lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "hello there", "wait": 6}).json()
    assert (reply["delivered"], reply["reason"], reply["receipt"]["progress"]) == (False, "unverified", "refused")
    assert "hello there" not in lab.wire.text()
    assert lab.api.main_requests == []
