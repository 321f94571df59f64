import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch

from coop.agents.claude.attach import attach
from coop.model.attach import Process
from coop.model.screen import Size

SIZE = Size(80, 24)
SHELL = Process(10, ("bash",), {"HOME": "/home/me"}, "/work")
CLAUDE = Process(11, ("claude",), {"HOME": "/home/me"}, "/work")
STATUS = {"pid": 11, "sessionId": "s1", "cwd": "/work/it", "status": "idle"}


class Files:
    """A disk of one's own."""

    def __init__(self, files: Mapping[str, object]) -> None:
        self.files = files

    def read(self, path: str) -> str:
        if path not in self.files:
            raise FileNotFoundError(path)
        found = self.files[path]
        return found if isinstance(found, str) else json.dumps(found)

    def newest(self, folder: str, pattern: str) -> Sequence[str]:
        return [path for path in self.files if fnmatch(path, f"{folder}/{pattern}")]

    def real(self, path: str) -> str:
        return path

    def first_line(self, path: str) -> str:
        return self.read(path).partition("\n")[0]

    def is_file(self, path: str) -> bool:
        return path in self.files

    def is_folder(self, path: str) -> bool:
        return False

    def is_roots_alone(self, folder: str) -> bool:
        return False


def test_the_process_with_a_status_file_is_the_agent_and_its_log_is_read_from_the_end() -> None:
    disk = Files({"/home/me/.claude/sessions/11.json": STATUS, "/home/me/.claude/projects/-work-it/s1.jsonl": ""})
    found = attach((SHELL, Process(12, ("node", "helper"), {}, "/"), CLAUDE), SIZE, disk)
    assert found is not None
    assert found.pid == 11
    assert found.prepared.log == "/home/me/.claude/projects/-work-it/s1.jsonl"
    assert (found.prepared.log_from_end, found.prepared.session_id) == (True, "s1")
    assert found.prepared.status_files == "/home/me/.claude/sessions"


def test_its_own_environment_says_where_its_files_are() -> None:
    elsewhere = Process(11, ("claude",), {"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/cfg"}, "/work")
    disk = Files({"/cfg/sessions/11.json": STATUS, "/home/me/.claude/sessions/10.json": "{}"})
    found = attach((elsewhere,), SIZE, disk)
    assert found is not None
    assert found.prepared.log == "/cfg/projects/-work-it/s1.jsonl"


def test_before_it_has_a_status_file_it_is_known_by_its_name() -> None:
    found = attach((SHELL, CLAUDE), SIZE, Files({}))
    assert found is not None
    assert (found.pid, found.prepared.log, found.prepared.status_files) == (11, None, "/home/me/.claude/sessions")


def test_after_a_clear_the_status_file_leads_to_the_next_log() -> None:
    found = attach((CLAUDE,), SIZE, Files({"/home/me/.claude/sessions/11.json": STATUS}))
    assert found is not None
    assert found.prepared.log_of_status is not None
    assert found.prepared.log_of_status({**STATUS, "sessionId": "s2"}) == "/home/me/.claude/projects/-work-it/s2.jsonl"
    for strange in ({}, {"sessionId": "../../x", "cwd": "/"}, {"sessionId": 5}, {"sessionId": "s3"}):
        assert found.prepared.log_of_status(strange) is None


def test_a_torn_status_file_is_no_reason_to_fail() -> None:
    found = attach((CLAUDE,), SIZE, Files({"/home/me/.claude/sessions/11.json": '{"pid": 1'}))
    assert found is not None
    assert found.prepared.log is None


def test_a_terminal_without_it_has_none() -> None:
    assert attach((SHELL,), SIZE, Files({})) is None
