"""Every command about sessions, on its good and its bad ways, with its exit code and its JSON."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from coop.testing import eventually
from tests.support.commands import Desk

SCENARIO = Path(__file__).parents[1] / "docs/client_scenario.toml"
CAT = ("sh", "-c", "stty -echo; echo ready; exec cat")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Desk]:
    """With two sessions: `agent` waits for input, `cat` is a program of which nothing is known."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    with desk.session("agent"), desk.session("cat", "--label", "of=test", command=CAT) as cat:
        cat.shows("ready")
        assert desk.coop("wait", "agent", "--for", "idle", "--timeout", "30").code == 0
        yield desk


# Recordings


def test_a_session_is_recorded_from_now_on_until_it_is_stopped(desk: Desk) -> None:
    with desk.session("a", command=CAT, XDG_STATE_HOME=str(desk.root / "state")) as wire:
        assert desk.coop("record", "--status").stdout == "not recording, and nothing was recorded\n"
        begun = desk.coop("record", "a", "--json").json
        assert (begun["on"], begun["begins"]) == (True, "middle")
        assert Path(begun["path"]).parent == desk.root / "state/coop/recordings"
        assert desk.coop("record", "a").stdout.endswith("from the middle: it replays the screen only\n")
        assert wire.get("/api/v1/recording")["on"]
        ended = desk.coop("record", "a", "--stop")
        assert (ended.code, ended.stdout.endswith("; it is over: stopped\n")) == (0, True)
        assert not desk.coop("record", "--status", "--json").json["on"]
    assert "only the screen" in desk.coop("replay", begun["path"]).stdout
    assert desk.coop("record", "a", "--json").json["error"]["code"] == "NO_SESSION"


def test_what_has_ended_cannot_be_recorded_and_ends_with_6(desk: Desk) -> None:
    with desk.session("gone", "--keep-alive", command=("true",)):
        desk.coop("wait", "--for", "exited", "--timeout", "30")
        assert desk.coop("record").code == 6


def test_a_report_follows_the_rules_of_every_command(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk.root)
    (desk.root / "token").write_text("s3cret\n")
    with desk.session("locked", command=CAT, COOP_AUTH_TOKEN="s3cret"):
        assert desk.coop("report", "locked", "--yes").code == 4
        assert desk.coop("report", "locked", "--yes", "--json").json["error"]["code"] == "UNAUTHORIZED"
        assert desk.coop("report", "nobody", "--yes").code == 3
        assert desk.coop("report", ".", "--to", "no", given="n\n", env={"COOP_TOKEN": "s3cret"}).code == 1
        assert not (desk.root / "no").exists()
        for number, env in enumerate(({"COOP_AUTH_TOKEN": "s3cret"}, {"COOP_TOKEN_FILE": str(desk.root / "token")})):
            told = desk.coop("report", "locked", "--json", "--to", f"{number}.tar.gz", given="y\n", env=env)
            assert (told.code, told.json["path"], told.json["recording"]) == (0, f"{number}.tar.gz", None)
        words = {"_COOP_COMPLETE": "bash_complete", "COMP_WORDS": "coop report lo", "COMP_CWORD": "2"}
        assert "plain,locked" in desk.coop(env=words).lines


# What there is to see


def test_ls_lists_every_session(shared: Desk) -> None:
    heading, *rows = shared.coop("ls").lines
    assert heading.split() == ["NAME", "AGENT", "STATE", "FOR", "UP", "CWD"]
    assert [row.split()[:3] for row in rows] == [["agent", "unknown", "waiting_for_input"], ["cat", "unknown", "unknown"]]
    assert all(row.endswith(" ~") for row in rows)


def test_ls_tells_all_in_json(shared: Desk) -> None:
    agent, cat = shared.coop("ls", "--json").json
    assert (agent["name"], agent["state"], agent["cwd"]) == ("agent", "waiting_for_input", str(shared.root))
    assert (cat["name"], cat["labels"], cat["agent"]) == ("cat", {"of": "test"}, "unknown")
    assert agent["for_secs"] <= agent["uptime_secs"] + 1


def test_ls_tells_of_a_session_in_a_folder_whose_name_is_no_text(desk: Desk) -> None:
    inside = ("sh", "-c", 'cd "$(printf "x\\377")"; echo ready; exec cat')
    os.mkdir(os.fsencode(desk.root) + b"/x\xff")
    with desk.session("odd", command=inside) as odd, desk.session("plain", command=CAT):
        odd.shows("ready")
        told = desk.coop("ls", "--json").json
        assert [(each["name"], each["cwd"]) for each in told] == [
            ("odd", f"{desk.root}/x�"),
            ("plain", str(desk.root)),
        ]
        assert [row.split()[0] for row in desk.coop("ls").lines[1:]] == ["odd", "plain"]


def test_ls_of_nothing_says_how_to_begin(desk: Desk) -> None:
    ran = desk.coop("ls")
    assert (ran.code, ran.stdout) == (0, "")
    assert "coop -- COMMAND" in ran.stderr
    assert desk.coop("ls", "--json").json == []


def test_ls_tells_of_a_session_that_needs_a_token_and_of_one_that_hangs(desk: Desk) -> None:
    with desk.session("locked", command=CAT, COOP_AUTH_TOKEN="s3cret"), socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(desk.root / "coop" / "mute.sock"))
        mute.listen()
        locked, hung = desk.coop("ls", "--json").json
        assert (locked["error"]["code"], hung["error"]["code"]) == ("UNAUTHORIZED", "UNREACHABLE")
        assert "needs a token" in desk.coop("ls").stdout
        told = desk.coop("ls", env={"COOP_TOKEN": "s3cret"})
        assert "needs a token" not in told.stdout
        assert "does not answer" in told.stdout


def test_peek_shows_the_screen_plain_or_with_its_colours(shared: Desk) -> None:
    assert shared.coop("peek", "agent").lines[1].startswith("│ ✻ Pretend agent")
    body = shared.coop("peek", "agent", "--json").json
    assert {"lines", "rows", "cols", "cursor", "alt_screen", "sequence"} <= set(body)
    assert "\x1b" not in shared.coop("peek", "agent").stdout


def test_peek_shows_what_scrolled_away(desk: Desk) -> None:
    command = (
        "sh",
        "-c",
        "i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); done; printf '\\033[31mred\\033[0m'; exec cat",
    )
    with desk.session("long", "--rows", "10", command=command) as wire:
        wire.shows("red")
        assert desk.coop("peek").lines[0] == "line 31"
        assert desk.coop("peek", "--scrollback", "5").lines[0] == "line 26"
        assert "\x1b[0;38;5;1mred\x1b[0m" in desk.coop("peek", "--color").stdout


def test_state_tells_what_it_does(shared: Desk) -> None:
    assert shared.coop("state", "agent").lines[0].startswith("state    waiting_for_input for ")
    assert shared.coop("state", "ag", "--json").json["state"] == "waiting_for_input"


def test_explain_tells_why(shared: Desk) -> None:
    lines = shared.coop("explain", "agent").lines
    assert lines[1] == "because  nothing has moved for the whole grace (screen)"
    assert any(line.startswith("→  screen") for line in lines)
    assert shared.coop("explain", "agent", "--json").json["rule"] == "nothing has moved for the whole grace"


def test_events_tell_what_was_and_what_is(desk: Desk) -> None:
    with desk.session("a"):
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        desk.coop("nudge", ".", "ask")
        desk.coop("wait", "--for", "question", "--timeout", "30")
        first, *rest, now = desk.coop("events").lines
        assert first == "#1    starting → waiting_for_input"
        assert rest[-1].endswith("working → ask_user: Which database should we use?")
        assert now.endswith("now ask_user: Which database should we use?")
        messages = [json.loads(line) for line in desk.coop("events", "--json").lines]
        assert [each["type"] for each in messages] == ["state_change"] * len([first, *rest]) + ["state"]
        last = messages[-1]
        after = f"{last['epoch']}-{last['event_seq'] - 1}"
        assert [json.loads(line)["type"] for line in desk.coop("events", "--json", "--after", after).lines] == [
            "state_change",
            "state",
        ]
        assert "gap" in desk.coop("events", "--json", "--after", "another-1").stdout


def test_events_that_cannot_be_gone_on_from_are_a_gap(shared: Desk) -> None:
    gap, now = [json.loads(line) for line in shared.coop("events", "agent", "--json", "--after", "bogus-3").lines]
    assert gap == {"type": "gap", "reason": "restarted", "epoch": now["epoch"]}
    assert now["type"] == "state"


def test_events_without_a_place_are_refused(shared: Desk) -> None:
    ran = shared.coop("events", "agent", "--after", "x")
    assert (ran.code, "EPOCH-SEQ" in ran.stderr) == (2, True)


# Waiting


def test_wait_tells_what_came(desk: Desk) -> None:
    with desk.session("a"):
        assert desk.coop("wait", "--for", "idle", "--timeout", "30").stdout == "waiting_for_input\n"
        desk.coop("nudge", "a", "ask")
        asked = desk.coop("wait", "a", "--for", "idle,question", "--timeout", "30", "--json").json
        assert asked["state"] in ("ask_user", "waiting_for_input")
        assert desk.coop("wait", "--for", "prompt", "--timeout", "30").stdout == "ask_user: Which database should we use?\n"


def test_wait_times_out_with_5_and_says_what_it_saw(shared: Desk) -> None:
    ran = shared.coop("wait", "agent", "--for", "error,exited", "--timeout", "0.2")
    assert ran.code == 5
    assert ran.stderr == "coop wait: error,exited did not come within 0.2 s; it is waiting_for_input\n"
    late = shared.coop("wait", "agent", "--for", "error", "--timeout", "0.1", "--json")
    assert (late.code, late.json["error"]["code"]) == (5, "TIMED_OUT")
    assert late.stderr == f"coop wait: {late.json['error']['message']}\n"


def test_what_is_there_is_found_in_no_time(shared: Desk) -> None:
    assert shared.coop("wait", "agent", "--for", "idle", "--timeout", "0").stdout == "waiting_for_input\n"
    assert shared.coop("wait", "agent", "--for", "Exit", "--timeout", "0").code == 5


def test_wait_ends_with_6_when_it_cannot_come_any_more(desk: Desk) -> None:
    with desk.session("gone", "--keep-alive", command=("sh", "-c", "exit 3")):
        assert desk.coop("wait", "--for", "exited", "--timeout", "30", "--json").json["exit_code"] == 3
        never = desk.coop("wait", "--for", "idle", "--timeout", "30")
        assert (never.code, never.stderr) == (6, "coop wait: idle cannot come any more: the child has exited with code 3\n")
        assert desk.coop("wait", "--for", "idel").code == 2


# Telling


def test_nudge_prints_the_receipt(desk: Desk) -> None:
    with desk.session("a") as wire:
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        assert desk.coop("nudge", "a", "-", "--key", "k1", given="from stdin\n").lines[0] == "receipt  r1 confirmed"
        wire.shows("You said “from stdin”")
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        again = desk.coop("nudge", "a", "from stdin", "--key", "k1", "--json").json
        assert (again["delivered"], again["receipt"]["id"]) == (True, "r1")
        reused = desk.coop("nudge", "a", "another", "--key", "k1", "--json")
        assert (reused.code, reused.json["error"]["code"]) == (1, "KEY_REUSED")


def test_nudge_to_a_busy_agent_is_refused_with_1(desk: Desk) -> None:
    with desk.session("a"):
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        desk.coop("nudge", "a", "ask")
        desk.coop("wait", "--for", "prompt", "--timeout", "30")
        busy = desk.coop("nudge", "a", "and this", "--json")
        assert busy.code == 1
        assert (busy.json["delivered"], busy.json["reason"], busy.json["state"]) == (False, "agent_busy", "ask_user")
        assert busy.json["error"]["message"] == "the agent asks something; answer that first"
        assert busy.stderr == "coop nudge: the agent asks something; answer it with coop respond\n"


def test_what_cannot_be_told_says_so(shared: Desk) -> None:
    ran = shared.coop("nudge", "cat", "hello", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "NO_DRIVER")
    assert shared.coop("nudge", "cat", "hello", "--wait", "99").code == 2
    assert shared.coop("nudge", "cat").code == 2


def test_a_message_without_proof_ends_with_7(desk: Desk) -> None:
    deaf = desk.root / "deaf.toml"
    deaf.write_text("[screen]\nprompt = '^>'\nquiet = 0.1\n[nudge]\npause = 0.0\n")
    with desk.session(
        "deaf", "--agent-config", str(deaf), command=("sh", "-c", "stty -echo; printf '> '; exec cat >/dev/null")
    ):
        desk.coop("wait", "--for", "idle", "--timeout", "30")
        ran = desk.coop("nudge", "deaf", "hello", "--wait", "0.3", "--json")
        assert (ran.code, ran.json["error"]["code"]) == (7, "UNVERIFIED")
        assert ran.json["receipt"]["progress"] in ("submitted", "unverifiable")


# Answering


def asking(desk: Desk) -> None:
    desk.coop("wait", "--for", "idle", "--timeout", "30")
    desk.coop("nudge", ".", "ask")
    desk.coop("wait", "--for", "prompt", "--timeout", "30")


def test_respond_takes_an_option_by_its_label(desk: Desk) -> None:
    with desk.session("a") as wire:
        asking(desk)
        wrong = desk.coop("respond", "--option", "Oracle")
        assert (wrong.code, "2 (SQLite)" in wrong.stderr) == (2, True)
        assert desk.coop("respond", "--option", "sqlite").stdout == "answered, by keys\n"
        wire.shows("SQLite it is.")
        none = desk.coop("respond", "--yes", "--json")
        assert (none.code, none.json["error"]["code"]) == (1, "NO_PROMPT")
        assert desk.coop("respond", "--option", "sqlite").code == 1


def test_respond_answers_the_named_prompt_or_none(desk: Desk) -> None:
    with desk.session("a") as wire:
        asking(desk)
        stale = desk.coop("respond", "--option", "2", "--prompt", "p99", "--json")
        assert (stale.code, stale.json["error"]["code"]) == (1, "PROMPT_CHANGED")
        by_label = desk.coop("respond", "--option", "SQLite", "--prompt", "p99", "--json")
        assert (by_label.code, by_label.json["error"]["code"]) == (1, "PROMPT_CHANGED")
        open_prompt = desk.coop("state", "--json").json["prompt"]["id"]
        answered = desk.coop("respond", "--option", "1", "--prompt", open_prompt, "--json").json
        assert (answered["delivered"], answered["prompt_id"], answered["effect"]) == (True, open_prompt, "answered")
        wire.shows("PostgreSQL it is.")


def test_respond_without_an_answer_and_a_terminal_shows_the_prompt_and_types_nothing(desk: Desk) -> None:
    with desk.session("a"):
        asking(desk)
        ran = desk.coop("respond")
        assert (ran.code, ran.lines[0], ran.lines[2]) == (2, "Which database should we use?", "  2. SQLite")
        assert "--yes" in ran.stderr
        assert desk.coop("respond", "--answers", "{").code == 2
        assert desk.coop("state", "--json").json["state"] == "ask_user"


def test_permissions_and_questions_of_claude_are_answered(desk: Desk) -> None:
    with desk.claude("claude", SCENARIO):
        desk.coop("wait", "--for", "idle", "--timeout", "60")
        told = desk.coop("nudge", "claude", "Fix the login bug", "--wait", "30")
        assert (told.code, "proof" in told.stdout) == (0, True), told
        assert (
            desk.coop("wait", "--for", "permission", "--timeout", "60").stdout == "permission_prompt: Bash: touch login-fixed\n"
        )
        shown = desk.coop("respond").lines
        assert shown[:2] == ["May Bash run?", "│ command: touch login-fixed"]
        assert "touch login-fixed" in desk.coop("ls").stdout
        assert desk.coop("respond", "--yes").lines == ["accepted, by hook"]
        eventually((desk.root / "workspace/login-fixed").exists, within=30)
        desk.coop("wait", "--for", "idle", "--timeout", "60")
        desk.coop("nudge", "claude", "Which database", "--wait", "30")
        desk.coop("wait", "--for", "question", "--timeout", "60")
        answered = desk.coop("respond", "--answers", '[{"option":"SQLite"}]', "--json").json
        assert (answered["prompt_type"], answered["effect"]) == ("question", "answered")
        assert desk.coop("wait", "--for", "idle", "--timeout", "60").code == 0
        assert "last     SQLite it is." in desk.coop("state").stdout


# Keys, text, signals


def test_keys_and_text_are_typed(desk: Desk) -> None:
    with desk.session("cat", command=CAT) as wire:
        wire.shows("ready")
        assert desk.coop("type", "cat", "hällo", "--enter").stdout == ""
        wire.shows("hällo")
        assert desk.coop("type", "cat", "-", "--json", given="piped\n").json == {"bytes_written": 6}
        wire.shows("piped")
        assert desk.coop("type", "cat", "--", "-x").code == 0
        assert desk.coop("keys", "cat", "o", "k", "Enter", "--json").json == {"bytes_written": 3}
        wire.shows("-xok")
        assert desk.coop("keys", "cat", "NoSuchKey").code == 2
        assert desk.coop("keys", "cat").code == 2


def test_a_session_is_given_another_size(desk: Desk) -> None:
    with desk.session("cat", command=("cat",)) as wire:
        assert desk.coop("resize", "cat", "120x33", "--json").json == {"cols": 120, "rows": 33}
        assert wire.get("/api/v1/health")["terminal"] == {"cols": 120, "rows": 33}
        assert desk.coop("resize", "cat", "90x20").stdout == ""
        assert wire.get("/api/v1/health")["terminal"] == {"cols": 90, "rows": 20}
        assert desk.coop("resize", "cat", "huge").code == 2
        assert [desk.coop("resize", "cat", size).code for size in ("0x50", "2001x1", "2000x2000")] == [2, 2, 2]
        assert desk.coop("resize", "nobody", "90x20").code == 3


def test_signals_reach_the_child(desk: Desk) -> None:
    script = "trap 'echo hit' USR1; echo ready; while :; do sleep 0.05; done"
    with desk.session("trap", command=("sh", "-c", script)) as wire:
        wire.shows("ready")
        assert desk.coop("signal", "trap", "usr1", "--json").json == {"delivered": True}
        wire.shows("hit")
        assert desk.coop("signal", "trap", "SIGNOTHING").code == 2


# Ends


def test_a_wait_is_no_longer_than_it_may_be_though_coop_itself_hangs(desk: Desk) -> None:
    with desk.session("cat", command=CAT) as wire:
        wire.coop.process.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            late = desk.coop("wait", "cat", "--timeout", "0.5")
            took = time.monotonic() - began
        finally:
            wire.coop.process.send_signal(signal.SIGCONT)
    assert (late.code, "coop does not answer" in late.stderr) == (5, True)
    assert took < 10  # a request that is not answered is given up after 15 s


@pytest.mark.parametrize(
    "arguments", [("peek", "cat"), ("attach", "cat"), ("stop", "cat", "--timeout", "0.1")], ids=lambda a: a[0]
)
def test_a_coop_that_was_stopped_is_told_of_by_its_number_with_what_lets_it_go_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr("coop.client.api.ANSWER_WITHIN", 0.3)
    monkeypatch.setattr("coop.cli.attach._FIRST_WITHIN", 0.3)
    monkeypatch.setattr("coop.cli.stop._TO_ASK", 0.2)
    with desk.session("cat", command=CAT) as wire:
        pid = wire.coop.process.pid
        wire.coop.process.send_signal(signal.SIGSTOP)
        try:
            told = desk.coop(*arguments)
        finally:
            wire.coop.process.send_signal(signal.SIGCONT)
    assert told.code == (5 if arguments[0] == "stop" else 3)
    assert told.stderr.endswith(f"; its coop, pid {pid}, was stopped: kill -CONT {pid} lets it go on\n")


def test_one_that_hangs_is_told_of_with_what_ends_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coop.client.api.ANSWER_WITHIN", 0.2)
    (desk.root / "coop").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(desk.root / "coop" / "mute.sock"))
        mute.listen()
        told = desk.coop("peek", "mute")
    assert told.code == 3
    assert told.stderr.endswith(
        f"; its coop is pid {os.getpid()}: kill {os.getpid()} ends it, or kill -9 {os.getpid()} when it hangs\n"
    )


def test_two_answers_at_once_are_refused(shared: Desk) -> None:
    for two in (
        ("-y", "-n"),
        ("--yes", "--option", "1"),
        ("-n", "-o", "1"),
        ("-n", "--always"),
        ("--always", "-o", "1"),
        ("--text", "x", "--answers", "[]"),
        ("-n", "--answers", "[]"),
    ):
        told = shared.coop("respond", "agent", *two)
        assert (told.code, "give one of them" in told.stderr) == (2, True)
    for one in (("-y", "--always"), ("-n", "--text", "no")):
        assert shared.coop("respond", "agent", *one).code == 1  # it asks nothing


def test_stop_ends_the_session_and_says_how(desk: Desk) -> None:
    with desk.session("cat", command=CAT) as wire:
        wire.shows("ready")
        assert desk.coop("stop", "cat").stdout == "cat has ended: the child by signal 1\n"
        assert wire.coop.wait() == 129
        assert desk.coop("stop", "cat").code == 3


def test_stop_in_json_and_of_a_child_that_is_gone(desk: Desk) -> None:
    with desk.session("gone", "--keep-alive", command=("sh", "-c", "exit 3")) as wire:
        desk.coop("wait", "--for", "exited", "--timeout", "30")
        assert desk.coop("stop", "--json").json == {"type": "exit", "code": 3, "signal": None}
        assert wire.coop.wait() == 3


def test_a_stubborn_child_is_waited_for_and_killed_with_now(desk: Desk) -> None:
    with desk.session("no", command=("sh", "-c", "trap '' HUP; echo ready; while :; do sleep 0.1; done")) as wire:
        wire.shows("ready")
        assert desk.coop("stop", "--now").stdout == "no has ended: the child by signal 9\n"
    with desk.session("no", command=("sh", "-c", "trap '' HUP; echo ready; while :; do sleep 0.1; done")) as wire:
        wire.shows("ready")
        late = desk.coop("stop", "--timeout", "0.5")
        assert (late.code, "--now" in late.stderr) == (5, True)


def test_who_does_not_wait_for_the_end_asks_for_it_all_the_same(desk: Desk) -> None:
    with desk.session("cat", command=CAT) as wire:
        wire.shows("ready")
        asked = desk.coop("stop", "--timeout", "0", "--now")
        assert "--now" not in asked.stderr
        assert wire.coop.wait() in (129, 137)


@pytest.mark.parametrize("arguments", [("events", "cat", "--follow"), ("ls", "--watch")], ids=lambda arguments: arguments[0])
def test_what_goes_on_for_ever_ends_with_its_reader_though_nothing_happens(shared: Desk, arguments: tuple[str, ...]) -> None:
    words = [sys.executable, "-m", "coop.cli.main", *arguments]
    following = subprocess.Popen(words, env=shared.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert following.stdout is not None
    assert following.stderr is not None
    try:
        assert following.stdout.readline()
        following.stdout.close()
        assert (following.wait(20), following.stderr.read()) == (74, "")
    finally:
        following.kill()
        following.wait()
        following.stderr.close()


# Which session, and who may


def test_a_session_is_named_by_name_beginning_socket_or_url(shared: Desk) -> None:
    found = {each["name"]: each["socket"] for each in shared.coop("ls", "--json").json}
    for word in ("cat", "c", found["cat"], f"unix:{found['cat']}"):
        assert shared.coop("state", word, "--json").json["agent"] == "unknown"
    which = shared.coop("state")
    assert (which.code, "agent, cat" in which.stderr) == (3, True)
    assert shared.coop("state", "nobody").code == 3
    gone = shared.coop("state", "http://127.0.0.1:1", "--json")
    assert (gone.code, gone.json["error"]["code"]) == (3, "UNREACHABLE")
    assert "coop ls" in gone.stderr


ACTING: tuple[tuple[str, ...], ...] = (
    ("type", "c", "to somebody else"),
    ("keys", "c", "Enter"),
    ("nudge", "c", "to somebody else"),
    ("respond", "c", "-y"),
    ("signal", "c", "KILL"),
    ("stop", "c", "--now"),
    ("resize", "c", "80x24"),
    ("record", "c"),
    ("wait", "c", "--timeout", "0"),
)


@pytest.mark.parametrize("arguments", ACTING, ids=lambda arguments: arguments[0])
def test_what_is_done_to_a_session_is_done_to_none_whose_name_only_begins_so(shared: Desk, arguments: tuple[str, ...]) -> None:
    told = shared.coop(*arguments)
    assert (told.code, told.stdout) == (3, "")
    assert told.stderr == f"coop {arguments[0]}: no session is named 'c'; did you mean cat?\n"


@pytest.mark.parametrize("command", ["peek", "attach"])
def test_where_no_tls_is_spoken_http_is_offered(desk: Desk, command: str) -> None:
    with desk.session("plain", command=CAT) as wire:
        told = desk.coop(command, wire.coop.url.replace("http:", "https:"))
    assert told.code == 3
    assert f"cannot be reached: no TLS is spoken there, try {wire.coop.url}; " in told.stderr


@pytest.mark.parametrize("arguments", [("http://127.0.0.1:99999",), ("http://127.0.0.1:abc",)])
def test_an_address_that_is_none_is_told_in_a_line(desk: Desk, arguments: tuple[str, ...]) -> None:
    told = desk.coop("state", *arguments)
    assert (told.code, told.stderr.count("\n")) == (2, 1)
    assert "expected unix:PATH or http://HOST:PORT" in told.stderr


def test_a_token_that_cannot_be_sent_is_told_in_a_line(shared: Desk) -> None:
    for command in (("state", "cat"), ("ls",), ("ls", "--watch"), ("events", "cat"), ("attach", "cat")):
        told = shared.coop(*command, "--token", "two\nlines")
        assert (told.code, told.stderr.count("\n"), "cannot be sent" in told.stderr) == (2, 1, True)


def test_a_token_of_any_letters_opens(desk: Desk) -> None:
    with desk.session("locked", command=CAT, COOP_AUTH_TOKEN="ключ"):
        assert desk.coop("state", "locked", "--token", "ключ").code == 0


def test_a_token_is_required_where_there_is_one(desk: Desk) -> None:
    with desk.session("locked", command=CAT, COOP_AUTH_TOKEN="s3cret") as wire:
        (desk.root / "token").write_text("s3cret\n")
        refused = desk.coop("state", "locked")
        assert (refused.code, "COOP_TOKEN" in refused.stderr) == (4, True)
        assert desk.coop("keys", "locked", "x", "--token", "wrong").code == 4
        for wrong in ("wrong", "ключ"):
            told = desk.coop("state", "locked", "--token", wrong)
            assert (told.code, "the token is wrong" in told.stderr) == (4, True)
        empty = desk.coop("state", "locked", "--token", "")
        assert (empty.code, "the token is empty" in empty.stderr) == (2, True)
        assert desk.coop("state", "locked", "--token", "s3cret").code == 0
        assert desk.coop("state", wire.coop.url, "--token-file", str(desk.root / "token")).code == 0
        assert desk.coop("stop", "locked", "--now").code == 4
        assert desk.coop("stop", "locked", "--now", env={"COOP_TOKEN": "s3cret"}).code == 0


def test_inside_of_a_session_it_is_seen_but_not_typed_into(desk: Desk) -> None:
    coop = f"{sys.executable} -m coop.cli.main"
    script = f"{coop} state --json >seen; {coop} nudge . hi; echo nudge=$?; {coop} stop; echo stop=$?; exec cat"
    with desk.session("inner", command=("sh", "-c", script)) as wire:
        wire.shows("stop=4")
        assert "nudge=4" in wire.text()
        assert json.loads((desk.root / "seen").read_text())["agent"] == "unknown"


def test_the_token_for_commands_does_not_reach_the_child(desk: Desk) -> None:
    with desk.session("env", command=("sh", "-c", "env | grep -c '^COOP_TOKEN' ; exec cat"), COOP_TOKEN="s3cret") as wire:
        wire.shows("0")
        assert "s3cret" not in Path(f"/proc/{wire.coop.child_pid}/environ").read_text()


def test_session_names_are_completed(shared: Desk) -> None:
    words = {"_COOP_COMPLETE": "bash_complete", "COMP_WORDS": "coop state a", "COMP_CWORD": "2"}
    assert shared.coop(env=words).stdout == "plain,agent\n"
    words = {"_COOP_COMPLETE": "bash_complete", "COMP_WORDS": "coop sta", "COMP_CWORD": "1"}
    assert "plain,state\n" in shared.coop(env=words).stdout
