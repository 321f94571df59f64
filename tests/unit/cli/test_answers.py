import pytest

from coop.cli.answers import Given, answered, hint, number_of, request, typed
from coop.errors import BadRequest
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.wire.http import AnswerRequest, RespondRequest

ID = PromptId("p7")
PERMISSION = Permission(ID, "Bash", {"command": "ls"}, ("Yes", "Yes, and don't ask again", "No"))
COLOURS = Query("Which?", (Choice("Red"), Choice("Green"), Choice("Blue")), takes_many=True)
QUESTION = Question(ID, "Which?", ("Red", "Green", "Blue"), queries=(COLOURS,))
SETUP = Setup(ID, "trust", "Trust?", ("Yes", "No"))


@pytest.mark.parametrize(
    ("words", "prompt", "means"),
    [
        ("y", PERMISSION, RespondRequest(accept=True, prompt_id=ID)),
        ("No", PERMISSION, RespondRequest(accept=False, prompt_id=ID)),
        ("a", PERMISSION, RespondRequest(accept=True, always=True, prompt_id=ID)),
        (" 2 ", PERMISSION, RespondRequest(option=2, prompt_id=ID)),
        ("use rg instead", PERMISSION, RespondRequest(accept=False, text="use rg instead", prompt_id=ID)),
        ("yes", Plan(ID, "x"), RespondRequest(accept=True, prompt_id=ID)),
        ("a", Plan(ID, "x"), RespondRequest(accept=False, text="a", prompt_id=ID)),
        ("1,3", QUESTION, RespondRequest(answers=(AnswerRequest(options=(1, 3)),), prompt_id=ID)),
        ("2", QUESTION, RespondRequest(option=2, prompt_id=ID)),
        ("yes", QUESTION, RespondRequest(text="yes", prompt_id=ID)),
        ("n", SETUP, RespondRequest(accept=False, prompt_id=ID)),
    ],
)
def test_what_is_typed_names_the_prompt_that_was_shown(words: str, prompt: Prompt, means: RespondRequest) -> None:
    assert typed(words, prompt) == means


@pytest.mark.parametrize(("words", "prompt"), [("4", PERMISSION), ("0", PERMISSION), ("perhaps", SETUP), ("1", Plan(ID, "x"))])
def test_what_means_nothing_is_asked_again(words: str, prompt: Prompt) -> None:
    with pytest.raises(BadRequest):
        typed(words, prompt)


def test_one_of_several_questions_is_answered_by_numbers_or_words() -> None:
    assert answered("1 2", COLOURS) == AnswerRequest(options=(1, 2))
    assert answered(" mauve ", COLOURS) == AnswerRequest(text="mauve")
    with pytest.raises(BadRequest, match="Red"):
        answered("9", COLOURS)


def test_an_option_is_found_by_number_label_or_the_beginning_of_one() -> None:
    choices = [Choice("Yes"), Choice("Yes, always"), Choice("No")]
    assert [number_of(word, choices) for word in ("3", "yes", "Yes, a", "n")] == [3, 1, 2, 3]
    for word in ("perhaps", "ye", "", "0"):
        with pytest.raises(BadRequest, match=r"3 \(No\)"):
            number_of(word, choices)


def test_labels_need_the_prompt_and_are_bound_to_it() -> None:
    given = Given(options=("green",))
    assert given.needs_prompt
    assert request(given, QUESTION) == RespondRequest(option=2, prompt_id=ID)
    many = Given(options=("1", "blue"))
    assert many.needs_prompt
    assert request(many, QUESTION) == RespondRequest(answers=(AnswerRequest(options=(1, 3)),), prompt_id=ID)


def test_what_needs_no_prompt_is_sent_as_it_is() -> None:
    given = Given(accept=False, text="not now", prompt="p1", by_keys=True)
    assert not given.needs_prompt
    assert request(given, None) == RespondRequest(accept=False, text="not now", prompt_id="p1", by_keys=True)
    assert request(Given(options=("2",)), None) == RespondRequest(option=2)


def test_always_is_a_yes() -> None:
    assert request(Given(always=True), None) == RespondRequest(accept=True, always=True)
    assert Given(prompt="p1", by_keys=True).is_empty
    assert not Given(always=True).is_empty


@pytest.mark.parametrize("prompt", [PERMISSION, QUESTION, SETUP, Plan(ID, "x"), Question(ID, "Which?", ("A",))])
def test_every_prompt_says_how_it_is_answered(prompt: Prompt) -> None:
    assert "number" in hint(prompt)
