from coop.agents.reports import state_report
from coop.model.readings import Says
from coop.model.state import Working


def test_only_the_agents_own_reports_count() -> None:
    assert state_report("7501;state=working:app=this", "this") == (Says(Working()),)
    assert state_report("7501;state=working:app=that", "this") == ()
    assert state_report("7501;app=this", "this") == ()
    assert state_report("133;state=working:app=this", "this") == ()
