import pytest

from coop.agents.claude.status import read_status
from coop.model.readings import Claim, Learned, Says, Waits
from coop.model.state import Idle, Working

RECORD = {
    "pid": 4711,
    "sessionId": "e949d50b-c42d-41dc-b061-19bb511b5341",
    "cwd": "/home/dev/work",
    "version": "2.1.325",
    "kind": "interactive",
    "updatedAt": 1794725278123,
}
LEARNED = Learned(session_id="e949d50b-c42d-41dc-b061-19bb511b5341", cwd="/home/dev/work", version="2.1.325")


def test_the_first_write_has_no_status_yet() -> None:
    assert read_status(RECORD) == (LEARNED,)


@pytest.mark.parametrize(
    ("status", "claim"),
    [
        ({"status": "idle"}, Idle()),
        ({"status": "busy"}, Working()),
        ({"status": "shell"}, Working("background")),
        ({"status": "waiting", "waitingFor": "permission prompt"}, Waits("permission prompt")),
        ({"status": "waiting"}, Waits()),
    ],
)
def test_the_status_is_told_with_its_time(status: dict[str, object], claim: Claim) -> None:
    record = {**RECORD, **status, "statusUpdatedAt": 1794725278500}
    assert read_status(record) == (LEARNED, Says(claim, stamp=1794725278.5))


def test_a_status_without_its_time_counts_from_when_it_is_read() -> None:
    assert read_status({**RECORD, "status": "idle"}) == (LEARNED, Says(Idle()))


@pytest.mark.parametrize("status", ["sleeping", 3, None, ["idle"]])
def test_a_status_nobody_knows_says_nothing(status: object) -> None:
    assert read_status({"status": status}) == (Learned(),)


def test_a_time_beyond_all_measure_does_not_raise() -> None:
    assert read_status({"status": "idle", "statusUpdatedAt": 10**400})
