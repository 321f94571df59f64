"""Figures for Prometheus, read from the session when they are asked for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from coop.server.facade import Served

if TYPE_CHECKING:
    from prometheus_client.core import Metric


class SessionCollector:
    """No session ids as labels: the scraper knows whom it asks."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        core, session = self._served.core, self._served.session
        yield CounterMetricFamily("coop_output_bytes", "Bytes read from the child's terminal", core.counters.bytes_read)
        yield CounterMetricFamily("coop_input_bytes", "Bytes written to the child's terminal", core.counters.bytes_written)
        yield CounterMetricFamily("coop_events", "Events published", core.counters.events)
        yield CounterMetricFamily("coop_hook_records", "Records read from the hook pipe", core.counters.hook_records)
        yield GaugeMetricFamily("coop_websocket_clients", "WebSocket clients connected", session.connections)
        yield GaugeMetricFamily("coop_subscribers", "Readers of the event bus", len(session.bus.subscribers))
        yield GaugeMetricFamily("coop_uptime_seconds", "Seconds since the child was started", session.now - core.started_at)
        yield GaugeMetricFamily("coop_child_running", "1 while the child runs", float(self._served.life() == "running"))
        yield self._state()

    def _state(self) -> "Metric":
        from prometheus_client.core import GaugeMetricFamily

        state = GaugeMetricFamily("coop_agent_state", "1 for the state the agent is in", labels=["state"])
        state.add_metric([self._served.state().state], 1)
        return state


async def metrics(served: Served, request: Request) -> Response:
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(SessionCollector(served))
    return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})
