from coop.model.ids import ConnectionId
from coop.session.lease import LASTS, WriteLease

ME, YOU = ConnectionId(1), ConnectionId(2)


def test_anybody_may_write_while_nobody_holds_it() -> None:
    assert WriteLease().permits(ME, 0.0)
    assert WriteLease().permits(None, 0.0)


def test_one_holder_keeps_the_others_out() -> None:
    lease = WriteLease()
    assert lease.acquire(ME, 0.0)
    assert lease.permits(ME, 1.0)
    assert not lease.permits(YOU, 1.0)
    assert not lease.permits(None, 1.0)
    assert not lease.acquire(YOU, 1.0)


def test_it_ends_thirty_seconds_after_the_last_use() -> None:
    lease = WriteLease()
    lease.acquire(ME, 0.0)
    lease.renew(ME, 20.0)
    assert not lease.permits(YOU, 20.0 + LASTS - 0.1)
    assert lease.permits(YOU, 20.0 + LASTS)


def test_only_the_holder_releases_it() -> None:
    lease = WriteLease()
    lease.acquire(ME, 0.0)
    lease.release(YOU)
    assert not lease.permits(YOU, 1.0)
    lease.release(ME)
    assert lease.acquire(YOU, 1.0)


def test_a_lease_that_has_run_out_is_not_renewed() -> None:
    lease = WriteLease()
    lease.acquire(ME, 0.0)
    lease.renew(ME, LASTS + 1)
    assert lease.permits(YOU, LASTS + 2)
