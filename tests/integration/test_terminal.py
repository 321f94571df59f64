"""`coop attach` on a real terminal, with somebody in front of it."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from coop.model.screen import Size
from coop.testing import CoopProcess, eventually, running_coop
from tests.support.certificate import certified
from tests.support.multiplexers import own_tmux
from tests.support.person import Person, attached, resume, until_stopped
from tests.support.relay import relay, relay_by_tcp
from tests.support.wire import Wire

SHELL = ("bash", "--norc", "--noprofile")
PROMPT = {"PS1": "me> ", "TERM": "xterm-256color"}
WILD = "\\033[?1h\\033=\\033[?5h\\033[?1003h\\033[?1006h\\033[?1004h\\033[?2004h\\033[?25l\\033[5 q\\033[>5u\\033[31m\\033]2;wild\\007"
"""Everything a program can do to a terminal that it does not undo."""
WITHIN = 40.0


def sizes(coop: CoopProcess) -> str:
    terminal = Wire(coop, "unix").get("/api/v1/health")["terminal"]
    return f"{terminal['cols']}x{terminal['rows']}"


def has_size(coop: CoopProcess, size: str) -> None:
    eventually(lambda: sizes(coop) == size, within=WITHIN, what=size)


def agrees(person: Person, coop: CoopProcess) -> None:
    """The session's rows are those above the status line."""
    wire = Wire(coop, "unix")
    person.terminal.until(
        lambda: [line.rstrip() for line in wire.get("/api/v1/screen")["lines"]] == list(person.terminal.lines()[:-1]),
        what="the session's screen",
        within=WITHIN,
    )


def test_a_person_sees_the_session_types_into_it_and_leaves_it_alive() -> None:
    with running_coop("--name", "work", command=SHELL, env=PROMPT) as coop:
        wire = Wire(coop, "unix")
        wire.shows("me>")
        wire.post("/api/v1/input", {"text": "echo before; x=1", "enter": True})
        with attached(coop, "work") as person:
            person.sees("before")
            person.types("tput cols; tput lines; echo $((x+41))\r")
            person.sees("42")
            agrees(person, coop)
            assert person.terminal.lines()[3:5] == ("80", "23")
            assert person.status.startswith(" work ")
            assert person.leaves() == 0
            assert "[detached from work]" in person.shown()
        with attached(coop) as again:
            again.sees("42")
            again.types("echo $((x+2))\r")
            again.sees("3")
            assert again.leaves() == 0


@pytest.mark.parametrize("end", ["detach", "exit", "killed child", "TERM", "HUP", "KILL", "SEGV", "coop killed"])
def test_the_terminal_is_given_back_however_it_ends(end: str) -> None:
    child = ("sh", "-c", f"printf '{WILD}'; stty -echo; printf ready; read x; exit 3")
    with running_coop("--name", "work", command=child) as coop, attached(coop, "work") as person:
        person.sees("ready")
        person.reads("\x1b[?1003h")
        assert not person.settings_are_back()
        codes = {
            "detach": 0,
            "exit": 3,
            "killed child": 137,
            "TERM": 143,
            "HUP": 129,
            "KILL": -9,
            "SEGV": -11,
            "coop killed": 255,
        }
        match end:
            case "detach":
                person.types("\x1cd")
            case "exit":
                person.types("x\r")
            case "killed child":
                os.kill(coop.child_pid, signal.SIGKILL)
            case "coop killed":
                coop.process.kill()
            case _:
                person.kills(signal.Signals[f"SIG{end}"])
        assert person.ends() == codes[end]
        assert person.has_her_terminal_back()
        if end in ("detach", "TERM", "HUP", "KILL", "SEGV"):
            Wire(coop, "unix").get("/api/v1/health")
            os.kill(coop.child_pid, 0)


def test_no_process_is_left_behind() -> None:
    with running_coop("--name", "work", command=("cat",)) as coop, attached(coop, "work") as person:
        person.sees("work")
        group = Path(f"/proc/{person.terminal.pid}/task/{person.terminal.pid}/children").read_text().split()
        assert len(group) == 1
        person.kills(signal.SIGKILL)
        person.ends()
        eventually(lambda: not Path(f"/proc/{group[0]}").exists(), within=WITHIN, what="the guard's end")


def test_two_at_once_see_the_same_and_whoever_typed_last_has_the_size() -> None:
    with (
        running_coop("--name", "work", command=SHELL, env=PROMPT) as coop,
        attached(coop, "work", size=Size(90, 20)) as first,
    ):
        first.sees("me>")
        has_size(coop, "90x19")
        with attached(coop, "work", size=Size(60, 15)) as second:
            second.sees("me>")
            has_size(coop, "60x14")
            second.types("echo from $((1+1))\r")
            second.sees("from 2")
            first.sees("from 2")
            first.sees("·")
            first.types("echo and from $((0+1))\r")
            second.sees("and from 1")
            has_size(coop, "90x19")
            agrees(first, coop)
            second.sees("60×14 of 90×19")
            assert second.leaves() == 0
        first.types("echo still $((3+0))\r")
        first.sees("still 3")
        assert first.leaves() == 0


@pytest.mark.parametrize("end", ["detach", "killed"])
def test_who_leaves_gives_the_session_its_size_back(end: str) -> None:
    with running_coop("--name", "work", "--cols", "120", "--rows", "40", command=SHELL, env=PROMPT) as coop:
        with attached(coop, "work", size=Size(50, 12)) as person:
            person.sees("me>")
            has_size(coop, "50x11")
            person.types("\x1cd") if end == "detach" else person.kills(signal.SIGKILL)
            person.ends()
        has_size(coop, "120x40")
        Wire(coop, "unix").post("/api/v1/input", {"text": "stty size", "enter": True})
        Wire(coop, "unix").shows("40 120")


def test_of_two_visitors_the_one_who_stays_gets_the_size_and_then_the_session_its_own() -> None:
    with running_coop("--name", "work", "--cols", "120", "--rows", "40", command=SHELL, env=PROMPT) as coop:
        with attached(coop, "work", size=Size(90, 20)) as first:
            first.sees("me>")
            with attached(coop, "work", size=Size(60, 15)) as second:
                second.sees("me>")
                has_size(coop, "60x14")
                assert second.leaves() == 0
            has_size(coop, "90x19")
            agrees(first, coop)
            assert first.leaves() == 0
        has_size(coop, "120x40")


def test_a_size_that_came_by_the_api_stays_when_the_visitor_leaves() -> None:
    with running_coop("--name", "work", command=SHELL, env=PROMPT) as coop, attached(coop, "work") as person:
        person.sees("me>")
        has_size(coop, "80x23")
        Wire(coop, "unix").post("/api/v1/resize", {"cols": 130, "rows": 33})
        person.sees("80×23 of 130×33")
        assert person.leaves() == 0
        eventually(lambda: Wire(coop, "unix").get("/api/v1/health")["ws_clients"] == 0, within=WITHIN, what="nobody there")
        assert sizes(coop) == "130x33"


def test_who_only_looks_changes_nothing() -> None:
    with (
        running_coop("--name", "work", "--cols", "100", "--rows", "30", command=SHELL, env=PROMPT) as coop,
        attached(coop, "work", "--read-only") as person,
    ):
        person.sees("me>")
        person.types("echo typed\r")
        person.sees("read-only: nothing is typed")
        Wire(coop, "unix").post("/api/v1/input", {"text": "echo from elsewhere", "enter": True})
        person.sees("from elsewhere")
        assert "typed" not in Wire(coop, "unix").text()
        assert sizes(coop) == "100x30"
        assert person.leaves() == 0


def test_a_cut_connection_is_made_anew_and_what_was_typed_meanwhile_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "relay.sock")
    with (
        running_coop("--name", "work", command=SHELL, env=PROMPT) as coop,
        relay(path, coop.socket) as between,
        attached(coop, path, size=Size(100, 24)) as person,
    ):
        person.sees("me>")
        person.types("echo $((1+1))one\r")
        person.sees("2one")
        between.cut()
        person.sees("trying again")
        person.types("lost")
        person.sees("4 bytes were not sent")
        Wire(coop, "unix").post("/api/v1/input", {"text": "echo mean$((2+1))while", "enter": True})
        between.mend()
        person.sees("connected again; 4 bytes were not sent")
        person.sees("mean3while")
        person.types("echo $((2+2))two\r")
        person.sees("4two")
        agrees(person, coop)
        assert "lost" not in Wire(coop, "unix").text()
        assert person.leaves() == 0


def test_a_connection_by_tls_that_is_cut_is_made_anew(tmp_path: Path) -> None:
    server, trusted = certified(tmp_path)
    with (
        running_coop("--name", "work", command=SHELL, env=PROMPT) as coop,
        relay_by_tcp(coop.socket, server) as between,
        attached(coop, between.url, size=Size(100, 24), env={"SSL_CERT_FILE": str(trusted)}) as person,
    ):
        person.types("echo $((1+1))one\r")
        person.sees("2one")
        between.cut()
        person.sees("trying again")
        between.mend()
        person.sees("connected again")
        person.types("echo $((2+2))two\r")
        person.sees("4two")
        agrees(person, coop)
        assert person.leaves() == 0


def test_a_connection_that_falls_silent_is_made_anew_and_what_was_typed_into_it_is_told() -> None:
    with (
        running_coop("--name", "work", command=SHELL, env=PROMPT) as coop,
        relay_by_tcp(coop.socket) as between,
        attached(coop, between.url, size=Size(100, 24)) as person,
    ):
        person.sees("me>")
        between.fall_silent()
        person.types("lost")
        person.sees("connected again; the last 4 bytes may not have arrived")
        person.types("echo $((2+2))two\r")
        person.sees("4two")
        assert "lost" not in Wire(coop, "unix").text()
        assert person.leaves() == 0


def test_a_session_that_does_not_come_back_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "relay.sock")
    with (
        running_coop("--name", "work", command=("cat",)) as coop,
        relay(path, coop.socket) as between,
        attached(coop, path) as person,
    ):
        person.sees("relay")
        between.cut()
        assert person.ends() == 255
        assert "[lost relay: " in person.shown()
        assert person.has_her_terminal_back()


def test_a_token_is_needed_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cret\n")
    with running_coop("--name", "work", command=SHELL, env={**PROMPT, "COOP_AUTH_TOKEN": "s3cret"}) as coop:
        for options, env in ((("--token-file", str(tmp_path / "token")), {}), ((), {"COOP_AUTH_TOKEN": "s3cret"})):
            with attached(coop, "work", *options, env=env) as person:
                person.sees("me>")
                assert person.leaves() == 0
        for env, says in (({}, "wants its token"), ({"COOP_AUTH_TOKEN": "wrong"}, "wants another token")):
            with attached(coop, "work", env=env) as person:
                assert person.ends() == 4, person.shown()
                assert says in person.shown()
                assert person.has_her_terminal_back()


@pytest.mark.parametrize("way", ["name", "prefix", "socket", "url"])
def test_a_session_is_found_in_every_way(way: str) -> None:
    with running_coop("--name", "a-long-name", command=("sh", "-c", "printf here; exec cat")) as coop:
        where = {"name": "a-long-name", "prefix": "a-l", "socket": coop.socket, "url": coop.url}[way]
        with attached(coop, where) as person:
            person.sees("here")
            assert person.leaves() == 0


def test_what_is_larger_than_the_terminal_is_shown_where_the_cursor_is() -> None:
    draw = "for n in $(seq 1 40); do printf \"\\033[$n;1Hrow $n\"; done; printf '\\033[40;1Hlast'; stty -echo; read x; printf '\\033[1;1H'; exec cat"
    with (
        running_coop("--name", "work", "--cols", "120", "--rows", "40", command=("sh", "-c", draw)) as coop,
        attached(coop, "work", "--no-resize", size=Size(50, 11)) as person,
    ):
        person.sees("last")
        assert person.terminal.lines()[0] == "row 31"
        assert "50×10 of 120×40" in person.status
        person.types("\r")
        person.sees("row 10")
        assert person.terminal.lines()[0] == "row 1"
        assert sizes(coop) == "120x40"


def test_what_is_smaller_than_the_terminal_is_marked() -> None:
    with (
        running_coop("--name", "work", "--cols", "20", "--rows", "5", command=("sh", "-c", "printf small; exec cat")) as coop,
        attached(coop, "work", "--no-resize", size=Size(30, 9)) as person,
    ):
        person.sees("small")
        assert person.terminal.lines()[0] == "small" + " " * 15 + "·" * 10
        assert person.terminal.lines()[7] == "·" * 30


def test_a_new_size_of_the_terminal_is_the_programs() -> None:
    # It looks for itself: bash loses a signal that comes while it hears another.
    child = ("bash", "--norc", "-c", 'while :; do is=$(stty size); [ "$is" = "$was" ] || echo "$is"; was=$is; sleep 0.02; done')
    with running_coop("--name", "work", command=child) as coop, attached(coop, "work") as person:
        person.sees("23 80")
        person.terminal.resize(Size(66, 18))
        person.sees("17 66")
        assert person.status.startswith(" work ")
        agrees(person, coop)


def test_without_a_status_line_the_session_has_the_whole_terminal() -> None:
    with running_coop("--name", "work", command=SHELL, env=PROMPT) as coop, attached(coop, "work", "--no-status") as person:
        person.sees("me>")
        has_size(coop, "80x24")
        person.types("clear; seq 30\r")
        person.terminal.until(lambda: person.status == "me>", what="the prompt in the last row", within=WITHIN)
        assert person.leaves() == 0


def test_who_was_away_during_a_flood_is_shown_its_end() -> None:
    flood = "import sys\ninput()\nfor n in range(60000): print(f'line {n}', 'x' * (n % 50))\nprint('the end'); input()"
    with (
        running_coop(
            "--name", "work", "--ring-size", "65536", command=(sys.executable, "-c", f"print('ready')\n{flood}")
        ) as coop,
        attached(coop, "work") as person,
    ):
        person.sees("ready")
        person.kills(signal.SIGSTOP)
        until_stopped(person.terminal.pid)
        wire = Wire(coop, "unix")
        wire.post("/api/v1/input", {"text": "", "enter": True})
        eventually(lambda: "the end" in wire.text(), within=WITHIN, what="the flood's end")
        resume(person)
        person.sees("the end")
        agrees(person, coop)
        assert person.leaves() == 0


def test_wide_characters_at_the_edge_are_whole_or_not_there() -> None:
    text = "x" * 19 + "你" + "y" * 18 + "👨‍👩‍👧" + "é́ ok"
    with (
        running_coop(
            "--name", "work", "--cols", "40", "--rows", "6", command=("sh", "-c", f"printf '{text}'; exec cat")
        ) as coop,
        attached(coop, "work", "--no-resize", size=Size(20, 7)) as person,
    ):
        person.sees("x" * 19)
        assert person.terminal.lines()[0] == "x" * 19
        person.terminal.resize(Size(40, 7))
        agrees(person, coop)


@pytest.mark.skipif(shutil.which("vim") is None or shutil.which("less") is None, reason="vim and less: run `make deps`")
def test_an_editor_that_was_open_can_be_used_and_what_was_beneath_is_there_again(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"line {n}\n" for n in range(100)))
    with running_coop("--name", "work", command=SHELL, env=PROMPT, cwd=tmp_path) as coop:
        wire = Wire(coop, "unix")
        wire.post("/api/v1/input", {"text": "echo beneath; vim -u NONE -N text", "enter": True})
        wire.shows("line 20")
        with attached(coop, "work") as person:
            person.sees("line 21")
            person.types("G")
            person.sees("line 99")
            person.types("owords\x1b:wq\r")
            person.sees("beneath")
            agrees(person, coop)
            person.types("less text\r")
            person.sees("line 10")
            person.types("\x1b[6~G")
            person.sees("words")
            person.types("q")
            person.sees("beneath")
            agrees(person, coop)
            assert person.leaves() == 0


def test_a_pane_of_tmux_keeps_its_size_and_what_fits_is_shown() -> None:
    with own_tmux() as tmux:
        tmux.start("sh", "-c", "printf 'in tmux'; exec cat", size="100x30")
        with running_coop("--name", "work", "--attach", tmux.spec) as coop, attached(coop, "work") as person:
            person.sees("in tmux")
            person.types("typed\r")
            person.sees("typed")
            assert "80×23 of 100×30" in person.status
            assert tmux.size() == "100x30"
            assert person.leaves() == 0


def test_keys_that_stop_and_interrupt_are_for_the_program() -> None:
    with running_coop("--name", "work", command=(*SHELL, "-i"), env=PROMPT) as coop, attached(coop, "work") as person:
        person.sees("me>")
        person.types("cat\r")
        person.types("a $((1+1))\r")
        person.sees("a $((1+1))")
        person.types("\x1a")
        person.sees("Stopped")
        person.types(
            'sh -c \'trap "echo heard INT" INT; trap "echo heard QUIT" QUIT; echo trapped; while :; do sleep 0.02; done\'\r'
        )
        person.terminal.until(lambda: "trapped" in person.terminal.lines(), what="the traps", within=WITHIN)
        person.types("\x03")
        person.sees("heard INT")
        person.types("\x1c\x1c")
        person.sees("heard QUIT")
        assert person.leaves() == 0


ASKING = """
import os, sys, termios, tty, select
tty.setraw(0)
os.write(1, b"\\x1b[c\\x1b[6n\\x1b]11;?\\x07\\x1b[?u\\x1b[>q")
got = b""
while select.select([0], [], [], 2)[0]:
    got += os.read(0, 1000)
os.write(1, b"\\r\\nDA1 %d DSR %d OSC %d" % (got.count(b"\\x1b[?64;"), got.count(b"R"), got.count(b"\\x1b]11;")))
os.read(0, 1)
"""


def test_the_programs_questions_are_answered_once() -> None:
    child = ("sh", "-c", 'read x; exec "$0" -c "$1"', sys.executable, ASKING)
    with running_coop("--name", "work", command=child) as coop, attached(coop, "work") as person:
        person.sees("work")
        person.types("\r")
        person.sees("DA1 1 DSR 1 OSC 1")
        for query in ("\x1b[c", "\x1b[6n", "]11;?", "\x1b[?u", "\x1b[>q"):
            assert query.encode() not in person.terminal.output


def test_the_mouse_and_a_paste_reach_a_program_that_wants_them() -> None:
    child = ("sh", "-c", "stty raw -echo; printf '\\033[?1000h\\033[?1006h\\033[?2004hready'; exec cat -v")
    with running_coop("--name", "work", command=child) as coop, attached(coop, "work") as person:
        person.sees("ready")
        person.reads("\x1b[?2004h")
        person.types("\x1b[<0;5;6M\x1b[<0;5;24M\x1b[200~a\x1cd\x1b[201~\x1b[I")
        person.sees("^[[<0;5;6M^[[200~a^\\d^[[201~")
        assert "^[[I" not in person.shown()


def test_the_status_line_tells_the_state_and_what_is_asked() -> None:
    from importlib.resources import files

    config = str(files("coop_sim") / "agent.toml")
    with (
        running_coop("--name", "work", "--agent-config", config, command=(sys.executable, "-m", "coop_sim")) as coop,
        attached(coop, "work") as person,
    ):
        person.sees("● idle")
        person.types("ask")
        person.types("\r")
        person.sees("● asks")
        assert person.leaves() == 0


def test_whoever_waits_for_a_connection_is_told_what_for() -> None:
    with running_coop("--name", "work", command=("cat",)) as coop:
        coop.process.send_signal(signal.SIGSTOP)
        try:
            with attached(coop, "work") as person:
                person.sees("connecting to work…")
                coop.process.send_signal(signal.SIGCONT)
                person.sees("Ctrl-\\ d detaches")
                assert person.leaves() == 0
        finally:
            coop.process.send_signal(signal.SIGCONT)


def test_where_there_is_no_terminal_it_says_so() -> None:
    with running_coop("--name", "work", command=("cat",)) as coop:
        env = {"HOME": str(coop.home), "XDG_RUNTIME_DIR": str(coop.home), "PATH": os.environ["PATH"]}
        words = [sys.executable, "-m", "coop.cli.main", "attach", "work"]
        done = subprocess.run(
            words, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=WITHIN, check=False
        )
        assert done.returncode == 2
        assert "coop attach needs a terminal" in done.stderr
