"""Words to answers: what was given on the command line, or typed at a prompt that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from coop.cli.looks import one_line
from coop.cli.prompts import choices_of
from coop.errors import BadRequest
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.wire.http import AnswerRequest, RespondRequest

_YES, _NO, _ALWAYS = ("y", "yes"), ("n", "no"), ("a", "always")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as the command line has it."""

    accept: bool | None = None
    options: tuple[str, ...] = ()
    """Numbers or labels."""
    text: str | None = None
    answers: tuple[AnswerRequest, ...] = ()
    always: bool = False
    prompt: str | None = None
    by_keys: bool = False

    @property
    def is_empty(self) -> bool:
        return self.accept is None and not self.options and self.text is None and not self.answers and not self.always

    @property
    def needs_prompt(self) -> bool:
        """A label means nothing without what it is a label of."""
        return len(self.options) > 1 or any(not option.isdecimal() for option in self.options)


def request(given: Given, prompt: Prompt | None) -> RespondRequest:
    """`prompt` is what is asked, where it had to be looked up. Raises `BadRequest` for an option that is not on offer."""
    numbers = tuple(number_of(option, choices_of(prompt) if prompt is not None else ()) for option in given.options)
    many = (AnswerRequest(options=numbers, text=given.text),) if len(numbers) > 1 else ()
    return RespondRequest(
        accept=True if given.always and given.accept is None else given.accept,
        option=numbers[0] if len(numbers) == 1 else None,
        text=None if many else given.text,
        answers=given.answers or many,
        always=given.always,
        prompt_id=given.prompt or (prompt.id if prompt is not None else None),
        by_keys=given.by_keys,
    )


def number_of(word: str, choices: Sequence[Choice]) -> int:
    """Of an option by its number, its label, or the beginning of one."""
    if word.isdecimal() and int(word) > 0:
        return int(word)
    labels = [choice.label.casefold() for choice in choices]
    exact = [number for number, label in enumerate(labels, 1) if label == word.casefold()]
    matching = exact or [number for number, label in enumerate(labels, 1) if label.startswith(word.casefold())]
    if len(matching) != 1 or not word:
        raise BadRequest(f"--option {word!r}: expected {_on_offer(choices)}")
    return matching[0]


def _on_offer(choices: Sequence[Choice]) -> str:
    return " or ".join(f"{number} ({one_line(each.label)})" for number, each in enumerate(choices, 1)) or "a number"


def hint(prompt: Prompt) -> str:
    match prompt:
        case Permission():
            return "y yes, n no, a always, a number, or what it should do instead; Enter leaves it"
        case Plan():
            return "y yes, n no, a number, or what should be different; Enter leaves it"
        case Setup():
            return "y yes, n no, or a number; Enter leaves it"
        case Question(queries=[query, *_]):
            return query_hint(query)
        case Question():
            return "a number, or words of your own; Enter leaves it"


def query_hint(query: Query) -> str:
    return f"{'numbers, with commas between them,' if query.takes_many else 'a number'} or words of your own; Enter leaves it"


def typed(words: str, prompt: Prompt) -> RespondRequest:
    """What somebody who sees the prompt means by it. Raises `BadRequest` when that is nothing."""
    word = words.strip().casefold()
    if _numbers(word) is not None:
        return _chosen(word, prompt)
    if isinstance(prompt, Question):
        return RespondRequest(text=words.strip(), prompt_id=prompt.id)
    if word in _YES + _NO:
        return RespondRequest(accept=word in _YES, prompt_id=prompt.id)
    if word in _ALWAYS and isinstance(prompt, Permission):
        return RespondRequest(accept=True, always=True, prompt_id=prompt.id)
    if isinstance(prompt, Setup):
        raise BadRequest(f"expected {hint(prompt)}")
    return RespondRequest(accept=False, text=words.strip(), prompt_id=prompt.id)


def _chosen(word: str, prompt: Prompt) -> RespondRequest:
    numbers = _checked(_numbers(word) or (), choices_of(prompt))
    if len(numbers) == 1:
        return RespondRequest(option=numbers[0], prompt_id=prompt.id)
    return RespondRequest(answers=(AnswerRequest(options=numbers),), prompt_id=prompt.id)


def answered(words: str, query: Query) -> AnswerRequest:
    """One of several questions."""
    numbers = _numbers(words.strip())
    if numbers is None:
        return AnswerRequest(text=words.strip())
    return AnswerRequest(options=_checked(numbers, query.choices))


def _numbers(word: str) -> tuple[int, ...] | None:
    """`2`, `1,3` or `1 3`; `None` when it is something else."""
    parts = word.replace(",", " ").split()
    return tuple(int(part) for part in parts) if parts and all(part.isdecimal() for part in parts) else None


def _checked(numbers: tuple[int, ...], choices: Sequence[Choice]) -> tuple[int, ...]:
    if any(not 1 <= number <= len(choices) for number in numbers):
        raise BadRequest(f"expected {_on_offer(choices)}" if choices else "nothing is numbered here; answer in words")
    return numbers
