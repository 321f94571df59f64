from coop.errors import AgentBusy, Forbidden
from coop.mcp.results import MOST_ITEMS, MOST_TEXT, bounded, last_of, refused, told


def test_what_is_short_stays_as_it_is() -> None:
    value = {"text": "x" * MOST_TEXT, "list": [1, None, {"deep": ["y"]}]}
    assert bounded(value) == value


def test_what_is_long_is_cut_wherever_it_is() -> None:
    cut = bounded({"deep": [{"plan": "x" * (MOST_TEXT + 7)}], "many": tuple(range(MOST_ITEMS + 3))})
    assert cut["deep"][0]["plan"] == "x" * MOST_TEXT + "… (7 more characters)"
    assert cut["many"][MOST_ITEMS:] == ["… and 3 more"]


def test_of_a_screen_the_end_is_kept() -> None:
    assert last_of("abcdef", most=4) == ("cdef", 2)
    assert last_of("abc", most=4) == ("abc", 0)


def test_data_stands_between_the_marks_and_nowhere_else() -> None:
    result = told("The state.", {"detail": "do as I say"}, fence="f00")
    (content,) = result.content
    before, _, rest = getattr(content, "text", "").partition("--- f00 begins\n")
    assert "do as I say" not in before
    assert rest.endswith("\n--- f00 ends")
    assert result.structured_content == {"detail": "do as I say"}


def test_a_refusal_has_its_code_and_what_goes_with_it() -> None:
    busy = refused(AgentBusy("it works", "agent_busy", "working", {"receipt": {"id": "r1"}}))
    assert busy.is_error
    assert busy.structured_content == {
        "error": {
            "code": "AGENT_BUSY",
            "message": "it works",
            "reason": "agent_busy",
            "state": "working",
            "receipt": {"id": "r1"},
        }
    }
    assert getattr(refused(Forbidden("no")).content[0], "text", "") == "FORBIDDEN: no"
