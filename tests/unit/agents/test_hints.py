import base64

import pytest

from coop.agents.hints import PROGRESS, own_status, read_marks, read_progress, read_status
from coop.model.readings import Readings, Says, TakenBack, Waits
from coop.model.state import Failed, Idle, Working

WORDS = base64.b64encode(b"approve Bash: touch q\x1b").decode()


@pytest.mark.parametrize(
    ("command", "readings"),
    [
        ("7501;state=working:app=x", (Says(Working()),)),
        ("7501;state=idle:app=x", (Says(Idle()),)),
        ("7501;app=x:state=done", (Says(Idle()),)),
        ("7501;state=blocked:app=x:kind=permission", (Says(Waits("permission")),)),
        (f"7501;state=blocked:app=x:kind=permission:msg={WORDS}", (Says(Waits("approve Bash: touch q")),)),
        ("7501;state=error:app=x", (Says(Failed("the agent reports an error")),)),
        (f"7501;state=error:app=x:msg={WORDS}", (Says(Failed("approve Bash: touch q")),)),
        ("7501;state=error:app=x:msg=!", (Says(Failed("the agent reports an error")),)),
        ("7501;state=clear", (TakenBack(),)),
        ("7501;state=idle", ()),
        ("7501;state=idle:app=", ()),
        ("7501;state=asleep:app=x", ()),
        ("7501;?", ()),
        ("133;A", (Says(Idle()),)),
        ("133;A;k=s", (Says(Idle()),)),
        ("133;B", (Says(Idle()),)),
        ("133;C", (Says(Working()),)),
        ("133;C;cmdline=ls", (Says(Working()),)),
        ("133;D", ()),
        ("133;D;0", ()),
        ("133;D;2", (Says(Failed("exit status 2")),)),
        ("133;D;", ()),
        ("133;D;x", ()),
        ("9;4;1;40", (Says(PROGRESS),)),
        ("9;4;3", (Says(PROGRESS),)),
        ("9;4;0", (TakenBack(PROGRESS),)),
        ("9;4", ()),
        ("9;a notification", ()),
        ("0;a title", ()),
        ("", ()),
    ],
)
def test_a_report_is_read(command: str, readings: Readings) -> None:
    assert (read_status(command) or read_marks(command) or read_progress(command)) == readings


def test_only_the_agents_own_reports_count_where_it_is_known() -> None:
    assert read_status("7501;state=idle:app=ours", "ours") == (Says(Idle()),)
    assert read_status("7501;state=idle:app=other", "ours") == ()
    assert read_status("7501;state=clear:app=other", "ours") == ()
    assert read_status("7501;state=clear", "ours") == (TakenBack(),)


def test_only_the_agents_own_reports_count() -> None:
    assert own_status("7501;state=working:app=this", "this") == (Says(Working()),)
    assert own_status("7501;state=error:app=this", "this") == (Says(Idle()),)
    assert own_status("7501;state=working:app=that", "this") == ()
    assert own_status("7501;app=this", "this") == ()
    assert own_status("133;state=working:app=this", "this") == ()
