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
    previews: tuple[str, ...] = ()
    """What each option would look like; empty when none of them says."""

    @property
    def other(self) -> int:
        return len(self.options)

    @property
    def chat(self) -> int:
        """The row to talk about it, behind that for one's own words; where previews are shown, there is none for words."""
        return self.other if self.previews else self.other + 1

    def preview(self, label: str) -> str:
        return dict(zip((each for each, _ in self.options), self.previews, strict=False)).get(label, "")


def questions_in(tool_input: Table) -> tuple[Question, ...]:
    return tuple(_question(as_table(one)) for one in as_list(tool_input.get("questions")))


def _question(one: Table) -> Question:
    listed = [as_table(option) for option in as_list(one.get("options"))]
    options = tuple((as_text(option.get("label")), as_text(option.get("description"))) for option in listed)
    is_multiple = one.get("multiSelect") is True
    previews = tuple(as_text(option.get("preview")) for option in listed)
    shown = previews if any(previews) and not is_multiple else ()
    return Question(as_text(one.get("question")), as_text(one.get("header")), options, is_multiple, shown)
