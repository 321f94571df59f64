"""Laws of recordings: whatever came in gives the same events again, wherever the file is cut; and no secret leaves in an export."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from coop.agents import UNKNOWN, Agent
from coop.agents.claude import claude
from coop.model.ids import HookId, RequestId
from coop.model.records import Asked, HookAsked, HookGone, HookRecord, Item, LogLine, LogTold, PlanText, StatusText, Written
from coop.model.screen import Size
from coop.session.redaction import Redactor, Secrets
from coop.session.replay import agent_of, replay
from coop.wire.recording import Received, read
from tests.playbooks.claude import RESTS, WORKS, asks, bash, shows, told
from tests.properties.test_laws import STEPS
from tests.unit.session.recordings import recording
from tests.unit.session.test_redaction import KEY

CLAUDES = st.sampled_from(
    (
        RESTS,
        WORKS,
        shows(bash("ls")),
        asks(1, "ls"),
        asks(2, "rm x"),
        told("Stop", 3),
        told("UserPromptSubmit", 4, prompt="go"),
        HookRecord(b'{"event":"SessionStart","data":{"source":"startup"}}'),
        HookGone(HookId(1)),
        HookGone(HookId(2)),
        HookAsked(HookId(5), "\udcff", b"\xff"),
        LogLine(b'{"type":"user","message":{"content":"go"},"timestamp":"2027-01-15T08:00:00Z"}', 1_800_000_000.0),
        StatusText(b'{"status":"busy"}', 1_800_000_000.0),
        StatusText(b'{"status":"idle"}', 1_800_000_000.0),
        LogTold(b'{"type":"user","message":{"content":"go"}}\n{"type":"system","subtype":"turn_duration"}', 1_800_000_000.0),
        PlanText("/p.md", "# q"),
        Written(1),
        Written(3),
    )
)
SECONDS = st.floats(0, 3, allow_nan=False)


def _timed(steps: list[object], pauses: list[float]) -> list[tuple[float, Item]]:
    now, found = 1000.0, list[tuple[float, Item]]()
    for number, step in enumerate(steps, 1):
        now += pauses[number % len(pauses)]
        match step:
            case str():
                continue
            case (command, connection):
                found.append((now, Asked(RequestId(number), command, connection)))  # type: ignore[arg-type]
            case item:
                found.append((now, item))  # type: ignore[arg-type]
    return found


def _replays(data: bytes) -> bool:
    again = read(data, source="x")
    return replay(again, agent_of(again.header)).is_same


@given(
    steps=st.lists(STEPS, max_size=2).map(lambda parts: [step for part in parts for step in part]),
    more=st.lists(CLAUDES, max_size=20),
    pauses=st.lists(SECONDS, min_size=1, max_size=5),
    is_claude=st.booleans(),
)
def test_any_inbox_gives_the_same_events_again(
    steps: list[object], more: list[Item], pauses: list[float], is_claude: bool
) -> None:
    agent: Agent = claude() if is_claude else UNKNOWN
    mixed = [
        each for pair in zip([*steps, *["wait"] * len(more)], [*more, *["wait"] * len(steps)], strict=True) for each in pair
    ]
    items = _timed(mixed, pauses)
    data = recording(items, agent=agent, size=Size(60, 15))
    assert _replays(data)
    kept = [line.item for line in read(data, source="x").lines if isinstance(line, Received)]
    assert [_plain(item) for item in kept] == [_plain(item) for _, item in items]


def _plain(item: Item) -> str:
    return re.sub(r"[\ud800-\udfff]|\\udc..|\?|�", "?", repr(item))


@given(steps=STEPS, cut=st.integers(0, 4000))
def test_a_recording_can_be_cut_anywhere(steps: list[object], cut: int) -> None:
    data = recording(_timed(steps, [0.5]), size=Size(20, 5))
    header = data.index(b"\n") + 1
    assert _replays(data[: min(header + cut, len(data))])


PIECES = st.lists(
    st.sampled_from([KEY, "\x1b[31m", "\x1b[0m", "\x1b[2;5H", " ", "\r\n", "text", "─", "\x1b]0;title\x07", "漢"])
    | st.text(max_size=3),
    max_size=12,
)
SEQUENCES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07")


@given(pieces=PIECES, cuts=st.lists(st.integers(0, 400), max_size=6))
def test_a_secret_never_survives_however_it_is_cut(pieces: list[str], cuts: list[int]) -> None:
    text = "".join((*pieces, KEY, *pieces))
    stream = text.encode("utf-8", "replace")
    edges = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    chunks = [stream[start:end] for start, end in pairwise(edges)]
    redactor = Redactor(Secrets.of())
    redactor.learn(chunks)
    found = redactor.mask(chunks)
    assert [len(chunk) for chunk in found] == [len(chunk) for chunk in chunks]
    whole = b"".join(found).decode("utf-8", "replace")
    assert KEY[7:] not in SEQUENCES.sub("", whole)
    before = SEQUENCES.findall(stream.decode("utf-8", "replace"))
    assert SEQUENCES.findall(whole) == before
    assert redactor.removed["anthropic_key"] >= 1


@given(secret=st.text("ABCDEFabcdef0123456789_-", min_size=14, max_size=40), at=st.integers(0, 60), colour=st.integers(0, 60))
def test_a_secret_split_at_any_byte_never_survives(secret: str, at: int, colour: int) -> None:
    key = f"sk-ant-{secret}"
    stream = f"a {key[:colour]}\x1b[1m{key[colour:]}\x1b[0m b".encode()
    redactor, chunks = Redactor(Secrets.of()), [stream[:at], stream[at:]]
    redactor.learn(chunks)
    found = b"".join(redactor.mask(chunks))
    assert len(found) == len(stream)
    assert secret.encode() not in found.replace(b"\x1b[1m", b"")
    assert found.startswith(b"a ")
    assert found.endswith(b"\x1b[0m b")
