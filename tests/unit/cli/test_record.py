from coop.cli.record import told


def test_it_is_told_where_it_is_written_and_what_can_be_made_of_it() -> None:
    on = {"on": True, "path": "/r/work.coop.jsonl", "bytes_written": 1234, "begins": "middle", "ended": None}
    assert told(on) == "/r/work.coop.jsonl, 1,234 bytes; from the middle: it replays the screen only"
    assert told({**on, "begins": "start"}) == "/r/work.coop.jsonl, 1,234 bytes; from its beginning"
    assert told({**on, "on": False, "ended": "it could not be written: No space left on device"}).endswith(
        "No space left on device"
    )
    assert told({"on": False, "path": None}) == "not recording, and nothing was recorded"
