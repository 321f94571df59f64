"""Recordings of real sessions: made by option and by the API, replayed, exported, reported."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tarfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from coop.testing.replaying import assert_replays
from coop.wire.recording import read
from tests.support.recordings import COOP, coop
from tests.support.wire import Wire

CONFIG = str(files("coop_sim") / "agent.toml")
KEY = "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt"
WITHIN = 30.0


@contextmanager
def agent(*options: str, env: dict[str, str] | None = None) -> Generator[Wire]:
    command = (sys.executable, "-m", "coop_sim")
    with running_coop("--agent-config", CONFIG, "--name", "work", *options, command=command, env=env or {}) as running:
        wire = Wire(running, "tcp")
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> None:
    eventually(lambda: wire.get("/api/v1/agent/state")["state"] == state, within=WITHIN, what=state)


def ask(wire: Wire, text: str = "ask") -> None:
    """It asks back, and is answered."""
    wire.post("/api/v1/input", {"text": text, "enter": True})
    becomes(wire, "ask_user")
    wire.post("/api/v1/input", {"text": "2"})
    becomes(wire, "waiting_for_input")


def switch(wire: Wire, on: bool) -> dict[str, object]:
    reply = wire.request("PUT", "/api/v1/recording", json={"on": on})
    assert reply.status_code == 200, reply.text
    found: dict[str, object] = reply.json()
    return found


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with a key in it."""
    path = tmp_path_factory.mktemp("recorded") / "work.coop.jsonl"
    with agent("--record", str(path)) as wire:
        wire.post("/api/v1/input", {"text": f"use {KEY}", "enter": True})
        becomes(wire, "working")
        becomes(wire, "waiting_for_input")
        wire.post("/api/v1/resize", {"cols": 90, "rows": 20})
        ask(wire)
    return path


# Recording


def test_a_session_is_written_down_for_its_user_and_replays(recording: Path) -> None:
    assert recording.stat().st_mode & 0o777 == 0o600
    assert coop("replay", recording).startswith("same: ")
    told = json.loads(coop("replay", "--json", recording))
    assert (told["same"], told["complete"], told["differences"]) == (True, True, [])


def test_a_directory_gets_a_file_of_its_own_and_the_environment_asks_for_it_too(tmp_path: Path) -> None:
    with agent(env={"COOP_RECORD": f"{tmp_path}/new/"}) as wire:
        status = wire.get("/api/v1/recording")
        assert status["on"]
        assert status["begins"] == "start"
    [path] = (tmp_path / "new").iterdir()
    assert (str(path), path.name.startswith("work-")) == (status["path"], True)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert_replays(path)


def test_a_file_that_is_there_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_text("theirs")
    done = subprocess.run([*COOP, "--record", path, "--", "true"], capture_output=True, text=True, timeout=WITHIN, check=False)
    assert (done.returncode, path.read_text()) == (2, "theirs")
    assert "never overwrites" in done.stderr


def test_a_start_that_fails_leaves_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with socket.create_server(("127.0.0.1", 0)) as busy:
        failing = (("--port", str(busy.getsockname()[1]), "--", "true"), ("--", str(tmp_path / "no-such-program")))
        for words in (*failing, failing[0]):
            command = [*COOP, "--record", str(path), *words]
            done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN, check=False)
            assert done.returncode != 0
            assert "is there already" not in done.stderr
            assert not path.exists()


def test_where_it_is_can_be_asked_from_any_folder(tmp_path: Path) -> None:
    with running_coop("--record", "r.coop.jsonl", command=("cat",), cwd=tmp_path) as running:
        assert Wire(running, "tcp").get("/api/v1/recording")["path"] == str(tmp_path / "r.coop.jsonl")


def test_no_token_of_ours_is_in_it(tmp_path: Path) -> None:
    with running_coop("--record", str(tmp_path / "r"), "--auth-token", "s3cret-t0ken", command=("cat",)) as running:
        wire = Wire(running, "tcp", "s3cret-t0ken")
        wire.post("/api/v1/input", {"text": "hello", "enter": True})
        wire.shows("hello")
    assert b"s3cret-t0ken" not in (tmp_path / "r").read_bytes()


def test_it_is_started_and_stopped_by_the_api(tmp_path: Path) -> None:
    with agent(env={"XDG_STATE_HOME": str(tmp_path)}) as wire:
        off = {"on": False, "path": None, "bytes_written": 0, "begins": None, "ended": None}
        assert wire.get("/api/v1/recording") == off
        first = switch(wire, True)
        assert switch(wire, True)["path"] == first["path"]
        ask(wire)
        assert switch(wire, False)["ended"] == "stopped"
        assert switch(wire, True)["path"] != first["path"]
    assert Path(str(first["path"])).parent == tmp_path / "coop/recordings"
    for path in (tmp_path / "coop/recordings").iterdir():
        assert "only the screen" in coop("replay", path)
        assert read(path.read_bytes(), source="x").header.begins == "middle"


def test_what_was_begun_in_the_middle_is_exported_for_its_screen_and_made_no_test_of(tmp_path: Path) -> None:
    with agent(env={"XDG_STATE_HOME": str(tmp_path)}) as wire:
        path = Path(str(switch(wire, True)["path"]))
        ask(wire)
    coop("export", path, "--to", "masked", cwd=tmp_path)
    shown = coop("replay", tmp_path / "masked")
    assert "only the screen can be replayed" in shown
    assert "redaction" not in shown
    contents = coop("report", path, "--expected", "working", "--yes", "--to", "r.tar.gz", cwd=tmp_path)
    assert "it can be made no test of" in contents
    refused = json.loads(coop("report", "--to-test", "r.tar.gz", "--json", cwd=tmp_path, code=2))
    assert "recorded from the middle" in refused["error"]["message"]
    assert not list(tmp_path.glob("test_*"))


def test_what_has_ended_cannot_be_recorded() -> None:
    with running_coop("--keep-alive", command=("true",)) as running:
        wire = Wire(running, "tcp")
        eventually(lambda: wire.get("/api/v1/status")["state"] == "exited", within=WITHIN)
        assert wire.error("PUT", "/api/v1/recording", json={"on": True}) == (410, "EXITED")
        assert wire.error("PUT", "/api/v1/recording", json={"on": "yes"}) == (400, "BAD_REQUEST")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "coop").write_text("a file")
    with agent(env={"XDG_STATE_HOME": str(tmp_path)}) as wire:
        assert wire.error("PUT", "/api/v1/recording", json={"on": True}) == (500, "CANNOT_RECORD")


def test_an_agent_cannot_stop_its_own_recording(tmp_path: Path) -> None:
    script = (
        "import json, os, socket\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(os.environ['COOP_SOCKET'])\n"
        "body = b'{\"on\":false}'\n"
        "s.sendall(b'PUT /api/v1/recording HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: %d\\r\\n\\r\\n%b' % (len(body), body))\n"
        "print(s.recv(4096).split(b'\\r\\n')[0].decode()); input()\n"
    )
    with running_coop("--record", str(tmp_path / "r"), command=(sys.executable, "-c", script)) as running:
        wire = Wire(running, "tcp")
        wire.shows("403")
        assert wire.get("/api/v1/recording")["on"]


def test_a_full_disk_ends_the_recording_and_not_the_session(tmp_path: Path) -> None:
    flood = ("sh", "-c", "read x; seq 1 200000; echo the-end; read x")
    with running_coop("--record", str(tmp_path / "r"), command=flood) as running:
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (100_000, 100_000))
        wire = Wire(running, "tcp")
        wire.post("/api/v1/input", {"text": "", "enter": True})
        wire.shows("the-end")
        status = eventually(lambda: (now := wire.get("/api/v1/recording")) and not now["on"] and now, within=WITHIN)
        assert status
        assert "could not be written" in status["ended"]
        eventually(lambda: any(entry["event"] == "the recording ended" for entry in running.log), within=WITHIN)
    assert (tmp_path / "r").stat().st_size == 100_000
    assert "it breaks off" in coop("replay", tmp_path / "r")


def test_what_was_written_before_a_crash_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with agent("--record", str(path)) as wire:
        ask(wire)
        eventually(lambda: b'"next":"ask_user"' in path.read_bytes(), within=WITHIN)
        os.kill(wire.coop.process.pid, signal.SIGKILL)
        wire.coop.wait()
    whole = path.read_bytes()
    for end in (len(whole), len(whole) - 7, len(whole) - 200):
        (tmp_path / "torn").write_bytes(whole[:end])
        assert "it breaks off" in coop("replay", tmp_path / "torn")


# Replay


def test_other_rules_say_what_they_would_have_said(recording: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(re.sub(r"^question.*$", 'question = "never"', Path(CONFIG).read_text(), flags=re.MULTILINE))
    shown = coop("replay", "--rules", rules, "--diff", recording, code=1).splitlines()
    assert shown[0].split() == ["time", "recorded", "with", "rules.toml"]
    assert any(row.startswith("*") and "ask_user  Which database should we use?" in row for row in shown)
    assert any(row.startswith("  ") and "resized to 90×20" in row and row.endswith("=") for row in shown)
    assert "DIFFERS" in coop("replay", "--rules", rules, recording, code=1)


def test_a_recording_that_was_changed_differs_and_says_where(recording: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    changed.write_bytes(recording.read_bytes().replace(b'"next":"ask_user"', b'"next":"alt_screen"'))
    shown = coop("replay", changed, code=1)
    assert "recorded  alt_screen  Which database" in shown
    assert "replayed  ask_user  Which database" in shown


def test_a_recording_of_another_version_is_a_difference_and_no_fault(recording: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.write_bytes(recording.read_bytes().replace(b'"coop":"', b'"coop":"0.0.', 1))
    assert "what differs need not be a fault" in coop("replay", older)
    older.write_bytes(older.read_bytes().replace(b'"next":"ask_user"', b'"next":"alt_screen"'))
    coop("replay", older, code=3)


def test_a_terminal_obeys_nothing_that_a_recording_says(recording: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    data = recording.read_bytes().replace(b'"engine":"', b'"engine":"\\u001b[31mred\\nsame: ok', 1)
    evil.write_bytes(data.replace(b'"next":"ask_user"', b'"next":"\\u001b]0;mine\\u0007"'))
    for options in ((), ("--diff",)):
        shown = coop("replay", *options, evil, code=3)
        assert "\\x1b[31mred\\nsame: ok" in shown
        assert "\\x1b]0;mine\\x07" in shown
        assert "\x1b" not in shown
    evil.write_bytes(data + b'[1,"\\u001b[31m",{}]\n')
    for command in ("replay", "export", "report"):
        done = subprocess.run([*COOP, command, evil], capture_output=True, text=True, timeout=WITHIN, check=False)
        assert (done.returncode, "is no kind of item" in done.stderr, "\x1b" in done.stderr) == (2, True, False)


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello\n")
    for path in (tmp_path / "text", tmp_path / "nothing"):
        for command in ("replay", "export"):
            assert coop(command, path, code=2) == ""
            assert json.loads(coop(command, path, "--json", code=2))["error"]["code"] == "BAD_RECORDING"


# Export and report


def test_an_export_has_no_secret_and_still_replays(recording: Path, tmp_path: Path) -> None:
    shown = coop("export", recording, "--redact", "Pond[a-z]+", cwd=tmp_path)
    assert "× anthropic_key" in shown
    path = tmp_path / "work.redacted.coop.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    assert KEY[7:].encode() not in path.read_bytes()
    header = read(path.read_bytes(), source="x").header
    assert header.removed
    assert header.removed["anthropic_key"] >= 2
    assert header.removed["pattern"] >= 1
    assert header.replayable is False  # the word for work is gone, and with it the work
    coop("export", recording, cwd=tmp_path, code=2)
    assert "still replayable" in coop("export", recording, "--force", cwd=tmp_path)
    assert coop("replay", path).startswith("same: ")


def test_a_pattern_that_matches_everything_is_refused_in_one_line(recording: Path, tmp_path: Path) -> None:
    command = [*COOP, "export", str(recording), "--redact", "."]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=WITHIN, check=False)
    assert (done.returncode, done.stderr.count("\n"), "make it narrower" in done.stderr) == (2, 1, True), done.stderr


def test_an_export_can_be_piped(recording: Path, tmp_path: Path) -> None:
    command = [*COOP, "export", str(recording), "--to", "-"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=WITHIN, check=True)
    assert read(done.stdout, source="x").header.replayable
    assert b"still replayable" in done.stderr
    coop("report", recording, "--to", "-", "--yes", cwd=tmp_path, code=2)
    assert not list(tmp_path.iterdir())


def test_variables_and_the_user_are_masked_when_that_is_asked_for(recording: Path, tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": "/home/nobody-here", "DATABASE": "Which database"}
    command = [*COOP, "export", str(recording), "--redact-env", "DATABASE", "--redact-user", "--to", "out"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=WITHIN, check=True)
    assert "× $DATABASE" in done.stdout
    assert b"Which database" not in (tmp_path / "out").read_bytes()
    done = subprocess.run([*command[:-2], "--redact-env", "NO"], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, "--redact-env NO: that variable is not set" in done.stderr) == (2, True)


def test_an_export_tells_programs_where_it_is_and_what_became_of_it(recording: Path, tmp_path: Path) -> None:
    told = json.loads(coop("export", recording, "--json", cwd=tmp_path))
    assert (told["path"], told["replayable"], told["still_readable"]) == ("work.redacted.coop.jsonl", True, [])
    assert told["removed"]["anthropic_key"] >= 2
    cast = json.loads(coop("export", recording, "--cast", "--json", cwd=tmp_path))
    assert (cast["path"], cast["replayable"]) == ("work.cast", False)
    assert json.loads(coop("export", recording, "--json", cwd=tmp_path, code=2))["error"]["code"] == "CONFIG"


def test_a_report_tells_programs_where_it_is_and_what_it_holds(recording: Path, tmp_path: Path) -> None:
    refused = json.loads(coop("report", recording, "--json", cwd=tmp_path, code=1))  # nobody says yes
    assert refused["error"]["code"] == "DECLINED"
    told = json.loads(coop("report", recording, "--json", "--yes", "--expected", "working", cwd=tmp_path))
    assert told["path"] == "coop-report-work.tar.gz"
    with tarfile.open(tmp_path / told["path"]) as archive:
        assert {each.name: each.size for each in archive.getmembers()} == told["files"]
    assert (told["report"]["expected"], told["recording"]["replayable"]) == ("working", True)
    made = json.loads(coop("report", "--to-test", told["path"], "--json", cwd=tmp_path))
    assert (made["fails"], made["expected"], made["said"]) == (True, "working", "waiting_for_input")
    assert (tmp_path / made["test"]).is_file()
    assert (tmp_path / made["recording"]).is_file()


def test_an_asciicast_shows_it_with_markers(recording: Path, tmp_path: Path) -> None:
    coop("export", "--cast", recording, cwd=tmp_path)
    header, *events = (json.loads(line) for line in (tmp_path / "work.cast").read_text().splitlines())
    assert (header["version"], header["coop"]["removed"]["anthropic_key"] >= 2) == (2, True)
    assert {kind for _, kind, _ in events} == {"o", "m", "r"}
    assert ["r", "90x20"] in [event[1:] for event in events]
    assert "ask_user  Which database should we use?" in [text for _, kind, text in events if kind == "m"]
    assert KEY[7:] not in "".join(text for _, _, text in events)


def test_a_report_is_shown_before_it_is_written_and_becomes_a_failing_test(recording: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "coop-report-work.tar.gz"
    told = json.loads(coop("replay", "--json", recording))
    assert told["same"]
    at = next(line.at for line in read(recording.read_bytes(), source="x").published() if line.message.get("prompt"))
    seconds = str(at - read(recording.read_bytes(), source="x").header.now + 0.01)
    wrong = ("--expected", "working", "--at", seconds, "--note", "It was still at work.")
    shown = coop("report", recording, *wrong, cwd=tmp_path, code=1)  # nobody says yes
    assert "recording.coop.jsonl" in shown
    assert not bundle.exists()
    coop("report", recording, *wrong, "--yes", cwd=tmp_path)
    assert bundle.stat().st_mode & 0o777 == 0o600
    with tarfile.open(bundle) as archive:
        found = {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr]
    assert set(found) == {"report.json", "explain.json", "screen.txt", "recording.coop.jsonl"}
    assert not any(KEY[7:].encode() in data for data in found.values())
    assert json.loads(found["report.json"])["state"] == json.loads(found["explain.json"])["state"] == "ask_user"
    assert "it fails: this coop says ask_user" in coop("report", "--to-test", bundle, cwd=tmp_path)
    test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_coop_report_work.py"]
    done = subprocess.run(test, capture_output=True, text=True, cwd=tmp_path, timeout=WITHIN, check=False)
    assert (done.returncode, "assert 'ask_user' == 'working'" in done.stdout) == (1, True), done.stdout


@pytest.mark.parametrize("at", ["nan", "-5", "99999"])
def test_a_moment_that_is_none_is_refused(recording: Path, tmp_path: Path, at: str) -> None:
    told = coop("report", recording, "--at", at, "--yes", "--json", cwd=tmp_path, code=2)
    assert "--at" in json.loads(told)["error"]["message"]
    assert not list(tmp_path.iterdir())


def test_a_running_session_is_reported_by_its_name(tmp_path: Path) -> None:
    with agent("--record", str(tmp_path / "r.coop.jsonl")) as wire:
        ask(wire)
        env = {"XDG_RUNTIME_DIR": str(wire.coop.home), "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        command = [*COOP, "report", "work", "--yes"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=WITHIN, check=False)
        assert done.returncode == 0, done.stderr
        switch(wire, False)
    with tarfile.open(tmp_path / "coop-report-work.tar.gz") as archive:
        assert "recording.coop.jsonl" in archive.getnames()


@pytest.mark.parametrize("is_recorded", [True, False])
def test_a_report_of_a_running_session_shows_no_secret_over_two_rows(tmp_path: Path, is_recorded: bool) -> None:
    options = ("--record", str(tmp_path / "r.coop.jsonl")) if is_recorded else ()
    draw = ("sh", "-c", f"printf '{'.' * 30}{KEY}'; read x")
    with running_coop("--name", "work", "--cols", "50", *options, command=draw) as running:
        Wire(running, "tcp").shows(KEY[30:])
        env = {"XDG_RUNTIME_DIR": str(running.home), "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        command = [*COOP, "report", "work", "--yes"]
        subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=WITHIN, check=True)
    with tarfile.open(tmp_path / "coop-report-work.tar.gz") as archive:
        [_, rows] = archive.extractfile("screen.txt").read().decode().split("." * 30)  # type: ignore[union-attr]
    assert rows.replace("\n", "") == f"sk-ant-{'x' * len(KEY[7:])}"
