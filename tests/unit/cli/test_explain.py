import click

from coop.cli.explain import told

WHY = {
    "state": "permission_prompt",
    "detection_tier": "hooks",
    "for_secs": 12.3,
    "rule": "a hook told of it, and it has no answer yet",
    "until": "it is answered or goes away",
    "pending": None,
    "tiers": [
        {
            "tier": "hooks",
            "said": "permission_prompt",
            "ago_secs": 12.3,
            "since_secs": 12.3,
            "decides": True,
            "unavailable": None,
        },
        {"tier": "screen", "said": "working", "ago_secs": 1.0, "since_secs": 75.0, "decides": False, "unavailable": None},
        {
            "tier": "stdout_jsonl",
            "said": None,
            "ago_secs": None,
            "since_secs": None,
            "decides": False,
            "unavailable": "no pipe",
        },
        {"tier": "process", "said": None, "ago_secs": None, "since_secs": None, "decides": False, "unavailable": None},
    ],
    "held_hooks": 1,
    "work_after_the_turn": None,
    "attached": None,
}


def test_it_tells_who_said_what_which_rule_won_and_what_would_change_it() -> None:
    assert [click.unstyle(line) for line in told(WHY)] == [
        "state    permission_prompt for 12s",
        "because  a hook told of it, and it has no answer yet (hooks)",
        "until    it is answered or goes away",
        "hooks    1 held, waiting for an answer",
        "",
        "   source        said               ago  for",
        "→  hooks         permission_prompt  12s  12s",
        "   screen        working            1s   1m15s",
        "   stdout_jsonl  cannot: no pipe",
        "   process       nothing yet",
    ]


def test_it_tells_what_will_be_believed_next_and_what_it_is_attached_to() -> None:
    pending = {"state": "waiting_for_input", "in_secs": 0.42, "rule": "nothing has moved"}
    attached = {"to": "tmux:work", "output": "pushed by tmux"}
    lines = [
        click.unstyle(line) for line in told({**WHY, "pending": pending, "attached": attached, "work_after_the_turn": "shell"})
    ]
    assert "next       waiting_for_input in 0.4s: nothing has moved" in lines
    assert "kept busy  shell" in lines
    assert "attached   tmux:work: pushed by tmux" in lines
