import re

import pytest

from coop.agents.dialogs import Dialog, Option, Signature, find_dialog, find_tail, label_for, recognize, signatures
from coop.errors import ConfigError
from tests.unit.agents.claude.screens import VERSIONS, dialog_on, dialog_screens

RULE = "─" * 40


def found(*lines: str) -> Dialog:
    dialog = find_dialog(lines)
    assert dialog is not None
    return dialog


def labels(dialog: Dialog) -> tuple[str, ...]:
    return tuple(option.label for option in dialog.options)


def test_a_dialog_is_what_stands_below_the_last_rule() -> None:
    dialog = found(
        "❯ hello",
        "● hi",
        RULE,
        " Bash command",
        "   ls",
        "",
        " Do you want to proceed?",
        " ❯ 1. Yes",
        "   2. No",
        " Esc to cancel",
    )
    assert dialog.title == ("Bash command", "ls")
    assert dialog.question == "Do you want to proceed?"
    assert dialog.options == (Option("Yes", 1, marked=True), Option("No", 2))
    assert dialog.hint == "Esc to cancel"
    assert dialog.lines[0] == RULE


@pytest.mark.parametrize("end", ["", RULE, "╌" * 40, "╰" + "─" * 39])
def test_a_question_may_begin_in_a_line_above(end: str) -> None:
    dialog = found(
        RULE, " Edit file", end, " Do you want to make this edit to", " made-by-claude?", "", " ❯ 1. Yes", "   2. No"
    )
    assert (dialog.question, dialog.paragraph) == ("made-by-claude?", "Do you want to make this edit to made-by-claude?")
    whole = signatures([{"kind": "permission", "question": "^Do you want to make this edit to made"}], source="x")
    assert recognize(dialog, whole) is not None


def test_what_only_quotes_a_question_above_is_not_taken_for_it() -> None:
    asked = signatures([{"kind": "permission", "question": "^Do you want to make"}], source="x")
    for above in (" It said:", "● I would ask:"):
        dialog = found(RULE, above, " Do you want to make this edit?", " I would not.", " ❯ 1. Yes", "   2. No")
        assert recognize(dialog, asked) is None
    assert recognize(found(RULE, " Do you want to make it?", "", " Proceed?", " ❯ 1. Yes", "   2. No"), asked) is None


def test_nothing_is_a_dialog_that_has_no_highlight() -> None:
    assert find_dialog((" 1. Yes", " 2. No")) is None
    assert find_dialog(()) is None


def test_a_single_option_is_no_choice() -> None:
    assert find_dialog((RULE, "❯ what I said before", "", "● what it said")) is None
    assert find_dialog((RULE, "❯ 1. Yes")) is None


def test_the_numbers_of_a_dialog_begin_with_one() -> None:
    assert find_dialog((RULE, " ❯ 2. Yes", "   3. No")) is None


def test_numbers_in_the_text_above_are_no_options() -> None:
    dialog = found(RULE, " 1. first, do this", " 2. then that", " Proceed?", " ❯ 1. Yes", "   2. No")
    assert labels(dialog) == ("Yes", "No")


def test_the_highlight_may_be_on_any_option() -> None:
    dialog = found(RULE, " Proceed?", "   1. Yes", "   2. Yes, always", " ❯ 3. No")
    assert [option.marked for option in dialog.options] == [False, False, True]


def test_boxes_say_whether_they_are_ticked() -> None:
    dialog = found(RULE, "Which?", "❯ 1. [ ] Auth", "  login", "  2. [✔] Search", "  find", "  3. [ ] Type something")
    assert [(option.label, option.checked) for option in dialog.options] == [
        ("Auth", False),
        ("Search", True),
        ("Type something", False),
    ]


def test_options_go_on_behind_a_rule() -> None:
    dialog = found(RULE, "Which?", "❯ 1. This", "  2. Type something.", RULE, "  3. Chat about this", "Enter to select")
    assert labels(dialog) == ("This", "Type something.", "Chat about this")
    assert (dialog.question, dialog.hint) == ("Which?", "Enter to select")


def test_what_stands_under_an_option_belongs_to_it() -> None:
    dialog = found(RULE, "Which?", "❯ 1. PostgreSQL", "     Robust", "     and old", "  2. SQLite", "     Simple", "", "  done")
    assert [option.more for option in dialog.options] == ["Robust and old", "Simple"]


BESIDE = (
    "Which database should we use?",
    "  1. PostgreSQL                   ┌──────────────────────────────────────────┐",
    "❯ 2. SQLite                       │ import sqlite3                           │",
    "                                  │ print(1)                                 │",
    "                                  └──────────────────────────────────────────┘",
    "                                  Notes: press n to add notes",
    "─" * 80,
    "  Chat about this",
    "",
    "Enter to select · ↑/↓ to navigate · n to add notes · Esc to cancel",
)


def test_what_stands_in_a_box_beside_the_options_is_no_part_of_them() -> None:
    dialog = found(RULE, " ☐ Database", "", *BESIDE)
    assert [(option.label, option.more, option.marked) for option in dialog.options] == [
        ("PostgreSQL", "", False),
        ("SQLite", "", True),
    ]
    assert (dialog.has_preview, dialog.stands_alone) == (True, True)
    assert any("import sqlite3" in line for line in dialog.lines)


def test_options_without_numbers_are_aligned() -> None:
    dialog = found(RULE, " Trust?", "", "   No, exit", " ❯ Yes, I trust this folder", "", " Enter to confirm")
    assert dialog.options == (Option("No, exit"), Option("Yes, I trust this folder", marked=True))


def test_a_no_break_space_is_a_space() -> None:
    assert labels(found(RULE, " Proceed?", " ❯\xa01.\xa0Yes", "   2.\xa0No")) == ("Yes", "No")


def test_an_option_is_found_by_its_label() -> None:
    dialog = found(RULE, " Proceed?", " ❯ 1. Yes", "   2. No")
    assert dialog.option("No") == Option("No", 2)
    assert dialog.option("Maybe") is None


# As drawn where there is little room


HINT = "Enter to select · ↑/↓ to navigate · Esc to cancel"
ASKED = ("", "Which database should we use?", "")
CHAT = ("─" * 80, "  6. Chat about this", "", HINT)


@pytest.mark.parametrize(
    ("list_", "numbers"),
    [
        (("❯ 1. PostgreSQL", "     Robust", "↓ 2. SQLite", "     Simple"), (1, 2, 6)),
        (("  1. PostgreSQL", "     Robust", "❯ 2. SQLite", "     Simple"), (1, 2, 6)),  # where the highlight stands is no arrow
        (("↑ 2. SQLite", "     Simple", "❯ 3. MariaDB", "     Old"), (2, 3, 6)),
        (("↑ 4. DuckDB", "     Small", "❯ 5. Type something."), (4, 5, 6)),
    ],
)
def test_of_a_list_that_is_scrolled_the_options_in_sight_are_told(list_: tuple[str, ...], numbers: tuple[int, ...]) -> None:
    dialog = found(*ASKED, *list_, *CHAT)
    assert tuple(option.number for option in dialog.options) == numbers
    assert labels(dialog)[-1] == "Chat about this"
    assert (dialog.question, dialog.hint, dialog.begins) == ("Which database should we use?", HINT, numbers[0] == 1)


@pytest.mark.parametrize(
    ("list_", "offered"),
    [
        (
            (" ❯ 1. Yes", " ↓ 2. Yes, and always allow access to", "      /work from this project"),
            ("Yes", "Yes, and always allow access to"),
        ),
        ((" ↑ 3. Yes, and switch to auto mode", " ❯ 4. No"), ("Yes, and switch to auto mode", "No")),
    ],
)
def test_a_permission_that_is_scrolled_is_no_less_of_one(list_: tuple[str, ...], offered: tuple[str, ...]) -> None:
    quoted = ("╌" * 80, " touch 2. file", " 1. that", "╌" * 80)
    dialog = found(" Make a file", *quoted, " Do you want to proceed?", *list_, "", " Esc to cancel · Tab to amend")
    assert (labels(dialog), dialog.question, dialog.is_scrolled) == (offered, "Do you want to proceed?", True)


def test_the_keys_below_a_list_of_which_one_option_is_in_sight_are_not_its_options() -> None:
    hints = ("", " Esc to cancel · Tab to amend")
    assert find_dialog((" touch it", " Do you want to proceed?", " ❯ 1. Yes", *hints)) is None
    assert labels(found("❯ 1. do this", RULE, " Shall I?", *hints)) == ("cancel", "amend")


def test_in_a_narrow_terminal_there_may_be_no_blank_behind_a_number() -> None:
    dialog = found(
        "─" * 24,
        " Bash command",
        " Do you want to",
        " proceed?",
        " ❯ 1. Yes",
        "   2.Yes, and always",
        "     allow access to",
        "     workspace/",
        "   3. No",
        " Esc to cancel · Tab to",
        " amend",
    )
    assert dialog.options == (
        Option("Yes", 1, marked=True),
        Option("Yes, and always", 2, more="allow access to workspace/"),
        Option("No", 3),
    )


@pytest.mark.parametrize("text", ["2.5 GB are free", "2.x is newest", "2...", "2.1.325"])
def test_a_number_in_the_text_under_an_option_is_none_of_its_own(text: str) -> None:
    dialog = found(RULE, "Which?", "❯ 1. This", f"     {text}", "  2. That")
    assert labels(dialog) == ("This", "That")
    assert dialog.options[0].more == text


TAIL = (
    "     here is a good choice",
    "  2. SQLite",
    "     Simple",
    "  3. MariaDB",
    "     3. times as old",
    "  4. Type something.",
)


@pytest.mark.parametrize("marked", ["  2. SQLite", "❯ 2. SQLite"])
def test_the_end_of_a_list_that_begins_above_the_screen_can_be_read(marked: str) -> None:
    rows = (TAIL[0], marked, *TAIL[2:], "─" * 80, "  5. Chat about this", "", HINT)
    assert find_dialog(rows) is None
    tail = find_tail(rows)
    assert tail is not None
    assert [(each.number, each.label) for each in tail.options] == [
        (2, "SQLite"),
        (3, "MariaDB"),
        (4, "Type something."),
        (5, "Chat about this"),
    ]


@pytest.mark.parametrize(
    "rows", [(*TAIL, "", "and so on"), (RULE, *TAIL, HINT), ("  1. PostgreSQL", *TAIL[1:], HINT), ("● Hello", HINT), ()]
)
def test_what_does_not_end_in_keys_or_begins_in_sight_is_no_end_of_a_list(rows: tuple[str, ...]) -> None:
    assert find_tail(rows) is None


def test_what_was_said_above_is_no_option_of_a_list_with_numbers() -> None:
    assert find_dialog(("❯ ask me", *TAIL[1:], HINT)) is None


# Recorded


@pytest.mark.parametrize("version", VERSIONS)
def test_a_recorded_question_offers_its_options_with_their_digits(version: str) -> None:
    first, second, review = (dialog_on(screen) for screen in dialog_screens(version, "question"))
    assert first.question == "Which database should we use?"
    assert [(option.number, option.label) for option in first.options] == [
        (1, "PostgreSQL"),
        (2, "SQLite"),
        (3, "MySQL"),
        (4, "Type something."),
        (5, "Chat about this"),
    ]
    assert first.options[0].more == "Robust"
    assert labels(second) == ("Python", "Go", "Type something.", "Chat about this")
    assert labels(review) == ("Submit answers", "Cancel")


def test_the_recorded_trust_dialog_of_2_1_197_has_digits_and_that_of_2_1_325_has_none() -> None:
    old, new = (dialog_on(dialog_screens(version, "trust-then-text")[0]) for version in VERSIONS)
    assert [(option.number, option.label) for option in old.options] == [(1, "Yes, I trust this folder"), (2, "No, exit")]
    assert [(option.number, option.label) for option in new.options] == [(None, "No, exit"), (None, "Yes, I trust this folder")]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_recorded_plan_ends_with_what_to_change(version: str) -> None:
    dialog = dialog_on(dialog_screens(version, "plan")[0])
    assert dialog.question.endswith("Would you like to proceed?")
    assert labels(dialog) == ("Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change")


# Signatures


DIALOG = found(
    RULE,
    " Bash command",
    "   ls",
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and always allow ls",
    "   3. No",
    " Esc",
)


def test_the_first_signature_that_fits_is_the_one() -> None:
    narrow = Signature("permission", tool="Bash", title=re.compile("^Bash command"))
    wide = Signature("permission", question=re.compile("proceed"))
    assert recognize(DIALOG, (narrow, wide)) is narrow
    assert recognize(DIALOG, (wide, narrow)) is wide
    assert recognize(DIALOG, (Signature("plan", title=re.compile("^Plan")),)) is None


@pytest.mark.parametrize(
    "pattern",
    [{"title": "^Bash"}, {"question": "proceed"}, {"hint": "^Esc"}, {"label": "^No$"}, {"title": "Bash", "label": "always"}],
)
def test_all_patterns_of_a_signature_must_be_found(pattern: dict[str, str]) -> None:
    table = {"kind": "permission", **pattern}
    assert recognize(DIALOG, signatures([table], source="x")) is not None
    assert recognize(DIALOG, signatures([{**table, "hint": "nowhere"}], source="x")) is None


def test_of_the_wanted_labels_the_first_that_is_offered_counts() -> None:
    assert label_for(("Aye", "Yes"), DIALOG) == Option("Yes", 1, marked=True)
    assert label_for(("Aye",), DIALOG) is None
    assert label_for((), DIALOG) is None


def test_a_label_that_ends_in_an_ellipsis_stands_for_all_that_begin_so() -> None:
    assert label_for(("Yes, and always allow…",), DIALOG) == Option("Yes, and always allow ls", 2)
    assert label_for(("Yes, and always allow",), DIALOG) is None


def test_signatures_are_read_from_tables() -> None:
    table = {"kind": "plan", "title": "^Ready", "accept": "Yes", "deny": ["No", "Tell…"]}
    assert signatures([table], source="x") == (
        Signature("plan", title=re.compile("^Ready"), accept=("Yes",), deny=("No", "Tell…")),
    )


def test_a_wrong_table_is_told_by_its_number() -> None:
    with pytest.raises(ConfigError, match="x: dialog 2: kind"):
        signatures([{"kind": "plan"}, {"kind": "plant"}], source="x")
