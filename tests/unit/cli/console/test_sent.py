from coop.cli.console.sent import Sent


def test_nothing_is_open_when_nothing_was_typed() -> None:
    assert Sent().after_a_cut() == "connected again"
    assert Sent().ask_at is None


def test_what_was_confirmed_is_not_told() -> None:
    sent = Sent()
    sent.on_sent(3, 1.0)
    assert sent.ask_at == 1.2
    sent.on_confirmed(sent.ask())
    assert sent.after_a_cut() == "connected again"


def test_what_was_not_confirmed_may_not_have_arrived() -> None:
    sent = Sent()
    sent.on_sent(3, 1.0)
    first = sent.ask()
    sent.on_sent(2, 2.0)
    sent.ask()
    sent.on_sent(4, 3.0)
    sent.on_confirmed(first)
    assert sent.after_a_cut() == "connected again; the last 6 bytes may not have arrived"
    assert sent.after_a_cut() == "connected again"


def test_what_was_typed_without_a_connection_was_not_sent() -> None:
    sent = Sent()
    sent.on_dropped(5)
    assert sent.after_a_cut() == "connected again; 5 bytes were not sent"
