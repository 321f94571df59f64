from coop.agents.codex.attach import attach
from coop.agents.codex.prepare import OWN_LOG
from coop.model.attach import Process
from coop.model.screen import Size
from tests.unit.agents.claude.test_attach import Files

SIZE = Size(80, 24)
ENV = {"HOME": "/home/me"}
SHELL = Process(10, ("bash",), ENV, "/work")
DAY = "/home/me/.codex/sessions/2026/11/17"
ID = "019a9000-0000-7000-8000-00000000000{}"
LOGS = [f"{DAY}/rollout-2026-11-17T04-00-0{n}-{ID.format(n)}.jsonl" for n in range(3)]
OWN, SUBAGENTS = f"{{{OWN_LOG}}}\n{{}}\n", '{"thread_source":"subagent"}\n'


def codex(*opened: str, pid: int = 11, argv: tuple[str, ...] = ("codex",)) -> Process:
    return Process(pid, argv, ENV, "/work", opened=opened)


def test_the_log_it_has_open_is_its_own_and_is_read_from_the_end() -> None:
    found = attach((SHELL, codex("/dev/null", LOGS[0])), SIZE, Files({LOGS[0]: OWN, LOGS[1]: OWN}))
    assert found is not None
    given = found.prepared
    assert (found.pid, given.log, given.session_id) == (11, LOGS[0], ID.format(0))
    assert (given.log_from_end, given.is_running) == (True, True)
    assert (given.log_root, given.open_log) == ("/home/me/.codex/sessions", OWN_LOG)


def test_what_only_starts_it_is_not_taken_for_the_one_with_the_log() -> None:
    wrapper = codex(pid=11, argv=("node", "/usr/bin/codex"))
    found = attach((SHELL, wrapper, codex(LOGS[0], pid=12)), SIZE, Files({LOGS[0]: OWN}))
    assert found is not None
    assert found.pid == 12


def test_of_several_the_one_last_written_is_meant_and_never_a_subagents() -> None:
    disk = Files({LOGS[2]: SUBAGENTS, LOGS[1]: OWN, LOGS[0]: OWN})  # the newest first
    found = attach((codex(*LOGS),), SIZE, disk)
    assert found is not None
    assert found.prepared.log == LOGS[1]


def test_before_its_first_message_it_is_known_by_its_name_and_its_log_is_sought() -> None:
    for opened in ((), ("/home/me/notes.jsonl",), (f"{DAY}/gone-{ID}.jsonl",), (LOGS[0],)):
        found = attach((SHELL, codex(*opened)), SIZE, Files({}))
        assert found is not None
        given = found.prepared
        assert (found.pid, given.log, given.session_id, given.open_log) == (11, None, None, OWN_LOG)


def test_what_is_no_session_of_it_is_not_meant() -> None:
    assert attach((SHELL,), SIZE, Files({})) is None
    assert attach((codex(argv=("codex", "app-server")),), SIZE, Files({})) is None


def test_a_daemons_logs_are_of_all_its_sessions_and_none_is_followed() -> None:
    daemon = codex(LOGS[0], LOGS[1], pid=12, argv=("codex", "app-server", "--managed-daemon"))
    found = attach((SHELL, codex(), daemon), SIZE, Files({LOGS[0]: OWN, LOGS[1]: OWN}))
    assert found is not None
    assert (found.pid, found.prepared.log, found.prepared.open_log) == (11, None, None)


def test_its_own_environment_says_where_its_logs_are() -> None:
    log = LOGS[0].replace("/home/me/.codex", "/cfg")
    elsewhere = Process(11, ("codex",), {**ENV, "CODEX_HOME": "/cfg"}, "/work", opened=(log,))
    found = attach((elsewhere,), SIZE, Files({log: OWN}))
    assert found is not None
    assert found.prepared.log == log
