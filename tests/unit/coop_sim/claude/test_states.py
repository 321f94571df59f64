"""States as OSC 7501 and in the status file."""

import pytest

from coop_sim.claude.states import Between, Blocked, Done, Failed, Idle, Shelled, State, Working, osc_7501, status_of


@pytest.mark.parametrize(
    ("state", "report", "status"),
    [
        (Idle(), "state=idle:app=claude-code", ("idle", None)),
        (Working(), "state=working:app=claude-code", ("busy", None)),
        (
            Blocked("permission prompt", "permission", "approve plan"),
            "state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBwbGFu",
            ("waiting", "permission prompt"),
        ),
        (Blocked("dialog open"), "state=blocked:app=claude-code", ("waiting", "dialog open")),
        (Done(), "state=done:app=claude-code", ("idle", None)),
        (Shelled(), "state=done:app=claude-code", ("shell", None)),
        (Between(), "state=working:app=claude-code", ("idle", None)),
        (Failed("no", needs_login=True), "state=blocked:app=claude-code:kind=auth", ("idle", None)),
        (Failed("no"), "state=error:app=claude-code:msg=bm8=", ("idle", None)),
    ],
)
def test_a_state_is_told_in_both_ways(state: State, report: str, status: tuple[str, str | None]) -> None:
    assert osc_7501(state) == f"\x1b]7501;{report}\x07"
    assert status_of(state) == status
