from coop.agents.codex.asking import patch_of, permission_of, question_of
from coop.model.prompt import Choice, Query


def test_a_patch_is_told_with_the_first_file_it_changes() -> None:
    patch = "*** Begin Patch\n*** Update File: a/b.txt\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch\n"
    assert patch_of(patch).input == {"file_path": "a/b.txt", "patch": patch}
    assert patch_of("nothing").input == {"patch": "nothing"}
    assert permission_of("apply_patch", {"command": patch}).input["file_path"] == "a/b.txt"


def test_other_tools_keep_what_they_were_given() -> None:
    assert permission_of("Bash", {"command": "ls"}).input == {"command": "ls"}
    assert permission_of("apply_patch", {"command": 7}).input == {"command": 7}


def test_questions_keep_their_choices() -> None:
    options = [{"label": "SQLite", "description": "Simple"}, {"nothing": 1}]
    question = question_of({"questions": [{"id": "db", "header": "Database", "question": "Which?", "options": options}, 3]})
    assert question.queries == (Query("Which?", (Choice("SQLite", "Simple"),), "Database"),)
    assert (question.text, question.options) == ("Which?", ("SQLite",))


def test_a_question_of_nothing_is_empty() -> None:
    assert question_of({"questions": "x"}).queries == ()
    assert question_of({}).text == ""
