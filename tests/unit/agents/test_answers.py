import pytest

from coop.agents.answers import answers, label_of
from coop.errors import BadRequest
from coop.model.commands import Answer, Respond
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Query, Question

DATABASE = Query("Which database?", (Choice("PostgreSQL", "Robust"), Choice("SQLite", "Simple")), "Database")
QUESTION = Question(PromptId("p1"), DATABASE.text, ("PostgreSQL", "SQLite"), queries=(DATABASE,))


def test_a_short_answer_is_one_for_the_only_question() -> None:
    assert answers(Respond(option=2), QUESTION) == (Answer((2,)),)
    assert answers(Respond(text="x"), QUESTION) == (Answer(text="x"),)


def test_an_option_is_meant_by_number_or_by_label() -> None:
    assert label_of(2, DATABASE) == label_of("SQLite", DATABASE) == "SQLite"
    with pytest.raises(BadRequest):
        label_of(0, DATABASE)


def test_a_label_that_several_options_have_is_not_enough() -> None:
    query = Query("Go on?", (Choice("No"), Choice("Yes"), Choice("Yes", "and again")))
    with pytest.raises(BadRequest, match="'Yes' is the label of several; give its number, 1 to 3"):
        label_of("Yes", query)
    assert label_of(3, query) == "Yes"


def test_each_question_needs_its_answer() -> None:
    with pytest.raises(BadRequest, match="expected 1, one for each question, got 2"):
        answers(Respond(answers=(Answer((1,)), Answer((2,)))), QUESTION)
