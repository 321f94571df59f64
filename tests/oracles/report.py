"""What the oracles said, as the page docs/evidence/rendering.md."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby

from bench.agents.page import Bar, bars

from .shown import show, show_steps
from .verdicts import Judged, Judgement, Verdict, agreement

_INTRO = """\
# Rendering

Every case is played to our screen, to xterm.js without a window, and to a tmux pane of the same size. Compared
are the text, the cursor, the active screen, the title, the style of every character and the colour of every
blank; the width of every character with xterm.js only, because tmux does not tell it. A cursor that waits past
the right edge counts as on the last column. Widths follow grapheme clusters (mode 2027).

The cases were written before any terminal was asked, and none was changed or dropped since: their SHA-256 was
75bcea4b0c90 then.
"""

_CORRECTIONS = """\
## What was corrected after the first run

The first run had 336 of 373 (90.1 %). No case and nothing of ours was changed; the way the oracles are read was,
four times:

- The graphemes addon of xterm.js reads its table from the wrong place in Node's buffer pool and then takes every
  character beyond the BMP for narrow. It now loads outside the pool. `a-skin-tone` and `rainbow-flag` left the
  list of disagreements by it.
- xterm.js can keep the second half of a wide character whose first half is gone; it takes a column, and was not
  counted. `ich-splits-a-wide-character` left the list by it.
- tmux 3.3 captures no blanks after the last character of a row. A mark in the last column now makes it tell their
  colour.
- tmux takes a cluster apart when a read ends inside it, by chance. Chunks now reach it in one write; our screen
  and xterm.js still get them one by one.
"""


def page(verdicts: Sequence[Verdict], judged: Judged, *, command: str, versions: Iterable[str], seconds: float) -> str:
    return "\n".join(
        (
            _INTRO,
            _facts(verdicts, command, versions, seconds),
            *_groups(verdicts),
            *_alone(verdicts, judged.alone),
            *_followed(judged.followed),
            *_undecided(verdicts),
            _CORRECTIONS,
        )
    )


def _facts(verdicts: Sequence[Verdict], command: str, versions: Iterable[str], seconds: float) -> str:
    digest = sha256(repr(tuple(verdict.case for verdict in verdicts)).encode()).hexdigest()[:12]
    agreeing = sum(not verdict.stands_alone for verdict in verdicts)
    met = bars(
        Bar("cases", len(verdicts), least=120),
        Bar(f"of them agree with xterm or tmux ({agreeing})", 100 * agreement(verdicts), unit=" %", least=90),
    )
    return f"""\
- command: `{command}` ({seconds:.0f} s)
- versions: {", ".join(versions)}
- cases: SHA-256 {digest}

{met}
"""


def _groups(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "| group | cases | both | xterm only | tmux only | neither |"
    yield "|---|---:|---:|---:|---:|---:|"
    for group, some in groupby(verdicts, key=lambda verdict: verdict.case.group):
        yield _counts(group, list(some))
    yield _counts("**all**", verdicts) + "\n"


def _counts(name: str, verdicts: Sequence[Verdict]) -> str:
    kinds = [(not verdict.from_xterm, not verdict.from_tmux) for verdict in verdicts]
    counts = (kinds.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False)))
    return f"| {name} | {len(kinds)} | {' | '.join(map(str, counts))} |"


def _alone(verdicts: Sequence[Verdict], judged: dict[str, Judgement]) -> Iterator[str]:
    defects = sum(judgement.ours_is == "defect" for judgement in judged.values())
    yield f"## Where neither agrees: {len(judged)}, of which {defects} are defects\n"
    for verdict in verdicts:
        if verdict.stands_alone:
            yield from _difference(verdict, judged[verdict.case.name])


def _difference(verdict: Verdict, judgement: Judgement) -> Iterator[str]:
    yield f"### {verdict.case.name}\n"
    yield f"{show_steps(verdict.case.steps)}\n"
    for name, seen in (("xterm", verdict.xterm), ("tmux", verdict.tmux), ("ours", verdict.ours)):
        yield f"- {name}: {show(seen, verdict)}"
    yield f"\n**{judgement.ours_is}**: {judgement.because}\n"


def _followed(judged: dict[str, Judgement]) -> Iterator[str]:
    yield f"## Where we agree with tmux, but xterm has the better right: {len(judged)}\n"
    yield from (f"- {name} (**{judgement.ours_is}**): {judgement.because}" for name, judgement in judged.items())
    yield ""


def _undecided(verdicts: Sequence[Verdict]) -> Iterator[str]:
    split = [verdict for verdict in verdicts if bool(verdict.from_xterm) != bool(verdict.from_tmux)]
    yield f"## Where xterm and tmux disagree and we follow one: {len(split)}\n"
    yield "| case | we follow | the other differs in |"
    yield "|---|---|---|"
    for verdict in split:
        followed, differing = ("tmux", verdict.from_xterm) if verdict.from_xterm else ("xterm", verdict.from_tmux)
        yield f"| {verdict.case.name} | {followed} | {', '.join(differing)} |"
    yield ""
