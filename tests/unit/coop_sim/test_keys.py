from coop_sim.keys import Keyboard, Text


def test_a_byte_of_no_character_is_shown_as_one() -> None:
    assert Keyboard().receive(b"a\xffb") == (Text("a"), Text("�"), Text("b"))


def test_a_character_in_two_reads_is_one() -> None:
    keyboard = Keyboard()
    assert keyboard.receive("é".encode()[:1]) == ()
    assert keyboard.receive("é".encode()[1:]) == (Text("é"),)
