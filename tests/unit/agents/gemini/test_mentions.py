import pytest

from coop.agents.gemini.hooks import read_hook
from coop.agents.gemini.log import LogReader
from coop.agents.gemini.mentions import without_files
from coop.agents.gemini.nudge import is_same
from coop.model.readings import Heard

SAID = "look at @notes.txt please"
PARTS = (
    "\n--- Content from referenced files ---",
    "\nContent from @notes.txt:\n",
    "some notes\n--- Content from referenced files ---",
    "\n--- End of content ---",
)


def test_what_is_in_a_file_that_was_named_was_not_said() -> None:
    assert without_files("".join((SAID, *PARTS))) == SAID
    assert without_files(SAID) == SAID


def test_log_and_hook_tell_of_the_message_alone() -> None:
    logged = LogReader().read({"type": "user", "content": [{"text": text} for text in (SAID, *PARTS)]})
    told = read_hook("BeforeAgent", {"prompt": "".join((SAID, *PARTS))})
    for readings in (logged, told):
        (heard,) = (each for each in readings if isinstance(each, Heard))
        assert is_same(SAID, heard.text)


@pytest.mark.parametrize("heard", ["Not yet.", "look at @other.txt please"])
def test_another_message_is_not_taken_for_it(heard: str) -> None:
    assert not is_same(SAID, without_files("".join((heard, *PARTS))))


def test_a_message_that_quotes_the_words_before_the_files_is_known_by_what_comes_before_them() -> None:
    quoting = "what is this?\n--- Content from referenced files ---\nsome notes"
    assert is_same(quoting, without_files(quoting))
