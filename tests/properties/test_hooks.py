"""Every hook is answered exactly once or has gone, and every command is answered exactly once, whatever comes in between."""

import json
from typing import cast

from hypothesis import example, given
from hypothesis import strategies as st

from coop.agents.claude import claude
from coop.model.commands import Answer, Command, ConfigureStop, Nudge, ResolveStop, Respond, Type, When
from coop.model.ids import HookId, PromptId, RequestId
from coop.model.records import (
    Asked,
    ChildExited,
    HookAsked,
    HookGone,
    Item,
    LogLine,
    Output,
    OutputEnded,
    ShuttingDown,
    Started,
    StatusText,
    Tick,
    Written,
)
from coop.model.screen import XTERM, Size
from coop.model.state import ExitStatus
from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.session.core import CoreSettings, SessionCore
from coop.session.effects import Abandon, Publish, Reply, ReplyHook, Write
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from tests.playbooks.claude import RESTS, WORKS, bash, shows
from tests.unit.agents.claude.screens import RULE, drawn

QUESTION = {"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}], "multiSelect": False}]}
ASKING = drawn(RULE, "Which?", "❯ 1. A", "  2. B", "  3. Type something.", RULE, "  4. Chat about this")
TRUST = drawn(RULE, " Accessing workspace:", "   No, exit", " ❯ Yes, I trust this folder", " Enter to confirm")
Hook = tuple[str, dict[str, object]]
Step = tuple[str, object]
BODIES: st.SearchStrategy[Hook] = st.sampled_from(
    [
        ("PermissionRequest", {"tool_name": "Bash", "tool_input": {"command": "ls"}}),
        ("PermissionRequest", {"tool_name": "Bash", "tool_input": {"command": "rm -rf tmp"}}),
        ("PermissionRequest", {"tool_name": "ExitPlanMode", "tool_input": {"plan": "p"}}),
        ("PermissionRequest", {"tool_name": "AskUserQuestion", "tool_input": QUESTION}),
        ("PermissionRequest", {}),
        ("UserPromptSubmit", {"prompt": "fix it"}),
        ("Stop", {}),
        ("Stop", {"background_tasks": [{"id": 1}]}),
        ("StopFailure", {"error": "rate_limit"}),
        ("Unheard", {}),
    ]
)
RECORDS: st.SearchStrategy[Item] = st.sampled_from(
    [
        *(StatusText(json.dumps({"status": word}).encode(), 0.0) for word in ("idle", "busy", "waiting")),
        LogLine(b'{"type":"user","message":{"content":"fix it"}}', 0.0),
        LogLine(b'{"type":"user","message":{"content":"[Request interrupted by user]"}}', 0.0),
        LogLine(b'{"type":"system","subtype":"turn_duration"}', 0.0),
        LogLine(b"torn", 0.0),
        *(RESTS, WORKS, shows(bash("ls")), shows(bash("rm -rf tmp")), shows(ASKING), shows(TRUST), Output(b"\x1b[2J")),
        *(Output(b"\x1b]7501;state=working:app=claude-code\x07"), ShuttingDown(5.0), OutputEnded(), Tick()),
    ]
)
PROMPTS = st.none() | st.sampled_from([PromptId("p1"), PromptId("p2"), PromptId("p9")])
RESPONDS = st.builds(
    Respond,
    accept=st.none() | st.booleans(),
    option=st.none() | st.integers(0, 5),
    text=st.none() | st.just("words"),
    answers=st.sampled_from([(), (Answer((1,)),), (Answer(text="x"), Answer((1,)))]),
    always=st.booleans(),
    prompt_id=PROMPTS,
    by_keys=st.booleans(),
)
NUDGES = st.builds(
    Nudge,
    st.sampled_from(["fix it", "/clear", ""]),
    st.sampled_from(When),
    raw=st.booleans(),
    key=st.none() | st.sampled_from("ab"),
)
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    NUDGES,
    st.just(Type("x")),
    st.sampled_from([ConfigureStop(StopConfig(StopMode.GATE, "not yet", 2)), ResolveStop(StopSignal("complete"))]),
)
HOOK_STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("hook"), BODIES),
    st.tuples(st.just("gone"), st.integers(1, 6)),
    st.tuples(st.just("wait"), st.sampled_from([0.05, 0.4, 1.0, 4.0])),
    st.just(("drain", None)),
    RECORDS.map(lambda item: ("item", item)),
)
STEPS: st.SearchStrategy[list[Step]] = st.lists(HOOK_STEPS | st.tuples(st.just("ask"), COMMANDS | RESPONDS), max_size=25)
"""Hooks, answers to them, and whatever else may happen."""
UNTYPED: st.SearchStrategy[list[Step]] = st.lists(HOOK_STEPS | st.tuples(st.just("ask"), COMMANDS), max_size=25)
"""The same without answers."""


class Conversation:
    """Performs what the core wants, and counts who was answered."""

    def __init__(self, *, accepts_setup: bool) -> None:
        screen = GhosttyScreen(Size(120, 40), XTERM)
        settings = CoreSettings("e", 5.0, accepts_setup=accepts_setup)
        self.core = SessionCore(settings, agent=claude(), screen=screen, ring=Ring(4096), now=0.0)
        self.now = 0.0
        self.hooks: set[int] = set()
        self.gone: set[int] = set()
        self.hook_replies: list[int] = []
        self.asked: list[int] = []
        self.replies: list[int] = []
        self.unwritten = 0

    def step(self, kind: str, value: object) -> None:
        match kind, value:
            case "hook", _:
                event, body = cast("Hook", value)
                self.hooks.add(len(self.hooks) + 1)
                self.post(HookAsked(HookId(len(self.hooks)), event, json.dumps(body).encode()))
            case "gone", int(hook) if hook in self.hooks - self.gone - set(self.hook_replies):
                self.gone.add(hook)
                self.post(HookGone(HookId(hook)))
            case "wait", float(seconds):
                self.wait(seconds)
            case "drain", _ if self.unwritten:
                self.post(Written(self.unwritten))
            case "ask", command:
                self.asked.append(len(self.asked) + 1)
                self.post(Asked(RequestId(len(self.asked)), command))  # type: ignore[arg-type]
            case "item", item:
                self.post(item)  # type: ignore[arg-type]
            case _:
                pass

    def post(self, item: Item) -> None:
        if isinstance(item, Written):
            self.unwritten = 0
        was_over = self.core.ended is not None
        for effect in self.core.receive(item, self.now):
            match effect:
                case ReplyHook(hook):
                    assert hook not in self.gone, f"hook {hook} had gone"
                    self.hook_replies.append(hook)
                case Reply(request):
                    self.replies.append(request)
                case Write(data):
                    assert not self.unwritten, "a write began before the last one was taken"
                    self.unwritten = len(data)
                case Abandon():
                    self.unwritten = 0
                case Publish(event):
                    assert not was_over, f"published after the end: {event}"
                case _:
                    pass

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        for _ in range(1000):
            deadline = self.core.deadline()
            if deadline is None or deadline > end:
                break
            self.now = max(self.now, deadline)
            self.post(Tick())
        else:
            raise AssertionError("the core never settles")
        self.now = end

    def ends(self) -> None:
        self.post(ChildExited(ExitStatus(0)))
        self.post(OutputEnded())
        self.wait(5.0)
        assert self.core.ended is not None


def held(steps: list[Step], *, accepts_setup: bool) -> Conversation:
    conversation = Conversation(accepts_setup=accepts_setup)
    conversation.post(Started(7))
    for kind, value in steps:
        conversation.step(kind, value)
    conversation.ends()
    return conversation


@given(steps=STEPS, accepts_setup=st.booleans())
def test_every_hook_is_answered_exactly_once_or_has_gone(steps: list[Step], accepts_setup: bool) -> None:
    conversation = held(steps, accepts_setup=accepts_setup)
    assert sorted(conversation.hook_replies) == sorted(conversation.hooks - conversation.gone)


@given(steps=UNTYPED)
def test_every_nudge_is_answered_exactly_once(steps: list[Step]) -> None:
    conversation = held(steps, accepts_setup=False)
    assert sorted(conversation.replies) == conversation.asked


GONE_BEFORE_IT_IS_TYPED: list[Step] = [
    ("hook", ("PermissionRequest", {"tool_name": "Bash", "tool_input": {"command": "ls"}})),
    ("item", shows(bash("ls"))),
    ("wait", 0.4),
    ("ask", Respond(option=2)),
    ("item", WORKS),
    ("wait", 4.0),
]


@example(steps=GONE_BEFORE_IT_IS_TYPED)
@given(steps=STEPS)
def test_every_answer_is_answered_exactly_once(steps: list[Step]) -> None:
    conversation = held(steps, accepts_setup=False)
    assert sorted(conversation.replies) == conversation.asked
