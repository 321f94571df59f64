from coop.model.ids import ConnectionId
from coop.model.screen import Size
from coop.session.sizes import Lent

ANN, BOB = ConnectionId(1), ConnectionId(2)
OWN, SMALL, TINY = Size(200, 50), Size(80, 24), Size(40, 10)


def test_the_first_visitor_finds_the_terminals_own_size_and_the_last_leaves_it() -> None:
    lent = Lent()
    lent.lend(ANN, SMALL, before=OWN)
    lent.lend(BOB, TINY, before=SMALL)
    lent.lend(ANN, TINY, before=TINY)
    assert (lent.after(BOB), lent.after(ANN)) == (TINY, OWN)


def test_who_stays_and_was_the_latest_has_the_size() -> None:
    lent = Lent()
    lent.lend(ANN, SMALL, before=OWN)
    lent.lend(BOB, TINY, before=SMALL)
    lent.lend(ANN, SMALL, before=TINY)
    assert lent.after(BOB) == SMALL


def test_who_lent_nothing_changes_nothing_by_going() -> None:
    lent = Lent()
    lent.lend(ANN, SMALL, before=OWN)
    assert lent.after(BOB) is None


def test_a_size_that_was_decided_on_is_the_terminals_own() -> None:
    lent = Lent()
    lent.lend(ANN, SMALL, before=OWN)
    lent.forget()
    assert lent.after(ANN) is None
    lent.lend(BOB, TINY, before=SMALL)
    assert lent.after(BOB) == SMALL
