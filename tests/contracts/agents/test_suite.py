"""The suite itself: somebody else's agent passes it when it is installed, and does not when it is wrong."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.plugins import install

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
GOOD = (ROOT / "examples/third-party-agent/src/coop_agent_parrot/__init__.py").read_text() + "\n\nmake = parrot\n"


def suite(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Of the agent `parrot`, in a process that finds it installed."""
    install(folder, "coop-agent-parrot", "parrot", source)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        str(HERE),
        "-k",
        "parrot",
        f"--ignore={__file__}",
    ]
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_the_example_passes(tmp_path: Path) -> None:
    done = suite(tmp_path, GOOD)
    assert done.returncode == 0, done.stdout
    assert "test_any_record_is_read[parrot]" not in done.stdout
    assert int(done.stdout.rsplit(" passed", 1)[0].split()[-1].lstrip("\x1b[m")) >= 25


FLAWS = {
    "test_any_record_is_read": ("    match record:", '    record["heard"]\n    match record:'),
    "test_any_screen_is_read": ("    last = next((line", '    assert "parrot> dra" not in screen.lines\n    last = next((line'),
    "test_no_message_is_typed_while_a_dialog_has_the_screen": ("view.reading.composer is None or view.draft", "False"),
    "test_a_message_presses_no_keys_of_its_own": ("not nudge.message.isprintable() or", "False or"),
    "test_no_answer_is_typed_into_another_dialog_or_none": ("if not isinstance(view.state, Prompted) or", "if False and"),
    "test_nothing_of_the_callers_is_lost": ("env={**launch.env, ", "env={"),
    "test_what_is_to_be_written_is_in_the_place_for_it": ('f"{places.files}/parrot.jsonl"', '"/tmp/parrot.jsonl"'),
    "test_one_that_is_typed_for_has_been_tried": ('tested=("1.0",),', ""),
}
"""What the suite says of each: the test that fails, and what makes it."""


def test_an_agent_that_is_wrong_does_not_pass(tmp_path: Path) -> None:
    source = GOOD
    for right, wrong in FLAWS.values():
        assert right in source
        source = source.replace(right, wrong)
    done = suite(tmp_path, source)
    assert done.returncode == 1
    assert [test for test in FLAWS if f"::{test}[" not in done.stdout] == []


def test_an_agent_that_cannot_be_loaded_does_not_pass(tmp_path: Path) -> None:
    done = suite(tmp_path, GOOD.replace('name="parrot"', 'name="polly"'))
    assert done.returncode == 1
    assert "::test_it_can_be_loaded_and_has_the_name_of_its_entry_point[parrot]" in done.stdout
