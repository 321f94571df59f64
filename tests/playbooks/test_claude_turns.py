"""Turns of Claude Code: how they begin and end, and the gate before the end."""

import json
from datetime import UTC, datetime

from coop.agents.claude import claude
from coop.model.commands import ConfigureStop, Done, Reason, ResolveStop
from coop.model.events import StopAllowed, StopBlocked
from coop.model.records import HookRecord, Output
from coop.model.screen import Size
from coop.model.state import AltScreen, ErrorKind, Failed, Idle, Starting, Tier, Working
from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.session.effects import FollowLog, Publish, Reply, ReplyHook
from coop.testing import Playbook
from tests.playbooks.claude import (
    ONE,
    RESTS,
    WALL,
    WORKS,
    becomes,
    facts,
    idle_claude,
    logged,
    refused,
    replied,
    shows,
    status,
    told,
)
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.claude.screens import composer

ENDED = logged(
    type="assistant",
    message={"id": "m1", "model": "opus", "stop_reason": "end_turn", "content": [{"type": "text", "text": "Done."}]},
)
GATE = StopConfig(StopMode.GATE, "not yet", most_blocks=2)


def at_work(make_play: MakePlay) -> Playbook:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") << replied(1) << becomes(Working())
    play = (play >> status("busy") >> WORKS).after(0.5)
    assert play.done()
    return play


def test_a_session_starts_when_its_composer_is_drawn(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), size=Size(120, 40)) >> HookRecord(b'{"event":"SessionStart","data":{"source":"startup"}}')
    assert play.after(5.0).core.belief.state == Starting()
    play = (play >> RESTS).after(1.0)
    assert (play << becomes(Idle())).done()


def test_hooks_tell_where_the_log_is_and_again_when_it_changes(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="x", transcript_path="/a.jsonl")
    assert FollowLog("/a.jsonl") in play.effects
    play.effects.clear()
    play = play >> told("Stop", 2, transcript_path="/a.jsonl")
    assert not [effect for effect in play.effects if isinstance(effect, FollowLog)]
    play = play >> HookRecord(b'{"event":"SessionStart","data":{"source":"clear","transcript_path":"/b.jsonl"}}')
    assert FollowLog("/b.jsonl") in play.effects


def test_a_turn_ends_when_the_stop_hook_and_a_second_source_say_so(make_play: MakePlay) -> None:
    play = at_work(make_play) >> told("Stop", 2, last_assistant_message="done") << replied(2)
    assert play.done()
    play = (play >> RESTS >> status("idle")).after(0.1) << becomes(Idle())
    assert play.done()
    assert play.core.insight.known.last_message == "done"


def test_an_interrupt_that_no_hook_tells_of_ends_the_turn(make_play: MakePlay) -> None:
    play = (at_work(make_play) >> RESTS >> status("idle")).after(0.1)
    assert (play << becomes(Idle())).done()


def test_a_turn_that_goes_on_in_the_background_is_still_work(make_play: MakePlay) -> None:
    play = at_work(make_play) >> told("Stop", 2, background_tasks=[{"id": "b1"}]) << replied(2)
    play = (play >> RESTS >> status("shell")).after(10.0) << becomes(Working("background"))
    assert play.done()
    play = (play >> told("Stop", 3, background_tasks=[]) >> status("idle")).after(1.0) << replied(3)
    assert (play << becomes(Idle())).done()


def test_a_failure_stays_until_the_next_turn(make_play: MakePlay) -> None:
    failed = Failed("API Error: 529 Overloaded", ErrorKind.OVERLOADED)
    play = at_work(make_play) >> told("StopFailure", 2, error="server_error", last_assistant_message=failed.detail)
    play = play << replied(2) << becomes(failed)
    assert (play >> RESTS >> status("idle")).after(100.0).done()
    play = play >> told("UserPromptSubmit", 3, prompt="again") << replied(3)
    assert (play << becomes(Working())).done()


def test_work_nobody_told_of_is_seen_on_the_screen(make_play: MakePlay) -> None:
    play = (idle_claude(make_play).after(5.0) >> WORKS).after(0.5) << becomes(Working())
    assert play.done()


def test_a_retry_is_told(make_play: MakePlay) -> None:
    line = "✻ 529 Overloaded · Retrying in 1s · attempt 2/10"
    play = (at_work(make_play) >> shows(composer("", line, below="  esc to interrupt"))).after(0.5)
    assert (play << becomes(Working("retrying 2/10"))).done()


def test_printed_json_is_read_where_the_agent_prints_it(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), size=Size(120, 40), speaks_json=True)
    play = play >> Output(b'\x1b[?25h{"type":"system","subtype":"init","session_id":"s1"}\r\n') << becomes(Working())
    play = (play >> Output(b'{"type":"result","is_error":false,"result":"done"}\r\n')).after(1.0) << becomes(Idle())
    assert play.done()
    assert play.core.insight.known.session_id == "s1"


def test_the_pipe_is_believed_only_for_what_comes_that_way(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> HookRecord(b'{"event":"UserPromptSubmit","data":{"prompt":"x"}}')
    assert play.done()
    assert play.core.belief.state == Idle()


def test_the_pipe_carries_the_older_flat_form_as_well(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> HookRecord(b'{"hook_event_name":"SessionStart","session_id":"s2"}')
    assert play.done()
    assert play.core.insight.known.session_id == "s2"
    assert (play >> HookRecord(b"not json") >> HookRecord(b"{}")).done()
    assert play.core.counters.hook_records == 4


def test_a_log_that_tells_of_tokens_counts_them(make_play: MakePlay) -> None:
    message: dict[str, object] = {
        "id": "m1",
        "model": "opus",
        "content": "",
        "usage": {"output_tokens": 7},
        "stop_reason": "tool_use",
    }
    play = at_work(make_play)
    for _ in range(2):
        play = play >> logged(type="assistant", message=message)
    assert play.core.insight.known.tokens() == {"output_tokens": 7}


# The gate


def gated(make_play: MakePlay) -> Playbook:
    play = at_work(make_play).asks(ConfigureStop(GATE)) << Reply(ONE, Done())
    assert play.done()
    return play


def test_a_closed_gate_sends_the_agent_back(make_play: MakePlay) -> None:
    play = gated(make_play) >> told("Stop", 2)
    reply = play.effects.popleft()
    assert isinstance(reply, ReplyHook)
    assert json.loads(reply.body) == {"decision": "block", "reason": "not yet"}
    blocked = play.effects.popleft()
    assert isinstance(blocked, Publish)
    assert blocked.event.fact == StopBlocked(1, "not yet")
    assert (play << becomes(Working("stop blocked"))).done()
    assert (play >> RESTS).after(1.0).core.belief.state != Idle()


def test_what_the_log_tells_late_of_the_turn_that_was_sent_on_is_not_its_end(make_play: MakePlay) -> None:
    play = gated(make_play) >> told("Stop", 2)
    play = (play.after(0.1) >> status("waiting") >> RESTS >> ENDED).after(0.3)
    assert play.core.belief.state != Idle()


def test_the_log_tells_the_end_of_a_turn_that_was_sent_on_and_may_stop_the_next_time(make_play: MakePlay) -> None:
    play = gated(make_play) >> told("Stop", 2)
    play = play.after(0.05).asks(ResolveStop(StopSignal("complete"))) >> told("Stop", 3) >> ENDED >> RESTS >> status("idle")
    assert play.after(0.1).core.belief.state == Idle()
    assert play.core.belief.said[Tier.SESSION_LOG].state == Idle()


def test_the_gate_opens_for_whoever_says_that_it_is_done(make_play: MakePlay) -> None:
    play = gated(make_play).asks(ResolveStop(StopSignal("complete")))
    play.effects.clear()
    play = play >> told("Stop", 2) << replied(2)
    assert facts(play) == [StopAllowed("resolved")]


def test_a_new_turn_closes_the_gate_again(make_play: MakePlay) -> None:
    play = gated(make_play).asks(ResolveStop(StopSignal("complete")))
    play = play >> told("Stop", 2) >> told("UserPromptSubmit", 3, prompt="more") >> told("Stop", 4)
    replies = [effect.body for effect in play.effects if isinstance(effect, ReplyHook)]
    assert [bool(body) for body in replies] == [False, False, True]


def test_after_so_many_times_the_agent_may_stop_and_that_is_told(make_play: MakePlay) -> None:
    play = gated(make_play)
    for hook in (2, 3, 4):
        play = play >> told("Stop", hook, stop_hook_active=hook > 2)
    told_of = [fact for fact in facts(play) if isinstance(fact, StopBlocked | StopAllowed)]
    assert told_of == [StopBlocked(1, "not yet"), StopBlocked(2, "not yet"), StopAllowed("safety_valve")]


def test_work_in_the_background_is_no_stop_to_block(make_play: MakePlay) -> None:
    play = gated(make_play) >> told("Stop", 2, background_tasks=[{"id": "b1"}])
    assert (play << replied(2)).core.gate.blocks == 0


def test_an_agent_without_a_stop_hook_has_no_gate(make_play: MakePlay) -> None:
    assert (make_play().asks(ConfigureStop(GATE)) << refused(ONE, Reason.NO_DRIVER)).done()


EDITOR = Output(b"\x1b[?1049h\x1b[2J\x1b[H# a draft\r\n~\r\n~\r\n-- INSERT --")
BACK = Output(b"\x1b[?1049l")


def test_an_editor_that_takes_the_screen_of_an_idle_agent_is_no_idleness(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> EDITOR
    assert play.after(0.4).core.belief.state == Idle()
    play = play.after(0.2) << becomes(AltScreen())
    play = (play >> BACK >> RESTS).after(0.2) << becomes(Idle())
    assert play.done()


def test_a_screen_of_the_agents_own_is_nothing_foreign(make_play: MakePlay) -> None:
    transcript = Output(b"\x1b[?1049h\x1b[2J\x1b[H> hello\r\n  Showing detailed transcript \xc2\xb7 ctrl+o to toggle")
    play = (idle_claude(make_play) >> transcript).after(5.0)
    assert play.core.belief.state == Idle()


def test_a_screen_of_the_agents_own_that_hides_its_input_at_work_is_work(make_play: MakePlay) -> None:
    play = (at_work(make_play) >> EDITOR).after(5.0)
    assert play.core.belief.state == Working()


def test_lines_that_say_nothing_still_show_that_the_log_grows(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), size=Size(120, 40), idle_grace=5.0) >> RESTS
    for _ in range(10):
        play = play.after(1.0) >> logged(type="system", subtype="noise")
    assert play.core.belief.state == Starting()
    assert play.after(5.1).core.belief.state == Idle()


def test_hooks_that_do_not_come_by_the_first_turn_are_silent(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), size=Size(120, 40)) >> RESTS
    assert not play.core.insight.hooks_are_silent
    play = play >> logged(type="user", message={"content": "go"})
    assert play.core.insight.hooks_are_silent
    assert not (play >> told("UserPromptSubmit", 1, prompt="go")).core.insight.hooks_are_silent


def test_a_stop_that_nobody_asked_for_under_a_gate_is_told(make_play: MakePlay) -> None:
    play = (make_play(agent=claude(), size=Size(120, 40)) >> RESTS >> status("idle")).after(1.0)
    play = play.asks(ConfigureStop(GATE)) >> logged(type="user", message={"content": "go"})
    play = (play >> status("busy") >> WORKS).after(1.0)
    assert not [fact for fact in facts(play) if isinstance(fact, StopAllowed)]
    play = (play >> ENDED >> RESTS >> status("idle")).after(1.0)
    assert play.core.belief.state == Idle()
    assert [fact for fact in facts(play) if isinstance(fact, StopAllowed)] == [StopAllowed("no_hook")]


def test_a_gate_is_refused_where_no_hook_can_come(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), size=Size(120, 40), absent={Tier.HOOKS: "all are switched off"})
    play = play.asks(ConfigureStop(GATE)) << refused(ONE, Reason.NO_DRIVER)
    assert play.done()


def test_a_word_in_the_pipe_does_not_make_up_for_hooks_that_do_not_come(make_play: MakePlay) -> None:
    """The start of a session is told by the pipe; what can be answered, as a stop, comes over HTTP."""
    play = idle_claude(make_play) >> ENDED
    assert Tier.HOOKS in play.core.belief.said
    assert play.core.insight.hooks_are_silent


def test_what_a_log_tells_late_of_an_error_is_past_when_a_new_turn_has_begun(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS >> status("busy")
    play = play.after(1.0) >> told("StopFailure", 2, error="server_error", last_assistant_message="API Error 500")
    assert isinstance(play.core.belief.state, Failed)
    play = (
        (play >> RESTS >> status("idle")).after(0.2) >> told("UserPromptSubmit", 3, prompt="again") >> WORKS >> status("busy")
    )
    message = {"content": [{"type": "text", "text": "API Error 500"}], "model": "<synthetic>", "id": "x"}
    early = datetime.fromtimestamp(WALL - 0.3, UTC).isoformat()
    play = play.after(0.1) >> logged(
        type="assistant", isApiErrorMessage=True, error="server_error", message=message, timestamp=early
    )
    assert play.core.belief.state == Working()


def test_the_end_of_a_background_task_is_no_new_order(make_play: MakePlay) -> None:
    """What was said of the work before still holds: the gate stays open."""
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> status("busy") >> WORKS
    play = play.asks(ConfigureStop(StopConfig(StopMode.GATE, "not yet", most_blocks=5))).asks(
        ResolveStop(StopSignal("complete"))
    )
    play = (play >> told("Stop", 2, background_tasks=[{"id": "b"}])).after(2.0)
    play = play >> told("UserPromptSubmit", 3, prompt="<task-notification>\n<task-id>b</task-id></task-notification>")
    play.effects.clear()
    play >> told("Stop", 4, background_tasks=[]) << replied(4)
