"""What is measured of a session, after a conversation of which it is known what must have been measured."""

from collections.abc import Generator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from coop.server.metrics import FIGURES
from coop.testing import eventually, running_coop
from coop.testing.claude import seeded_home
from coop_sim.shims import write_shim
from tests.support.wire import Wire

SCENARIO = Path(__file__).parents[1] / "docs/client_scenario.toml"
Key = tuple[str, frozenset[tuple[str, str]]]


def figures(wire: Wire) -> dict[Key, float]:
    """Every sample by its name and labels."""
    text = wire.request("GET", "/metrics").text
    families = text_string_to_metric_families(text)
    return {(each.name, frozenset(each.labels.items())): each.value for family in families for each in family.samples}


def value(wire: Wire, name: str, **labels: str) -> float:
    return figures(wire).get((name, frozenset(labels.items())), 0.0)


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    """A session in which one permission was asked for and granted."""
    root = tmp_path_factory.mktemp("measured")
    place, program = seeded_home(root), str(write_shim(root / "bin", "claude", scenario=SCENARIO))
    command = (program, "--permission-mode", "default")
    env = place.environment("http://127.0.0.1:9")
    with running_coop("--agent", "claude", command=command, env=env, cwd=place.workspace) as coop:
        wire = Wire(coop, "tcp")
        becomes(wire, "waiting_for_input")
        assert value(wire, "coop_subscribers", kind="events") == 0
        wire.post("/api/v1/agent/nudge", {"message": "Fix the login bug", "wait": 30})
        becomes(wire, "permission_prompt")
        wire.request("POST", "/api/v1/agent/respond", json={"accept": True, "prompt_id": "another"})
        wire.post("/api/v1/agent/respond", {"accept": True})
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> None:
    eventually(lambda: wire.get("/api/v1/agent/state")["state"] == state, within=60, what=state)


def test_every_second_is_spent_in_some_state(talked: Wire) -> None:
    now = figures(talked)
    spent = {dict(labels)["state"]: seconds for (name, labels), seconds in now.items() if name == "coop_state_seconds_total"}
    assert {"starting", "waiting_for_input", "working", "permission_prompt"} <= spent.keys()
    assert sum(spent.values()) == pytest.approx(now["coop_uptime_seconds", frozenset()], abs=0.5)
    later = value(talked, "coop_state_seconds_total", state="waiting_for_input")
    assert later > spent["waiting_for_input"]  # it goes on


def test_prompts_receipts_and_answers_are_counted_by_what_came_of_them(talked: Wire) -> None:
    eventually(lambda: value(talked, "coop_prompt_wait_seconds_count", type="permission", outcome="accepted") == 1.0)
    assert 0 < value(talked, "coop_prompt_wait_seconds_sum", type="permission", outcome="accepted") < 60
    assert value(talked, "coop_prompt_wait_seconds_bucket", type="permission", outcome="accepted", le="+Inf") == 1.0
    assert value(talked, "coop_receipts_total", outcome="confirmed") == 1.0
    assert value(talked, "coop_answers_total", via="hook", effect="accepted") == 1.0


def test_hooks_are_timed_and_a_held_one_took_as_long_as_its_answer(talked: Wire) -> None:
    assert value(talked, "coop_hook_reply_seconds_count", event="UserPromptSubmit") == 1.0
    assert value(talked, "coop_hook_reply_seconds_count", event="PermissionRequest") == 1.0
    held = value(talked, "coop_hook_reply_seconds_sum", event="PermissionRequest")
    assert held > value(talked, "coop_hook_reply_seconds_sum", event="UserPromptSubmit")


def test_requests_are_counted_by_route_and_status(talked: Wire) -> None:
    respond = {"method": "POST", "route": "/api/v1/agent/respond"}
    assert value(talked, "coop_http_requests_total", **respond, status="200") == 1.0
    assert value(talked, "coop_http_requests_total", **respond, status="409") == 1.0


def test_bytes_and_readers_are_counted(talked: Wire) -> None:
    status = talked.get("/api/v1/status")
    assert value(talked, "coop_output_bytes_total") >= status["bytes_read"] > 0
    assert value(talked, "coop_input_bytes_total") == status["bytes_written"] > 0
    assert (value(talked, "coop_lost_bytes_total"), value(talked, "coop_lost_events_total")) == (0.0, 0.0)
    with talked.stream("?mode=all"):
        eventually(lambda: value(talked, "coop_subscribers", kind="output") == 1.0)
    with talked.stream("?mode=state"):
        eventually(lambda: value(talked, "coop_subscribers", kind="events") == 1.0)
    eventually(lambda: value(talked, "coop_websocket_clients") == 0.0)


def test_what_is_served_is_what_is_in_the_table_by_the_rules_of_prometheus(talked: Wire) -> None:
    served = {family.name: family for family in text_string_to_metric_families(talked.request("GET", "/metrics").text)}
    assert {name if family.type != "counter" else f"{name}_total" for name, family in served.items()} == {
        figure.name for figure in FIGURES
    }
    for figure in FIGURES:
        assert figure.name.endswith("_total") == (figure.kind == "counter")
        assert not {"session", "name", "pid", "id", "epoch"} & set(figure.labels)
        assert served[figure.name.removesuffix("_total")].documentation == figure.help


def test_no_label_tells_of_this_session(talked: Wire) -> None:
    told = " ".join(text for _, labels in figures(talked) for _, text in labels)
    for secret in (str(talked.coop.child_pid), "login", "touch", str(talked.coop.home)):
        assert secret not in told
