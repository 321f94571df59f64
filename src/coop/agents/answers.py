"""Answers to questions, held against what was asked."""

from collections.abc import Sequence

from coop.errors import BadRequest
from coop.model.commands import Answer, Respond
from coop.model.prompt import Permission, Prompt, Query, Question, Setup


def answers(respond: Respond, prompt: Question) -> Sequence[Answer]:
    """One for each question. Raises `BadRequest` when they do not fit."""
    given = respond.answers
    if not given and respond.option is not None:
        given = (Answer((respond.option,)),)
    elif not given and respond.text is not None:
        given = (Answer(text=respond.text),)
    if len(given) != len(prompt.queries):
        raise BadRequest(f"answers: expected {len(prompt.queries)}, one for each question, got {len(given)}")
    for n, (answer, query) in enumerate(zip(given, prompt.queries, strict=True), 1):
        _check(answer, query, n)
    return given


def _check(answer: Answer, query: Query, n: int) -> None:
    if not answer.options and not (answer.text or "").strip():
        raise BadRequest(f"answers: question {n} has no answer; give option, options or text")
    if len(answer.options) + bool(answer.text) > 1 and not query.takes_many:
        raise BadRequest(f"answers: question {n} takes one answer, got {len(answer.options) + bool(answer.text)}")
    for option in answer.options:
        label_of(option, query)


def label_of(option: int | str, query: Query) -> str:
    """The label meant by a number or by itself. Raises `BadRequest` for one that is not there, or there twice."""
    labels = [choice.label for choice in query.choices]
    if isinstance(option, int) and 1 <= option <= len(labels):
        return labels[option - 1]
    if labels.count(str(option)) > 1:
        raise BadRequest(f"option: {option!r} is the label of several; give its number, 1 to {len(labels)}")
    if option in labels:
        return str(option)
    raise BadRequest(f"option: expected 1 to {len(labels)} or one of {', '.join(map(repr, labels))}, got {option!r}")


def check(respond: Respond, prompt: Prompt) -> None:
    """Raises `BadRequest` for an answer that says nothing to such a prompt: it must not be taken for a no."""
    if not isinstance(prompt, Question) and respond.answers:
        raise BadRequest("answers: only a question takes them; give accept or option")
    says_nothing = respond.accept is None and respond.option is None
    if isinstance(prompt, Permission | Setup) and says_nothing:
        raise BadRequest("body: expected accept or option")
    if isinstance(prompt, Question) and not prompt.queries and says_nothing:
        raise BadRequest("body: what this dialog asks is not known, only what it offers; expected accept or option")


def chosen_label(respond: Respond, prompt: Prompt) -> str | None:
    """What is chosen by its number; `None` when nothing is. Raises `BadRequest` for one that is not offered."""
    if respond.accept is not None or respond.option is None:
        return None
    if not 1 <= respond.option <= len(prompt.options):
        raise BadRequest(f"option: expected 1 to {len(prompt.options)}, got {respond.option}")
    return prompt.options[respond.option - 1]
