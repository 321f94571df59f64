"""docs/evidence/claude-hooks.md"""

from collections.abc import Sequence
from statistics import median

from bench.agents.kept import Item
from bench.agents.page import Bar, bars, head
from bench.claude.arms import ARMS, ASYNC, BARE, EMPTY, OFF, ON
from bench.claude.hooks import TOOLS
from bench.claude.subject import CLAUDE, VERSIONS
from bench.figures import percentile, ratios, summarize
from bench.report import number, table

ABOUT = f"""Turn by turn, in an order that changes with every round, the same Claude Code with coop's hooks (*{ON}*), under coop without any
(*{OFF}*: `--agent unknown`), on a bare PTY with HTTP hooks that a server of ours answers at once with nothing (*{EMPTY}*: the
least any HTTP hook costs Claude Code itself), on one with commands that Claude starts and does not wait for (*{ASYNC}*: they could
answer nothing, and still cost) and on one without any (*{BARE}*). The pretend model answers without
delay (but the one answer of a text turn after 0.1 s, or Claude would not write that it was busy). Two hooks of ours are awaited in a turn: UserPromptSubmit, between Enter and the first request, and Stop, between the
last byte of the last answer and Claude's own word (its status file) that it is idle. PermissionRequest runs beside the
dialog and is not waited for; tools have no hook of ours. *Added* is the difference to another arm in the same round, so
the jitter of both is in its p95."""
WAY = f"""What stands in the way. Of *{EMPTY}* we know when each hook came to us and when it was answered, at once. What it costs lies
behind that: whenever Claude waits for anything it first draws a frame, and looks at an answer that has long been there only after it."""
SPANS = {"to_first": "UserPromptSubmit: Enter to the first request", "to_idle": "Stop: last byte to idle"}


def write(items: Sequence[Item], *, command: str, at: str) -> str:
    against = {arm: _added(items, arm) for arm in (OFF, EMPTY)}
    met = bars(
        Bar("awaited hook calls", len(against[OFF]), least=200),
        Bar(f"added by an awaited hook, {ON} − {OFF}, median", median(against[OFF]), 10, " ms"),
        Bar(f"added by an awaited hook, {ON} − {OFF}, p95", percentile(against[OFF], 95), 40, " ms"),
        Bar(f"of these, over a hook that does nothing, {ON} − {EMPTY}, median", median(against[EMPTY]), 10, " ms"),
        Bar(f"of these, over a hook that does nothing, {ON} − {EMPTY}, p95", percentile(against[EMPTY], 95), 40, " ms"),
    )
    loads = sorted(item["load"] for item in items)
    n = (
        f"{len(against[OFF])} awaited hook calls under coop, in {len(items)} rounds. The machine's load, others' included, was "
        f"{median(loads):.1f} ({loads[0]:.1f}–{loads[-1]:.1f})."
    )
    parts = [
        head(CLAUDE, "What coop's hooks cost", items, command=command, at=at),
        ABOUT,
        n,
        met,
        _spans(items),
        _added_table(items),
        WAY,
        _way(items),
        _ratio(items),
    ]
    return "\n\n".join(parts) + "\n"


def _turns(items: Sequence[Item]) -> list[dict[str, dict[str, float]]]:
    return [turn for item in items for turn in (item["text"], item["tools"]) if turn]


PAIRS = ((ON, OFF), (ON, EMPTY), (ON, BARE), (EMPTY, BARE), (ASYNC, BARE))


def _added(items: Sequence[Item], arm: str, *spans: str, by: str = ON) -> list[float]:
    return [turn[by][span] - turn[arm][span] for turn in _turns(items) for span in spans or SPANS]


def _spans(items: Sequence[Item]) -> str:
    lines: list[list[str]] = []
    for version in VERSIONS:
        turns = _turns([item for item in items if item["version"] == version])
        for span, says in SPANS.items():
            cells = [[turn[arm][span] for turn in turns] for arm in ARMS]
            lines.append(
                [says, version, str(len(turns)), *(f"{median(each):.1f} / {percentile(each, 95):.0f}" for each in cells)]
            )
    return table(["median / p95 ms", "version", "n", *ARMS], lines)


def _added_table(items: Sequence[Item]) -> str:
    lines: list[list[str]] = []
    for version in VERSIONS:
        own = [item for item in items if item["version"] == version]
        for span, says in SPANS.items():
            for by, arm in PAIRS:
                added, apart = _added(own, arm, span, by=by), _p95(own, by, span) - _p95(own, arm, span)
                figures = (f"{each:.1f}" for each in (median(added), percentile(added, 95), apart))
                lines.append([says, version, f"{by} − {arm}", str(len(added)), *figures])
    return table(["added", "version", "against", "n", "median ms", "p95 ms", "p95 − p95 ms"], lines)


STAGES = {
    "to_first": ("Enter", "to_submit", "from_submit", "first request"),
    "to_idle": ("last byte", "to_stop", "from_stop", "idle"),
}


def _way(items: Sequence[Item]) -> str:
    lines: list[list[str]] = []
    for version in VERSIONS:
        turns = [item["text"] for item in items if item["version"] == version]
        for span, (begin, before, after, end) in STAGES.items():
            stages = [[turn[EMPTY][stage] for turn in turns] for stage in (before, after)]
            bare = [turn[BARE][span] for turn in turns]
            lines.append([f"{begin} to {end}", version, *(f"{median(each):.1f}" for each in (*stages, bare))])
    return table(["median ms", "version", "to the hook", "from its answer on", f"{BARE}, all of it"], lines)


def _p95(items: Sequence[Item], arm: str, span: str) -> float:
    return percentile([turn[arm][span] for turn in _turns(items)], 95)


def _ratio(items: Sequence[Item]) -> str:
    lines: list[list[str]] = []
    for version in VERSIONS:
        rounds = [item["tools"] for item in items if item["version"] == version and item["tools"]]
        for arm in (OFF, EMPTY, BARE):
            ratio = summarize(ratios(rounds, (ON, "turn"), (arm, "turn")))
            times = [median(each[name]["turn"] for each in rounds) for name in (ON, arm)]
            cells = [number(ratio.median), f"{number(ratio.low)}–{number(ratio.high)}", *(f"{each:.0f}" for each in times)]
            lines.append([version, f"{ON} : {arm}", str(len(rounds)), *cells])
    return table([f"a turn of {TOOLS} tool calls", "", "n", "ratio, median", "spread", "coop, ms", "the other, ms"], lines)
