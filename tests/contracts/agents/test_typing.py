"""What is typed is what the screen allows: nothing into another dialog, nothing that was not asked for, nothing blindly."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coop.agents import Script
from coop.errors import BadRequest, MessageTooLong
from coop.model.commands import Answer, Nudge, Reason, Respond, When
from coop.model.prompt import Prompt
from coop.model.screen import Cursor, ScreenSnapshot, Size
from tests.contracts.agents.samples import agents, asked, dialog, dialogs, inputs, read, that_have
from tests.support.typing import Pictures, Typed, likeness

FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
NUDGED = that_have("type_nudge", "read_screen")
ANSWERED = that_have("type_answer", "read_screen")
EFFECTS = {"accepted", "denied", "denied_subagent", "feedback", "answered", "chosen", ""}
RESPONDS = [
    *(Respond(accept=accept, always=always) for accept in (True, False) for always in (False, True)),
    *(Respond(option=option) for option in (-1, 0, 1, 2, 3, 9, 99)),
    Respond(text="words of mine"),
    Respond(accept=False, text="rather not"),
    Respond(answers=(Answer((1,)),)),
    Respond(answers=(Answer(("no such label",)), Answer(text="mine"))),
    Respond(),
]
EVIL = ["\x1b[201~\rrm -rf .", "\x1b[A", "\x03", "\x07", "\x00", "\x7f", "\x9b3~"]
"""Keys, were they typed as they are."""
BLANK = ScreenSnapshot(("",) * 10, Size(60, 10), Cursor(0, 0), False, "", 1)


def nudging(name: str, nudge: Nudge) -> Script | None:
    """`None` for a message that it does not take."""
    type_nudge = agents()[name].type_nudge
    assert type_nudge is not None
    with suppress(BadRequest, MessageTooLong):
        return type_nudge(nudge)
    return None


def answering(name: str, respond: Respond, prompt: Prompt) -> Script | None:
    """`None` for an answer that does not fit the prompt."""
    type_answer = agents()[name].type_answer
    assert type_answer is not None
    with suppress(BadRequest):
        return type_answer(respond, prompt)
    return None


def typed(
    name: str, script: Script | None, *screens: ScreenSnapshot, about: Prompt | None = None
) -> tuple[Pictures, Typed] | None:
    if script is None:
        return None
    terminal = Pictures(screens)
    return terminal, Typed(script, agents()[name], terminal, about=about)


# Messages


@pytest.mark.parametrize("name", NUDGED)
@pytest.mark.parametrize("when", When)
def test_no_message_is_typed_while_a_dialog_has_the_screen(name: str, when: When) -> None:
    for screen, prompt in dialogs(name):
        done = typed(name, nudging(name, Nudge("fix it", when)), screen)
        if done is not None:
            assert done[1].keys == [], prompt
            assert done[1].refused is not None


@pytest.mark.parametrize("name", NUDGED)
@FEW
@given(data=st.data())
def test_no_key_of_a_message_is_pressed_after_a_dialog_has_come_up(name: str, data: st.DataObject) -> None:
    shown = st.sampled_from([*inputs(name), *(screen for screen, _ in dialogs(name)), BLANK])
    done = typed(
        name,
        nudging(name, Nudge("fix it", data.draw(st.sampled_from(When)))),
        *data.draw(st.lists(shown, min_size=1, max_size=8)),
    )
    if done is None:
        return
    assert [key for screen, key in done[0].pressed if dialog(read(name, screen)) is not None] == []


@pytest.mark.parametrize("name", NUDGED)
@pytest.mark.parametrize("evil", EVIL, ids=repr)
def test_a_message_presses_no_keys_of_its_own(name: str, evil: str) -> None:
    for screen in inputs(name):
        done = typed(name, nudging(name, Nudge(f"before{evil}after")), screen)
        if done is not None:
            assert [key for key in done[1].keys if evil.encode() in key and b"before" in key] == []


@pytest.mark.parametrize("name", NUDGED)
def test_a_message_is_typed_whole_or_not_at_all(name: str) -> None:
    """Somewhere it is: an agent whose input is on the screen takes a message."""
    all_keys = [
        b"".join(done[1].keys) for screen in inputs(name) if (done := typed(name, nudging(name, Nudge("fix it")), screen))
    ]
    assert any(b"fix it" in keys for keys in all_keys) or not inputs(name)
    assert [keys for keys in all_keys if keys.count(b"fix it") > 1] == []


@pytest.mark.parametrize("name", NUDGED)
@pytest.mark.parametrize("message", ["", "   "])
def test_an_empty_message_is_refused(name: str, message: str) -> None:
    for screen in inputs(name):
        done = typed(name, nudging(name, Nudge(message)), screen)
        if done is not None:
            assert done[1].keys == []
            assert done[1].refused is not None


# Answers


def _others(name: str, prompt: Prompt) -> Iterator[ScreenSnapshot]:
    """Screens that show another dialog, or none."""
    yield from inputs(name)
    yield from (screen for screen, other in dialogs(name) if likeness(other) != likeness(prompt))


@pytest.mark.parametrize("name", ANSWERED)
def test_no_answer_is_typed_into_another_dialog_or_none(name: str) -> None:
    for _, prompt in dialogs(name)[:8]:
        for respond in RESPONDS:
            for screen in list(_others(name, prompt))[:20]:
                done = typed(name, answering(name, respond, prompt), screen, about=prompt)
                if done is not None:
                    assert done[1].keys == [], (respond, prompt)
                    assert done[1].refused is not None


@pytest.mark.parametrize("name", ANSWERED)
@FEW
@given(data=st.data())
def test_no_key_of_an_answer_is_pressed_after_its_dialog_has_gone(name: str, data: st.DataObject) -> None:
    if not dialogs(name):
        return
    own, prompt = data.draw(st.sampled_from(dialogs(name)))
    respond = data.draw(st.sampled_from([each for each in RESPONDS if each.text is None and not each.answers]))
    shown = st.sampled_from([own, own, *_others(name, prompt)])
    done = typed(name, answering(name, respond, prompt), *data.draw(st.lists(shown, min_size=1, max_size=8)), about=prompt)
    if done is None:
        return
    for screen, key in done[0].pressed:
        drawn = dialog(read(name, screen))
        assert drawn is not None, key
        assert likeness(drawn) == likeness(prompt), key


@pytest.mark.parametrize("name", ANSWERED)
def test_only_what_is_offered_is_chosen(name: str) -> None:
    for screen, prompt in dialogs(name):
        shown = "\n".join(screen.lines)
        for respond in RESPONDS:
            done = typed(name, answering(name, respond, prompt), screen, about=prompt)
            digits = [key.decode() for key in (done[1].keys if done is not None else []) if key.isdigit()]
            assert all(re.search(rf"(?<!\d){digit}(?!\d)", shown) for digit in digits), (respond, digits, prompt)
            if respond.option is not None and not 1 <= respond.option <= len(prompt.options):
                assert done is None or not done[1].keys, (respond, prompt)


@pytest.mark.parametrize("name", ANSWERED)
@pytest.mark.parametrize("evil", EVIL, ids=repr)
def test_an_answer_in_words_presses_no_keys_of_its_own(name: str, evil: str) -> None:
    for screen, prompt in dialogs(name):
        for respond in (Respond(text=f"before{evil}after"), Respond(accept=False, text=f"before{evil}after")):
            done = typed(name, answering(name, respond, prompt), screen, about=prompt)
            if done is not None:
                assert [key for key in done[1].keys if evil.encode() in key and b"before" in key] == []


@pytest.mark.parametrize("name", ANSWERED)
def test_every_dialog_can_be_answered_or_says_that_it_cannot(name: str) -> None:
    """A script gives up with a reason; and of all that were recorded, some can be denied."""
    refusals = [_denied(name, screen, prompt) for screen, prompt in dialogs(name)]
    assert None in refusals or not refusals
    assert {each for each in refusals if each is not None} <= {
        Reason.DIALOG_UNRECOGNIZED,
        Reason.PROMPT_CHANGED,
        Reason.BAD_COMMAND,
    }


def _denied(name: str, screen: ScreenSnapshot, prompt: Prompt) -> Reason | None:
    for respond in (Respond(accept=False), Respond(option=1)):
        done = typed(name, answering(name, respond, prompt), screen, about=prompt)
        if done is not None and done[1].refused is None and done[1].keys:
            return None
    return done[1].refused.reason if done is not None and done[1].refused is not None else Reason.BAD_COMMAND


# Answers without a key


@pytest.mark.parametrize("name", that_have("reply_to_hook"))
def test_a_reply_to_a_hook_is_json_and_says_what_it_does(name: str) -> None:
    reply_to_hook = agents()[name].reply_to_hook
    assert reply_to_hook is not None
    bodies: list[bytes] = []
    for prompt in asked(name):
        for respond in RESPONDS:
            with suppress(BadRequest):
                if (reply := reply_to_hook(respond, prompt)) is not None:
                    assert isinstance(json.loads(reply.body or b"{}"), dict)
                    assert reply.effect in EFFECTS
                    bodies.append(reply.body)
    assert bodies or not asked(name)


@pytest.mark.parametrize("name", that_have("reply_to_hook"))
def test_yes_and_no_are_two_replies(name: str) -> None:
    reply_to_hook = agents()[name].reply_to_hook
    assert reply_to_hook is not None
    for prompt in asked(name):
        replies: list[object] = []
        for accept in (True, False):
            with suppress(BadRequest):
                replies.append(reply_to_hook(Respond(accept=accept), prompt))
        told = [reply for reply in replies if reply is not None]
        assert len(told) < 2 or told[0] != told[1]


@pytest.mark.parametrize("name", that_have("effect_of"))
def test_an_effect_is_one_that_is_known(name: str) -> None:
    effect_of = agents()[name].effect_of
    assert effect_of is not None
    prompts = [*(prompt for _, prompt in dialogs(name)), *(asked(name) if agents()[name].read_hook else ())]
    for prompt in prompts:
        for respond in RESPONDS:
            with suppress(BadRequest):
                assert effect_of(respond, prompt) in EFFECTS
