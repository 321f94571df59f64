"""One question of AskUserQuestion."""

from dataclasses import dataclass

from coop_sim.shapes import Table, as_list, as_table, as_text


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    header: str
    options: tuple[tuple[str, str], ...]
    """Label and description."""
    is_multiple: bool = False

    @property
    def other(self) -> int:
        return len(self.options)


def questions_in(tool_input: Table) -> tuple[Question, ...]:
    return tuple(_question(as_table(one)) for one in as_list(tool_input.get("questions")))


def _question(one: Table) -> Question:
    listed = [as_table(option) for option in as_list(one.get("options"))]
    options = tuple((as_text(option.get("label")), as_text(option.get("description"))) for option in listed)
    return Question(as_text(one.get("question")), as_text(one.get("header")), options, one.get("multiSelect") is True)
