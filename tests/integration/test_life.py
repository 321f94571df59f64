"""The process: how it starts, what it leaves behind, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from coop.testing import eventually, running_coop
from tests.fuzz.frames import opened
from tests.support.commands import Desk
from tests.support.wire import Wire

STUBBORN = ("sh", "-c", "trap '' HUP; echo ready; while :; do sleep 0.1; done")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def refused(*arguments: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """The exit code and the one line of a coop that does not start."""
    command = [sys.executable, "-m", "coop.cli.main", *arguments]
    with tempfile.TemporaryDirectory() as home:
        own = {**os.environ, "XDG_RUNTIME_DIR": home, **(env or {})}
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, env=own, check=False)
    return done.returncode, done.stderr.strip()


@pytest.mark.parametrize(("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
def test_the_childs_exit_code_is_coops(script: str, code: int) -> None:
    with running_coop(command=("sh", "-c", f"sleep 0.2; {script}")) as coop:
        assert coop.wait() == code


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    extra = tmp_path / "extra.sock"
    with running_coop("--socket", str(extra), command=("sh", "-c", "read x")) as coop:
        directory = Path(coop.socket).parent
        assert {path.suffix for path in directory.iterdir()} == {".sock", ".hooks"}
        assert all(path.stat().st_mode & 0o777 == 0o600 for path in directory.iterdir())
        assert extra.stat().st_mode & 0o777 == 0o600
        Wire(coop, "unix").post("/api/v1/input/keys", {"keys": ["Enter"]})
        assert coop.wait() == 0
        assert list(directory.iterdir()) == []
        assert not extra.exists()


def test_a_terminated_coop_takes_its_child_with_it() -> None:
    with running_coop(command=("sh", "-c", "sleep 1000 & wait")) as coop:
        coop.process.terminate()
        assert coop.wait() == 128 + signal.SIGHUP
        assert not alive(coop.child_pid)
        assert {"event": "exited", "code": None, "signal": 1}.items() <= coop.log[-1].items()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGHUP])
def test_what_a_terminal_ends_it_by_leaves_nothing_behind_and_ends_the_recording(
    tmp_path: Path, number: signal.Signals
) -> None:
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with running_coop("--record", str(tmp_path / "a.coop.jsonl"), command=("cat",), env=env) as coop:
        coop.process.send_signal(number)
        assert coop.wait() == 128 + signal.SIGHUP
        assert not alive(coop.child_pid)
    assert list((tmp_path / "coop").iterdir()) == []
    assert json.loads((tmp_path / "a.coop.jsonl").read_text().splitlines()[-1])[1] == "end"


def test_the_clients_are_told_before_the_end() -> None:
    with running_coop(command=("cat",)) as coop, Wire(coop, "tcp").stream("?mode=state") as stream:
        stream.until("state")
        coop.process.send_signal(signal.SIGINT)
        assert stream.until("shutdown")["grace_secs"] == 10.0
        assert stream.until("exit") == {"type": "exit", "code": None, "signal": 1}


def test_a_second_interrupt_is_immediate() -> None:
    with running_coop(command=STUBBORN) as coop:
        Wire(coop, "tcp").shows("ready")
        coop.process.send_signal(signal.SIGINT)
        eventually(lambda: any(entry["event"] == "shutting down" for entry in coop.log))
        began = time.monotonic()
        coop.process.send_signal(signal.SIGINT)
        assert coop.wait() == 137
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_in_a_hurry_while_coop_says_goodbye_changes_nothing_of_how_it_ended(tmp_path: Path, second: int) -> None:
    """A client that does not hang up is waited for, but not by somebody who asks again."""
    with (
        running_coop(command=("cat",), env={"XDG_RUNTIME_DIR": str(tmp_path)}) as coop,
        opened(int(coop.url.rpartition(":")[2])),
    ):
        coop.process.send_signal(signal.SIGINT)
        eventually(lambda: any(entry["event"] == "exited" for entry in coop.log))
        coop.process.send_signal(second)
        assert coop.wait() == 128 + signal.SIGHUP
        assert "Traceback" not in "".join(coop.stderr)
    assert not list((tmp_path / "coop").iterdir())


def test_a_shutdown_stops_accepting_first() -> None:
    with running_coop(command=STUBBORN) as coop:
        Wire(coop, "tcp").shows("ready")
        coop.process.send_signal(signal.SIGTERM)
        eventually(lambda: any(entry["event"] == "shutting down" for entry in coop.log))

        def is_refused() -> bool:
            try:
                httpx.get(f"{coop.url}/api/v1/health", timeout=1)
            except httpx.ConnectError:
                return True
            return False

        eventually(is_refused)
        coop.process.send_signal(signal.SIGTERM)
        coop.wait()


def test_a_grandchild_that_holds_the_terminal_does_not_hide_the_exit() -> None:
    with running_coop(command=("sh", "-c", "trap '' HUP; sleep 30 & echo $!; exit 5")) as coop:
        assert coop.wait(within=5) == 5


def test_all_that_the_child_wrote_is_seen_before_the_end() -> None:
    with running_coop("--keep-alive", command=("sh", "-c", "seq 1 20000")) as coop:
        wire = Wire(coop, "tcp")
        eventually(lambda: wire.get("/api/v1/status")["state"] == "exited")
        assert "20000" in wire.text()


def test_keep_alive_serves_reads_until_told_to_stop() -> None:
    with running_coop("--keep-alive", command=("echo", "bye")) as coop:
        wire = Wire(coop, "tcp")
        wire.shows("bye")
        eventually(lambda: wire.get("/api/v1/health")["status"] == "exited")
        coop.process.terminate()
        assert coop.wait() == 0


def test_an_unused_session_ends_itself() -> None:
    with running_coop("--idle-timeout", "0.3", command=("cat",)) as coop:
        assert coop.wait() == 128 + signal.SIGHUP


def test_a_command_that_is_not_there_is_an_error_not_a_dead_child() -> None:
    code, message = refused("--", "surely-not-a-command")
    assert (code, message) == (127, "coop: cannot start 'surely-not-a-command': no such command on PATH")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--agent", "clod", "--", "sh"), "no such agent here; available: auto, unknown, claude"),
        (("--resume", "x", "--", "sh"), "--resume is for agents coop knows"),
        (("--agent", "claude", "--resume", "x", "--", "claude"), "--resume 'x': no session fits"),
        (("--agent", "claude", "--resume", "x", "--", "sh"), "no claude in the command"),
        (("--agent", "claude", "--", "claude", "--settings", "/nowhere.json"), "--settings /nowhere.json: No such file"),
        (("--agent", "claude", "--dialogs", "/nowhere.toml", "--", "sh"), "--dialogs /nowhere.toml: No such file"),
        (("--agent-config", "/nowhere.toml", "--", "sh"), "No such file"),
        (("--host", "0.0.0.0", "--port", "0", "--", "sh"), "--auth-token"),
        (("--socket", "/etc/passwd", "--", "sh"), "is not a socket"),
        (("--socket", "/nowhere/x.sock", "--", "sh"), "cannot listen on /nowhere/x.sock"),
        (("--name", "a/b", "--", "sh"), "--name"),
        (
            ("--port", "70000", "--", "sh"),
            "Invalid value for '--port': expected a number from 0 to 65535, got 70000; coop --help",
        ),
        (("--cols", "0", "--", "sh"), "'--cols'"),
        (("--idle-timeout", "inf", "--", "sh"), "'--idle-timeout'"),
        (("--idle-grace", "nan", "--", "sh"), "'--idle-grace'"),
        (("--nope", "--", "sh"), "No such option"),
        (("--log-level", "trace", "--", "sh"), "'--log-level'"),
        (("nope",), "no subcommand is named 'nope'"),
        (("--auth-token", "t\udcff", "--", "sh"), "--auth-token: expected characters that can be printed"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    code, message = refused(*arguments, env={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert code == 2
    assert says in message
    assert "\n" not in message


def test_a_name_that_is_too_long_for_a_socket_is_told_with_what_makes_it_shorter(tmp_path: Path) -> None:
    (deep := tmp_path / ("d" * 60)).mkdir()
    code, message = refused("--name", "n" * 60, "--", "cat", env={"XDG_RUNTIME_DIR": str(deep)})
    assert (code, "a socket's path has 107 bytes at most" in message) == (2, True)
    assert message.endswith("; set XDG_RUNTIME_DIR to a shorter path, or choose a shorter --name or --socket")
    assert list((deep / "coop").iterdir()) == []


def test_a_port_in_use_is_said_and_no_child_is_left(tmp_path: Path) -> None:
    with running_coop(command=("cat",)) as coop:
        port = coop.url.rpartition(":")[2]
        marker = tmp_path / "started"
        code, message = refused("--port", port, "--", "touch", str(marker), env={"XDG_RUNTIME_DIR": str(tmp_path)})
        assert (code, "Address already in use" in message) == (2, True)
        assert not marker.exists()


def test_a_name_in_use_is_refused_and_the_running_session_is_left_alone() -> None:
    with running_coop("--name", "mine", command=("cat",)) as coop:
        code, message = refused("--name", "mine", "--", "cat", env={"XDG_RUNTIME_DIR": str(coop.home)})
        assert (code, "in use by a running session" in message) == (2, True)
        assert Wire(coop, "unix").get("/api/v1/health")["name"] == "mine"


def test_a_stale_socket_is_replaced() -> None:
    with running_coop("--name", "mine", command=("cat",)) as coop:
        os.kill(coop.process.pid, signal.SIGKILL)
        coop.wait()
        assert Path(coop.socket).exists()
        command = [sys.executable, "-m", "coop.cli.main", "--name", "mine", "--", "true"]
        env = {**os.environ, "XDG_RUNTIME_DIR": str(coop.home)}
        assert subprocess.run(command, env=env, stderr=subprocess.DEVNULL, timeout=20, check=False).returncode == 0


def test_a_session_that_ends_leaves_its_successors_socket_alone() -> None:
    with running_coop("--name", "mine", command=STUBBORN) as first:
        Wire(first, "tcp").shows("ready")
        first.process.terminate()
        eventually(lambda: any(entry["event"] == "shutting down" for entry in first.log))
        env = {"XDG_RUNTIME_DIR": str(first.home)}
        with running_coop("--name", "mine", command=("cat",), env=env) as second:
            first.process.terminate()
            first.wait()
            assert Wire(second, "unix").get("/api/v1/health")["pid"] == second.child_pid
            assert Path(second.socket).with_suffix(".hooks").exists()


def started_by(program: str, *arguments: str, home: Path) -> "subprocess.Popen[bytes]":
    """A coop whose parent is a Python program that sets the scene and becomes it."""
    code = (
        f"import os, signal, sys; {program}; os.execv(sys.executable, [sys.executable, '-m', 'coop.cli.main', *sys.argv[1:]])"
    )
    env = {**os.environ, "XDG_RUNTIME_DIR": str(home)}
    return subprocess.Popen([sys.executable, "-c", code, *arguments], env=env, stderr=subprocess.DEVNULL)


def test_a_hang_up_that_was_ignored_stays_so(tmp_path: Path) -> None:
    child = ("sh", "-c", f"touch {tmp_path}/started; exec cat")  # which is after coop hears signals
    coop = started_by("signal.signal(signal.SIGHUP, signal.SIG_IGN)", "--", *child, home=tmp_path)
    eventually((tmp_path / "started").exists)
    coop.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        coop.wait(timeout=0.5)
    coop.terminate()
    assert coop.wait(timeout=15) == 129


def test_a_parent_that_ignores_its_children_changes_nothing(tmp_path: Path) -> None:
    coop = started_by("signal.signal(signal.SIGCHLD, signal.SIG_IGN)", "--", "sh", "-c", "exit 3", home=tmp_path)
    assert coop.wait(timeout=15) == 3


def test_files_coop_was_started_with_are_not_the_childs(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret")
    scene = f"os.dup2(os.open({str(tmp_path / 'token')!r}, os.O_RDONLY), 9)"
    script = f"ls /proc/self/fd > {tmp_path}/seen; exit 0"
    assert started_by(scene, "--", "sh", "-c", script, home=tmp_path).wait(timeout=15) == 0
    assert "9" not in (tmp_path / "seen").read_text().split()


def test_a_coop_inside_a_coop_touches_nothing_of_its_parents() -> None:
    inner = f"{sys.executable} -m coop.cli.main -- sh -c 'echo inner $COOP_SOCKET; sleep 30'"
    env = {"COOP_NAME": "outer", "COOP_PORT": "0", "COOP_AUTH_TOKEN": "secret", "COOP_COLS": "77"}
    with running_coop(command=("sh", "-c", f"echo outer $COOP_SOCKET; env | grep COOP_; {inner}"), env=env, port=False) as coop:
        wire = Wire(coop, "tcp", token="secret")
        shown = wire.shows("coop: listening")
        assert "secret" not in shown
        sockets = eventually(lambda: (found := sorted(coop.home.glob("coop/*.sock"))) and len(found) == 2 and found)
        (nested,) = (path for path in sockets or () if path.name != "outer.sock")
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(nested)), base_url="http://localhost") as client:
            health = client.get("/api/v1/health").json()
        assert (health["name"] != "outer", health["terminal"]["cols"]) == (True, 200)
        wire.post("/api/v1/input/keys", {"keys": ["Ctrl-C"]})
        eventually(lambda: not nested.exists())
        assert Path(coop.socket).exists()


def test_the_health_port_needs_no_token_and_tells_nothing() -> None:
    with running_coop("--health-port", "0", command=("cat",), env={"COOP_AUTH_TOKEN": "secret"}) as coop:
        url = coop.announced["health_url"]
        for probe in ("/livez", "/readyz", "/healthz"):
            response = httpx.get(f"{url}{probe}", headers={"host": "anything"})
            assert (response.status_code, response.text) == (200, "ok\n")
        assert httpx.get(f"{url}/api/v1/screen").status_code == 404


def test_a_program_that_nobody_knows_can_tell_by_the_hook_pipe_what_it_does() -> None:
    tells = 'while read -r event; do echo "{\\"event\\":\\"$event\\"}" > "$COOP_HOOK_PIPE"; done'
    with running_coop(command=("sh", "-c", tells)) as coop:
        wire = Wire(coop, "tcp")
        assert wire.get("/api/v1/agent/state")["state"] == "unknown"
        for event, state in (("post_tool_use", "working"), ("stop", "waiting_for_input"), ("nonsense", "waiting_for_input")):
            wire.post("/api/v1/input", {"text": event, "enter": True})
            eventually(lambda state=state: wire.get("/api/v1/agent/state")["state"] == state, what=state)  # type: ignore[misc]
        assert wire.get("/api/v1/agent/state")["detection_tier"] == "hooks"
        eventually(lambda: "coop_hook_records_total 3.0" in wire.request("GET", "/metrics").text)


def test_logs_are_json_or_text() -> None:
    with running_coop(command=("cat",)) as coop:
        entry = coop.announced
        assert {"ts", "level", "event", "session", "pid", "socket", "url"} <= set(entry)
        assert json.dumps(entry)
    code, text = refused("--log-format", "text", "--", "true")
    assert code == 0
    assert text.splitlines()[0].startswith("coop: listening ")
    assert text.splitlines()[-1] == "coop: exited code=0", "what is not known is left out"


def test_on_a_terminal_it_logs_for_people_and_says_how_to_look(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.on_terminal("--name", "demo", "--", "cat") as terminal:
        terminal.shows("coop: listening session=demo")
        terminal.shows("coop: attach with: coop attach demo · Ctrl-C ends it")
        terminal.press("\x03")
        assert terminal.exit_code() == 128 + signal.SIGHUP
    with desk.on_terminal("--log-format", "json", "--name", "demo", "--", "cat") as terminal:
        terminal.shows('"event": "listening"')


def test_a_known_agent_run_as_unknown_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "claude").chmod(0o755)
    code, text = refused("--log-format", "text", "--", str(tmp_path / "claude"))
    assert code == 0
    assert "claude is running as an unknown agent" in text


def test_labels_and_name_are_told() -> None:
    with running_coop("--name", "build", "--label", "team=core", command=("cat",)) as coop:
        health = Wire(coop, "unix").get("/api/v1/health")
        assert (health["name"], health["labels"]) == ("build", {"team": "core"})


APART = ("unshare", "--map-root-user", "--pid", "--fork", "--mount-proc")
ORPHANS = """
for n in 1 2 3 4 5 6 7 8; do (sleep 0.2 & echo $!); done >left
until [ "$(cat left | while read pid; do [ -d /proc/$pid ] && echo $pid; done)" = "" ]; do sleep 0.05; done
exit 4
"""
"""Leaves eight to whoever is first, and ends when nothing is left of them, not even a zombie."""


def test_the_first_process_of_a_container_takes_the_end_of_orphans(tmp_path: Path) -> None:
    if os.environ.get("CI") != "true" and subprocess.run([*APART, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespace of processes is to be had here")
    coop = [sys.executable, "-m", "coop.cli.main", "--", "sh", "-c", ORPHANS]
    own = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run([*APART, *coop], cwd=tmp_path, env=own, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 4, done.stderr


def suspending(how: str) -> tuple[str, ...]:
    """A program that reads keys, and of Ctrl-Z does what such programs do."""
    script = f"""
import os, signal, sys, termios, tty
before = termios.tcgetattr(0)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCONT])
while True:
    tty.setraw(0)
    print("reading", end="\\r\\n", flush=True)
    while os.read(0, 1) != b"\\x1a":
        pass
    termios.tcsetattr(0, termios.TCSADRAIN, before)
    print("suspended", flush=True)
    os.kill(0, signal.{how})
    signal.sigwait([signal.SIGCONT])
    print("went on", flush=True)
"""
    return sys.executable, "-c", script


@pytest.mark.parametrize("how", ["SIGTSTP", "SIGSTOP"])
def test_a_program_that_suspends_itself_goes_on(how: str) -> None:
    """There is no shell to say `fg` to, and without one the kernel lets nobody be stopped by `SIGTSTP`."""
    with running_coop(command=suspending(how)) as coop:
        wire = Wire(coop, "unix")
        for times in (1, 2):
            eventually(lambda n=times: wire.text().count("reading") == n)  # type: ignore[misc]
            wire.post("/api/v1/input/keys", {"keys": ["Ctrl-Z"]})
            eventually(lambda n=times: wire.text().count("went on") == n)  # type: ignore[misc]


def test_a_program_that_stops_itself_unasked_goes_on() -> None:
    with running_coop(command=("sh", "-c", "kill -STOP $$; echo went on; read x; exit 3")) as coop:
        wire = Wire(coop, "unix")
        wire.shows("went on")
        wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
        assert coop.wait() == 3


def test_a_program_that_somebody_wants_stopped_stays_so_until_it_is_to_go_on() -> None:
    script = "trap 'echo heard' USR1; echo ready; while :; do sleep 0.05; done"
    with running_coop(command=("sh", "-c", script)) as coop:
        wire = Wire(coop, "unix")
        wire.shows("ready")
        for number in ("STOP", "USR1"):
            wire.post("/api/v1/signal", {"signal": number})
        time.sleep(0.5)
        assert "heard" not in wire.text()
        wire.post("/api/v1/signal", {"signal": "CONT"})
        wire.shows("heard")
