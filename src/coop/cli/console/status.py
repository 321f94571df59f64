"""The line at the bottom: which session, what its agent does, what it asks, and what `coop attach` has to say."""

from dataclasses import dataclass, replace
from unicodedata import category, east_asian_width

from coop.cli.console.rows import Row
from coop.model.screen import Run, Size, Style
from coop.wire.states import PromptContext, StateName

_NONE = Size(0, 0)
_PAPER = 236
_BAR = Style(fg=252, bg=_PAPER)
_DIM = Style(fg=245, bg=_PAPER)
_NAME = Style(fg=255, bg=_PAPER, bold=True)
_WORDS: dict[StateName, tuple[str, int]] = {
    "starting": ("starting", 245),
    "working": ("working", 75),
    "waiting_for_input": ("idle", 114),
    "permission_prompt": ("asks for permission", 214),
    "plan_prompt": ("shows a plan", 214),
    "ask_user": ("asks", 214),
    "setup_prompt": ("asks before it starts", 214),
    "error": ("error", 203),
    "alt_screen": ("another program", 245),
    "exited": ("has exited", 245),
    "unknown": ("", 245),
}


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to tell."""

    name: str
    state: StateName = "unknown"
    prompt: PromptContext | None = None
    detail: str | None = None
    size: Size = _NONE
    hint: str = ""
    notice: str = ""
    """Instead of the state and the hint, while it is news."""

    def saying(self, notice: str) -> "Known":
        return replace(self, notice=notice)


def status_row(known: Known, shown: Size) -> Row:
    """As wide as what is shown."""
    name = f" {_one_line(known.name)} "
    left = [Run(0, name, len(name), _NAME)]
    words, colour = _WORDS[known.state]
    said = known.notice or _said(known)
    if words and not known.notice:
        _add(left, f" ● {words} ", Style(fg=colour, bg=_PAPER, bold=colour == 214))
    if said:
        _add(left, f" {said} ", Style(fg=214, bg=_PAPER) if known.notice else _BAR)
    return _fitted(left, _right(known, shown), shown.cols)


def _said(known: Known) -> str:
    prompt = known.prompt
    if prompt is None:
        return _one_line(known.detail or "")
    told = prompt.question or " ".join(filter(None, (prompt.tool, prompt.input_preview))) or prompt.summary or prompt.subtype
    return _one_line(told or "")


def _right(known: Known, shown: Size) -> tuple[str, ...]:
    """The best first, for where there is less room."""
    size, hidden = known.size, known.size.cols > shown.cols or known.size.rows > shown.rows
    part = f"{shown.cols}×{shown.rows} of {size.cols}×{size.rows}" if hidden else ""
    return "  ".join(filter(None, (part, known.hint))), part


def _add(runs: list[Run], text: str, style: Style) -> None:
    end = runs[-1].col + runs[-1].width
    runs.append(Run(end, text, len(text), style))


def _fitted(runs: list[Run], right: tuple[str, ...], cols: int) -> Row:
    """Cut at the right edge."""
    kept = [run._replace(text=text, width=len(text)) for run in runs if (text := run.text[: max(0, cols - run.col)])]
    end = kept[-1].col + kept[-1].width if kept else 0
    room = cols - end
    fitting = next((text for text in right if len(text) + 2 <= room), "")
    return (*kept, Run(end, f"{fitting} ".rjust(room), room, _DIM)) if room else tuple(kept)


def _one_line(text: str) -> str:
    """Every character as wide as one cell: the line must not come out wider than we think."""
    return "".join(char if _is_narrow(char) else "?" for char in " ".join(text.split()))


def _is_narrow(char: str) -> bool:
    return char.isprintable() and east_asian_width(char) not in "WF" and category(char) not in ("Mn", "Me", "Cf")
