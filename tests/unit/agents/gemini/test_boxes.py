from coop.agents.dialogs import Option
from coop.agents.gemini.boxes import find_box
from tests.unit.agents.gemini.screens import PLAN, box, composer, drawn, question, shell


def test_a_box_at_the_end_of_the_screen_is_a_dialog() -> None:
    dialog = find_box(shell("touch made").lines)
    assert dialog is not None
    assert dialog.title[0].startswith("? Shell")
    assert dialog.question == "Allow execution of [Shell]?"
    assert dialog.options[0] == Option("Allow once", 1, marked=True)
    assert dialog.stands_alone


def test_a_box_among_other_text_is_none() -> None:
    assert find_box((*shell().lines[:10], "✦ and words")) is None
    assert find_box(composer().lines) is None
    assert find_box(drawn().lines) is None


def test_a_box_whose_top_is_out_of_sight_is_read_as_far_as_it_goes() -> None:
    dialog = find_box(shell().lines[7:])
    assert dialog is not None
    assert not dialog.stands_alone
    assert dialog.options[0].label == "Allow once"


def test_descriptions_stand_under_their_options() -> None:
    dialog = find_box(PLAN.lines)
    assert dialog is not None
    assert dialog.options[0].more == "Approves plan and allows tools to run automatically"
    assert dialog.hint.startswith("Enter to select")


def test_the_highlight_is_seen() -> None:
    dialog = find_box(question(marked=2).lines)
    assert dialog is not None
    assert [option.label for option in dialog.options if option.marked] == ["SQLite"]


def test_a_list_of_which_a_part_is_shown_keeps_its_numbers() -> None:
    dialog = find_box(
        box(
            "Answer Questions",
            "Which?",
            "▲",
            "  4. [ ] All of the above",
            "  5. [ ] Enter a custom value",
            "●  Done",
            "   Finish selection",
            "▼",
            "Enter to select",
        ).lines
    )
    assert dialog is not None
    assert [(option.label, option.number, option.marked) for option in dialog.options] == [
        ("All of the above", 4, False),
        ("Enter a custom value", 5, False),
        ("Done", None, True),
    ]


def test_numbers_in_what_is_quoted_are_no_options() -> None:
    dialog = find_box(
        box(
            "? Shell  x",
            "1. not an option",
            "2. nor this",
            "Allow execution of [Shell]?",
            "",
            "● 1. Allow once",
            "  2. No, suggest changes (esc)",
        ).lines
    )
    assert dialog is not None
    assert [option.label for option in dialog.options] == ["Allow once", "No, suggest changes (esc)"]
