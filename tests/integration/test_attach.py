"""coop on a pane of somebody's tmux: what people have there stays theirs."""

import os
import pty
import shlex
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path

import pytest

from coop.testing import CoopProcess, eventually, running_coop
from tests.support.multiplexers import Tmux, own_tmux, shows
from tests.support.wire import Wire

SHELL = ("bash", "--norc", "--noprofile")
PROMPT_ENV = {"PS1": "$ "}


@pytest.fixture
def tmux() -> Generator[Tmux]:
    with own_tmux() as found:
        yield found


@contextmanager
def attached(tmux: Tmux, *options: str, target: str | None = None) -> Generator[Wire]:
    with running_coop("--attach", tmux.spec_of(target) if target else tmux.spec, *options) as coop:
        yield Wire(coop, "tcp")


@contextmanager
def person(tmux: Tmux, cols: int, rows: int) -> Generator[int]:
    """Somebody who looks at the session on a terminal of that size."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
        os.execvp("tmux", ["tmux", "-S", str(tmux.socket), "attach-session", "-t", tmux.session])
    ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
    try:
        yield fd
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def same_screen(wire: Wire, tmux: Tmux) -> None:
    """What coop shows is what tmux shows."""

    def is_same() -> bool:
        ours = [line.rstrip() for line in wire.get("/api/v1/screen")["lines"]]
        theirs = [line.rstrip() for line in tmux.shown().split("\n")]
        theirs += [""] * (len(ours) - len(theirs))
        return ours == theirs

    eventually(is_same, what=f"{wire.text()!r} to be {tmux.shown()!r}")


def error_of(*arguments: str, env: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-m", "coop.cli.main", *arguments]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **(env or {})}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20, env=environment)
    assert done.returncode == 2, done
    return done.stderr


def test_what_was_there_before_is_shown_with_its_colours_its_past_and_its_cursor(tmux: Tmux) -> None:
    tmux.start("sh", "-c", "seq 100; printf '\\033[1;32mgreen\\033[0m and \\033[44mblue\\033[0m\\n> '; exec sleep 60")
    shows(tmux, "blue")
    with attached(tmux) as wire:
        wire.shows("green and blue")
        screen = wire.get("/api/v1/screen?format=ansi&scrollback=100")
        assert screen["scrollback"][-2:] == ["71", "72"]
        assert (screen["cursor"]["col"], screen["rows"], screen["cols"]) == (2, 30, 100)
        green = next(line for line in screen["lines"] if "green" in line)
        assert "38;5;2m" in green
        assert "48;5;4m" in green
        same_screen(wire, tmux)


def test_an_editor_is_shown_and_what_lies_beneath_comes_back(tmux: Tmux) -> None:
    script = "echo beneath; printf '\\033[?1049h\\033[?1h\\033[5;5Heditor'; read x; printf '\\033[?1049l'; exec sleep 60"
    tmux.start("sh", "-c", script)
    shows(tmux, "editor")
    with attached(tmux) as wire:
        wire.shows("editor")
        assert wire.get("/api/v1/screen")["alt_screen"]
        wire.post("/api/v1/input", {"text": "", "enter": True})
        wire.shows("beneath")
        same_screen(wire, tmux)


def test_keys_are_encoded_for_the_modes_that_were_set_before_we_came(tmux: Tmux) -> None:
    tmux.start("sh", "-c", "stty raw -echo; printf '\\033[?1hready'; head -c 3 | od -An -c; exec sleep 60")
    shows(tmux, "ready")
    with attached(tmux) as wire:
        wire.shows("ready")
        wire.post("/api/v1/input/keys", {"keys": ["Up"]})
        wire.shows("033   O   A")


def test_what_is_typed_reaches_the_program_though_somebody_scrolls_back(tmux: Tmux) -> None:
    """In copy mode a key is tmux's own."""
    tmux.start("cat")
    with attached(tmux) as wire:
        tmux.run("copy-mode", "-t", tmux.session)
        tmux.run("set-buffer", "-b", "coop", "somebody's own")
        wire.post("/api/v1/input", {"text": "said quietly $(x) “é”", "enter": True})
        wire.shows("said quietly $(x) “é”")
        assert tmux.fact("pane_in_mode") == "1"
        assert tmux.run("list-buffers", "-F", "#{buffer_name}: #{buffer_sample}").strip() == "coop: somebody's own"


def test_the_environment_of_new_windows_stays_as_it_is(tmux: Tmux) -> None:
    tmux.start("cat")
    own = {"SSH_AUTH_SOCK": "/theirs/agent", "DISPLAY": ":7", "SSH_CONNECTION": "from there"}
    for name, value in own.items():
        tmux.run("set-environment", "-t", tmux.session, name, value)
    with attached(tmux) as wire:
        wire.post("/api/v1/input", {"text": "here", "enter": True})
        wire.shows("here")
        found = dict(
            line.split("=", 1) for line in tmux.run("show-environment", "-t", tmux.session).splitlines() if "=" in line
        )
    assert own.items() <= found.items()


def test_panes_that_are_synchronized_are_not_typed_into(tmux: Tmux) -> None:
    tmux.start("cat")
    other = tmux.run("split-window", "-d", "-t", tmux.session, "-P", "-F", "#{pane_id}", "cat")
    tmux.run("set-option", "-w", "-t", tmux.session, "synchronize-panes", "on")
    with attached(tmux, target=f"{tmux.session}:0.0") as wire:
        wire.post("/api/v1/input", {"text": "for one", "enter": True})
        wire.shows("for one")
    assert "for one" not in tmux.run("capture-pane", "-p", "-t", other)


def test_other_panes_are_not_shown(tmux: Tmux) -> None:
    tmux.start("cat")
    tmux.run("split-window", "-t", tmux.session, "sh", "-c", "while true; do echo noise; sleep 0.01; done")
    with attached(tmux, target=f"{tmux.session}:0.0") as wire:
        wire.post("/api/v1/input", {"text": "signal", "enter": True})
        wire.shows("signal")
        assert "noise" not in wire.text()


def test_a_program_that_asks_the_terminal_is_answered_once(tmux: Tmux) -> None:
    ask = "printf '\\033[c'; IFS= read -r -t 5 -d c x; IFS= read -r -t 1 -d c y && echo twice || echo once"
    tmux.start("bash", "-c", f"stty -echo; read -r; stty raw; {ask}; exec sleep 60")
    with attached(tmux) as wire:
        wire.post("/api/v1/input", {"text": "", "enter": True})
        wire.shows("once")


def test_windows_keep_the_size_of_those_who_look_at_them_and_we_follow(tmux: Tmux) -> None:
    tmux.start(*SHELL, env=PROMPT_ENV)
    with person(tmux, 90, 25):
        eventually(lambda: tmux.size() == "90x24", what="the person's size")
        with attached(tmux) as wire:
            eventually(lambda: wire.get("/api/v1/screen")["cols"] == 90)
            assert tmux.size() == "90x24"
            refused = wire.request("POST", "/api/v1/resize", json={"cols": 50, "rows": 10})
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "NOT_OURS")
            wire.post("/api/v1/input", {"text": "seq 5; stty size", "enter": True})
            wire.shows("24 90")
            tmux.run("split-window", "-d", "-h", "-t", tmux.session, "sleep", "60")
            eventually(lambda: wire.get("/api/v1/screen")["cols"] < 90, what="half the width")
            same_screen(wire, tmux)
        assert len(tmux.clients()) == 1


def test_a_session_that_nobody_looks_at_keeps_its_size_too(tmux: Tmux) -> None:
    tmux.start("cat", size="133x44")
    with attached(tmux, "--cols", "80", "--rows", "24") as wire:
        wire.post("/api/v1/input", {"text": "x", "enter": True})
        wire.shows("x")
        assert (tmux.size(), wire.get("/api/v1/health")["terminal"]) == ("133x44", {"cols": 133, "rows": 44})
    assert tmux.size() == "133x44"


def test_whoever_detaches_all_clients_does_not_lose_us(tmux: Tmux) -> None:
    tmux.start("cat")
    with attached(tmux) as wire:
        wire.post("/api/v1/input", {"text": "before", "enter": True})
        wire.shows("before")
        tmux.run("detach-client", "-s", tmux.session)
        eventually(lambda: len(tmux.clients()) == 1, what="us again")
        wire.post("/api/v1/input", {"text": "after", "enter": True})
        wire.shows("after")
        same_screen(wire, tmux)


def test_a_pane_that_is_moved_to_another_session_is_followed(tmux: Tmux) -> None:
    tmux.start("cat")
    tmux.run("split-window", "-d", "-t", tmux.session, "sleep", "60")
    tmux.run("new-session", "-d", "-s", "other", "-x", "70", "-y", "20", "sleep", "60")
    pane = tmux.run("list-panes", "-t", tmux.session, "-F", "#{pane_id}").split()[0]
    with attached(tmux, target=pane) as wire:
        wire.post("/api/v1/input", {"text": "here", "enter": True})
        wire.shows("here")
        tmux.run("join-pane", "-d", "-s", pane, "-t", "other:0")
        eventually(lambda: "other" in tmux.run("list-clients"), what="our client in the other session")
        wire.post("/api/v1/input", {"text": "there", "enter": True})
        wire.shows("there")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_program_goes_on_when_coop_ends(tmux: Tmux, ending: signal.Signals) -> None:
    tmux.start("sh", "-c", "trap 'echo HUNG UP' HUP TERM INT; while true; do sleep 0.05; done")
    with attached(tmux) as wire:
        pid = wire.coop.child_pid
        wire.coop.process.send_signal(ending)
        code = wire.coop.wait()
    assert code == (0 if ending != signal.SIGKILL else -signal.SIGKILL)
    eventually(lambda: not tmux.clients(), what="nobody attached")
    assert tmux.pid() == pid
    assert "HUNG UP" not in tmux.shown()


def test_a_signal_that_is_asked_for_reaches_the_program(tmux: Tmux) -> None:
    tmux.start("sh", "-c", "trap 'echo caught' USR1; echo ready; while true; do sleep 0.05; done")
    with attached(tmux) as wire:
        wire.shows("ready")
        wire.post("/api/v1/signal", {"signal": "USR1"})
        wire.shows("caught")


def is_exited(coop: CoopProcess, why: str) -> None:
    wire = Wire(coop, "tcp")
    state = eventually(lambda: (seen := wire.get("/api/v1/agent/state"))["state"] == "exited" and seen, what="exited")
    assert state
    assert why in state["detail"]
    refused = wire.request("POST", "/api/v1/input", json={"text": "x"})
    assert refused.status_code == 410
    assert why in refused.json()["error"]["message"]


def test_the_end_of_the_program_is_the_sessions(tmux: Tmux) -> None:
    tmux.start("cat")
    tmux.run("new-window", "-d", "-t", tmux.session, "sleep", "60")
    with attached(tmux, "--keep-alive", target=f"{tmux.session}:0") as wire:
        wire.post("/api/v1/input/keys", {"keys": ["Ctrl-D"]})
        is_exited(wire.coop, "has ended")


def test_the_end_of_the_pane_is_the_sessions(tmux: Tmux) -> None:
    tmux.start("sh", "-c", "trap '' HUP; while true; do sleep 0.05; done")
    tmux.run("new-window", "-d", "-t", tmux.session, "sleep", "60")
    with attached(tmux, "--keep-alive", target=f"{tmux.session}:0") as wire:
        pid = wire.coop.child_pid
        tmux.run("kill-pane", "-t", f"{tmux.session}:0.0")
        try:
            is_exited(wire.coop, "the tmux pane is gone")
        finally:
            os.kill(pid, signal.SIGKILL)


def test_the_end_of_the_server_is_told_as_such(tmux: Tmux) -> None:
    tmux.start("sh", "-c", "trap '' HUP; while true; do sleep 0.05; done")
    with attached(tmux, "--keep-alive") as wire:
        pid = wire.coop.child_pid
        tmux.run("kill-server")
        try:
            is_exited(wire.coop, "the tmux server is gone")
        finally:
            os.kill(pid, signal.SIGKILL)


def flood(done: Path) -> str:
    script = f"import pathlib\nfor n in range(150000): print('line', n, 'x' * 90)\npathlib.Path({str(done)!r}).touch()\ninput()"
    return f"read x; {shlex.quote(sys.executable)} -c {shlex.quote(script)}"


def test_a_coop_that_hangs_does_not_hold_up_a_program_that_others_look_at(tmux: Tmux, tmp_path: Path) -> None:
    """More than tmux keeps for five seconds: what coop missed it has drawn for it."""
    done = tmp_path / "done"
    tmux.start("sh", "-c", flood(done))
    with person(tmux, 100, 31), attached(tmux) as wire:
        eventually(lambda: len(tmux.clients()) == 2)
        wire.coop.process.send_signal(signal.SIGSTOP)
        try:
            tmux.type("go")
            eventually(done.exists, within=60, what="the program to come to its end")
        finally:
            wire.coop.process.send_signal(signal.SIGCONT)
        wire.shows("line 149999")
        same_screen(wire, tmux)


def test_a_coop_that_hangs_and_is_killed_lets_the_program_go_on(tmux: Tmux, tmp_path: Path) -> None:
    done = tmp_path / "done"
    tmux.start("sh", "-c", flood(done))
    with attached(tmux) as wire:
        eventually(lambda: len(tmux.clients()) == 1)
        wire.coop.process.send_signal(signal.SIGSTOP)
        tmux.type("go")
        shows(tmux, "line")
        wire.coop.process.send_signal(signal.SIGKILL)
        eventually(done.exists, within=60, what="the program to come to its end")
    eventually(lambda: not tmux.clients(), what="nobody attached")


def test_a_wrong_target_is_answered_with_what_there_is(tmux: Tmux) -> None:
    tmux.start("cat")
    tmux.run("split-window", "-d", "-t", tmux.session, "sleep", "60")
    listed = (tmux.spec_of("work:0.0"), tmux.spec_of("work:0.1"))
    for target, says in (("nowhere", "no such session, window or pane"), (tmux.session, "there are 2 panes in it; name one")):
        said = error_of("--attach", tmux.spec_of(target))
        assert f"--attach {tmux.spec_of(target)}: {says}" in said
        assert all(f"\n  {each}  (" in said for each in listed)


def test_where_no_server_runs_it_says_so(tmp_path: Path) -> None:
    assert "no tmux server runs there" in error_of("--attach", f"tmux@{tmp_path}/none:work")


def test_a_pane_whose_program_has_ended_is_refused(tmux: Tmux) -> None:
    tmux.start("cat")
    tmux.run("set-option", "-g", "remain-on-exit", "on")
    dead = tmux.run("new-window", "-d", "-t", tmux.session, "-P", "-F", "#{pane_id}", "true")
    eventually(lambda: tmux.run("display-message", "-p", "-t", dead, "#{pane_dead}") == "1")
    assert "has ended" in error_of("--attach", tmux.spec_of(dead))


def test_it_does_not_attach_to_the_pane_it_runs_in(tmux: Tmux) -> None:
    command = f"{shlex.quote(sys.executable)} -m coop.cli.main --attach tmux:work"
    tmux.start("sh", "-c", f"{command}; exec sleep 60")
    shows(tmux, "coop runs on that terminal itself")


def test_attaching_and_resuming_exclude_each_other(tmux: Tmux) -> None:
    tmux.start("cat")
    assert "leave one of the two out" in error_of("--attach", tmux.spec, "--resume", "x")


def test_the_name_and_the_agent_are_those_of_what_runs_there(tmux: Tmux) -> None:
    tmux.start("cat")
    with attached(tmux, "--agent", "auto") as wire:
        health = wire.get("/api/v1/health")
        assert health["name"].startswith("cat-")
        assert (health["agent"], health["pid"]) == ("unknown", tmux.pid())
