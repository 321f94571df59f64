from coop.cli.console.silence import ANSWERS_WITHIN, QUIET, Silence


def test_who_says_nothing_is_asked_and_given_up_without_an_answer() -> None:
    silence = Silence(1.0)
    assert (silence.ask_at, silence.ends_at) == (1.0 + QUIET, None)
    silence.on_asked(20.0)
    assert (silence.ask_at, silence.ends_at) == (None, 20.0 + ANSWERS_WITHIN)


def test_the_first_question_counts() -> None:
    silence = Silence(1.0)
    silence.on_asked(2.0)
    silence.on_asked(4.0)
    assert silence.ends_at == 2.0 + ANSWERS_WITHIN


def test_anything_that_comes_is_an_answer() -> None:
    silence = Silence(1.0)
    silence.on_asked(2.0)
    silence.on_heard(3.0)
    assert (silence.ask_at, silence.ends_at) == (3.0 + QUIET, None)
