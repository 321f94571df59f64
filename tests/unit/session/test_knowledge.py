import pytest

from coop.model.readings import Learned, Used
from coop.session.knowledge import Knowledge

KNOWN = Knowledge(session_id="one", transcript_path="/logs/one.jsonl", model="m")


def test_what_is_not_told_stays() -> None:
    assert KNOWN.with_(Learned(last_message="Done.")) == Knowledge("one", "/logs/one.jsonl", model="m", last_message="Done.")


@pytest.mark.parametrize(
    ("learned", "path"),
    [
        (Learned(session_id="two"), None),
        (Learned(session_id="two", transcript_path="/logs/two.jsonl"), "/logs/two.jsonl"),
        (Learned(session_id="one"), "/logs/one.jsonl"),
        (Learned(model="other"), "/logs/one.jsonl"),
    ],
    ids=["a new session", "and where it writes", "the same", "nothing of it"],
)
def test_a_new_session_does_not_write_where_the_old_one_did(learned: Learned, path: str | None) -> None:
    assert KNOWN.with_(learned).transcript_path == path


def test_a_log_that_is_not_named_after_a_session_is_kept() -> None:
    known = Knowledge(session_id="one", transcript_path="/logs/rollout.jsonl")
    assert known.with_(Learned(session_id="two")).transcript_path == "/logs/rollout.jsonl"


def test_each_message_is_counted_once() -> None:
    known = Knowledge().with_(Used("m1", {"input": 2})).with_(Used("m1", {"input": 3})).with_(Used("m2", {"input": 5}))
    assert known.tokens() == {"input": 8}
