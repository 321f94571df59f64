"""A prompt as people read it: the tool and all it is given, the plan, the questions, the options."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from coop.cli.looks import ASKS, DIM, cut, harmless, one_line, painted
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup

BAR = "│ "
_LONGEST_SUMMARY = 100


def summary(prompt: Prompt) -> str:
    """On one line, for lists."""
    return cut(one_line(_in_short(prompt)), _LONGEST_SUMMARY)


def _in_short(prompt: Prompt) -> str:
    match prompt:
        case Permission(tool=tool, input=given):
            telling = next((given[key] for key in ("command", "file_path", "url", "pattern", "prompt") if key in given), "")
            return f"{tool or 'permission'}: {telling}" if telling else tool or "permission"
        case Plan(text=text):
            return next((line.strip("# ") for line in text.splitlines() if line.strip("# ")), "a plan")
        case Setup(subtype=subtype, text=text):
            return subtype or text
        case Question(text=text):
            return text


def shown(prompt: Prompt) -> list[str]:
    """All that is needed to decide."""
    return [painted(harmless(_title(prompt)), ASKS), *_body(prompt), *_numbered(choices_of(prompt))]


def _title(prompt: Prompt) -> str:
    match prompt:
        case Permission(tool=tool, subagent=subagent):
            return f"May {tool or 'this'} run?{f' (asked by subagent {subagent})' if subagent else ''}"
        case Plan(file=file):
            return f"May this plan be carried out?{f' ({file})' if file else ''}"
        case Question(queries=queries, text=text):
            return text if len(queries) < 2 else f"{len(queries)} questions"
        case Setup(subtype=subtype, text=text, screen_lines=lines):
            return f"Before it starts: {subtype}" if lines or not text else text


def _body(prompt: Prompt) -> Iterator[str]:
    match prompt:
        case Permission(input=given) if given:
            yield from _input(given)
        case Plan(text=text):
            yield from _barred(text)
        case Permission(screen_lines=lines) | Setup(screen_lines=lines):
            yield from _barred("\n".join(lines))
        case Question():
            return


def _input(given: Mapping[str, object]) -> Iterator[str]:
    for key, value in given.items():
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        first, *more = harmless(text).splitlines() or [""]
        yield f"{BAR}{painted(f'{harmless(key)}:', DIM)} {first}"
        yield from (f"{BAR}  {line}" for line in more)


def _barred(text: str) -> Iterator[str]:
    lines = (line for line in harmless(text).strip("\n").splitlines() if not line or line.strip(" ─━═"))
    yield from (f"{BAR}{line}".rstrip() for line in lines)


def choices_of(prompt: Prompt) -> Sequence[Choice]:
    """What is on offer; of several questions, none: each has its own."""
    if isinstance(prompt, Question) and len(prompt.queries) > 1:
        return ()
    if isinstance(prompt, Question) and prompt.queries:
        return prompt.queries[0].choices
    return tuple(Choice(label) for label in prompt.options)


def query_shown(query: Query) -> list[str]:
    header = f"{painted(harmless(query.header), DIM)}  " if query.header else ""
    return [f"{header}{painted(harmless(query.text), ASKS)}", *_numbered(query.choices)]


def _numbered(choices: Sequence[Choice]) -> Iterator[str]:
    for number, choice in enumerate(choices, 1):
        described = painted(f"  {one_line(choice.description)}", DIM) if choice.description else ""
        yield f"  {number}. {one_line(choice.label)}{described}"
