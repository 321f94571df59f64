"""Shaped like the log of the real one, which `tests/unit/agents/gemini/test_mentions.py` reads."""

from pathlib import Path

from coop_sim.gemini.mentions import parts_with_files


def test_what_is_in_a_file_stands_behind_the_prompt_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("some notes\nof two lines\n")
    assert [part["text"] for part in parts_with_files("look at @notes.txt please", tmp_path)] == [
        "look at @notes.txt please",
        "\n--- Content from referenced files ---",
        "\nContent from @notes.txt:\n",
        "some notes\nof two lines",
        "\n--- End of content ---",
    ]


def test_a_name_of_no_file_is_only_a_word(tmp_path: Path) -> None:
    assert parts_with_files("ask @nobody, or me@notes.txt", tmp_path) == [{"text": "ask @nobody, or me@notes.txt"}]
