import json
from pathlib import Path

import pytest

from coop.agents.codex.hooks import read_hook
from coop.model.prompt import Permission
from coop.model.readings import Asks, Heard, Learned, Readings, Says, Stops, Waits
from coop.model.state import Working
from tests.support.captured import CAPTURED


def told(name: str) -> Readings:
    path: Path = CAPTURED / f"codex/hooks/{name}.json"
    return read_hook(name.partition(".")[0], json.loads(path.read_text()))


def test_every_hook_tells_whose_it_is() -> None:
    learned = told("SessionStart")[0]
    assert isinstance(learned, Learned)
    assert learned.transcript_path is not None
    assert learned.transcript_path.endswith(f"{learned.session_id}.jsonl")
    assert (learned.cwd, learned.model, learned.permission_mode) == ("/tmp/demo-codex/work", "gpt-5.5", "default")


def test_the_start_comes_with_the_first_message_and_says_nothing_of_rest() -> None:
    assert len(told("SessionStart")) == 1


def test_a_message_is_heard() -> None:
    assert told("UserPromptSubmit")[1:] == (Says(Working()), Heard("[[say Hello there.]]"))


def test_a_command_asks() -> None:
    waits, asks = told("PermissionRequest.Bash")[1:]
    assert waits == Says(Waits("permission"))
    assert isinstance(asks, Asks)
    assert isinstance(asks.prompt, Permission)
    assert (asks.prompt.tool, asks.prompt.input["command"]) == ("Bash", "touch made")


def test_a_patch_asks_with_its_file() -> None:
    asks = told("PermissionRequest.apply_patch")[2]
    assert isinstance(asks, Asks)
    assert isinstance(asks.prompt, Permission)
    assert (asks.prompt.tool, asks.prompt.input["file_path"]) == ("apply_patch", "made-too")
    assert "+hello from fake patch" in str(asks.prompt.input["patch"])


def test_a_stop_is_no_rest_yet() -> None:
    learned, stops = told("Stop")
    assert isinstance(learned, Learned)
    assert learned.last_message == "Hello there."
    assert stops == Stops(again=False)


@pytest.mark.parametrize("event", ["Interrupt", "SessionEnd", "Novelty"])
def test_others_say_only_whose_they_are(event: str) -> None:
    assert len(read_hook(event, {"session_id": 7})) == 1


def test_nonsense_does_no_harm() -> None:
    assert len(read_hook("PermissionRequest", {"tool_name": 3, "tool_input": []})) == 3
    assert len(read_hook("UserPromptSubmit", {})) == 3
