"""How the versions of Claude Code differ toward a driver, as one table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    number: str
    model: str
    model_name: str
    effort: str
    default_mode: str
    is_fullscreen: bool
    reports_state: bool
    """Does it probe for OSC 7501 and report its state there?"""
    working_glyphs: str
    numbers_start_dialogs: bool
    safe_start_default: bool
    """Is the first, highlighted answer of a start-up dialog the one that goes no further?"""
    trust_cancel_code: int
    typing_guard: float
    """A dialog is held back until nothing was typed for so long."""
    deaf: float
    """A dialog that was held back does not hear keys for so long."""
    has_stale_focus: bool
    """Does an Enter see the dialog as it was before the other keys of the same write?"""
    offers_auto: bool
    runs_command_after_space: bool
    hears_prompt_when_queued: bool
    """Does UserPromptSubmit fire when a prompt is queued, not when its turn begins?"""
    plain_allow_answers_all: bool
    """Does a PermissionRequest hook's bare `allow` answer questions and plans too?"""
    question_waiting_for: str
    logs_early_interrupt: bool
    forks_with_new_id: bool
    retitles: bool
    accept_edits_label: str
    bash_hints: str
    names_manual_mode: bool
    """Does the footer name the manual mode?"""
    shows_last_dialog: bool
    """Of two dialogs asked at once, is the last one shown, not the first?"""
    draws_subagents_dialogs_last: bool
    """Is what a subagent asks drawn only when the PermissionRequest hooks have left it to the person?"""
    recovers_streams: bool
    """Is a message that broke off asked for again?"""
    drops_invisible: bool
    """Are characters that cannot be seen left out of a prompt, for a second Enter?"""
    takes_images_within_lines: bool
    """Is the path of an image taken for the image where it only ends a line of a paste, too?"""
    draws_sed_as_edit: bool
    """Is a `sed` that changes a file asked for as the edit that comes of it?"""
    rests_between: bool
    """Is it idle for a moment between the end of a background shell and the turn that follows?"""
    compacting_agents: int
    """How often a compaction says that a subagent stopped."""


_OLD = Version(
    number="2.1.197",
    model="claude-opus-4-8[1m]",
    model_name="Opus 4.8 (1M context)",
    effort="● high · /effort",
    default_mode="default",
    is_fullscreen=False,
    reports_state=False,
    working_glyphs="⠂⠐",
    numbers_start_dialogs=True,
    safe_start_default=False,
    trust_cancel_code=1,
    typing_guard=0.0,
    deaf=0.0,
    has_stale_focus=True,
    offers_auto=False,
    runs_command_after_space=False,
    hears_prompt_when_queued=False,
    plain_allow_answers_all=True,
    question_waiting_for="permission prompt",
    logs_early_interrupt=False,
    forks_with_new_id=False,
    retitles=True,
    accept_edits_label="Yes, allow all edits during this session (shift+tab)",
    bash_hints="Esc to cancel · Tab to amend · ctrl+e to explain",
    names_manual_mode=False,
    shows_last_dialog=True,
    draws_subagents_dialogs_last=False,
    recovers_streams=False,
    drops_invisible=False,
    takes_images_within_lines=True,
    draws_sed_as_edit=True,
    rests_between=True,
    compacting_agents=1,
)

_NEW = Version(
    number="2.1.325",
    model="claude-opus-5-5",
    model_name="Opus 5.5",
    effort="◐ medium · /effort",
    default_mode="auto",
    is_fullscreen=True,
    reports_state=True,
    working_glyphs="◐◑",
    numbers_start_dialogs=False,
    safe_start_default=True,
    trust_cancel_code=0,
    typing_guard=0.65,
    deaf=0.125,
    has_stale_focus=False,
    offers_auto=True,
    runs_command_after_space=True,
    hears_prompt_when_queued=True,
    plain_allow_answers_all=False,
    question_waiting_for="input needed",
    logs_early_interrupt=True,
    forks_with_new_id=True,
    retitles=False,
    accept_edits_label=(
        "Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)"
    ),
    bash_hints="Esc to cancel · Tab to amend",
    names_manual_mode=True,
    shows_last_dialog=False,
    draws_subagents_dialogs_last=True,
    recovers_streams=True,
    drops_invisible=True,
    takes_images_within_lines=False,
    draws_sed_as_edit=False,
    rests_between=False,
    compacting_agents=2,
)

VERSIONS = {version.number: version for version in (_OLD, _NEW)}
LATEST = _NEW
