"""Figures for Prometheus, read from the session when they are asked for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from starlette.requests import Request
from starlette.responses import Response

from coop.server.facade import Served
from coop.session.bus import Bus
from coop.session.tally import Histogram

if TYPE_CHECKING:
    from prometheus_client.core import Metric

Key = str | tuple[str | int, ...]
Labels = tuple[str, ...]
Samples = Sequence[tuple[Labels, float | Histogram]]


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric. No session ids as labels: the scraper knows whom it asks."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    read: Callable[[Served], Samples]
    labels: Labels = ()


def _one(value: float) -> Samples:
    return (((), float(value)),)


def _by(values: Iterable[tuple[Key, float | Histogram]]) -> Samples:
    """By one label, or by several where the key is a tuple."""
    return tuple((tuple(map(str, key)) if isinstance(key, tuple) else (key,), value) for key, value in values)


def _subscribers(bus: Bus) -> Samples:
    return _by((("output", bus.watchers), ("events", len(bus.subscribers) - bus.watchers)))


FIGURES = (
    Figure(
        "coop_output_bytes_total",
        "counter",
        "Bytes read from the child's terminal",
        lambda it: _one(it.core.counters.bytes_read),
    ),
    Figure(
        "coop_input_bytes_total",
        "counter",
        "Bytes written to the child's terminal",
        lambda it: _one(it.core.counters.bytes_written),
    ),
    Figure("coop_events_total", "counter", "Events published", lambda it: _one(it.core.counters.events)),
    Figure(
        "coop_hook_records_total",
        "counter",
        "Records of hooks, posted or from the pipe",
        lambda it: _one(it.core.counters.hook_records),
    ),
    Figure(
        "coop_hook_reply_seconds",
        "histogram",
        "From the arrival of a hook to its reply, by its event; a held one waits for a person",
        lambda it: _by(it.session.tally.hooks.items()),
        ("event",),
    ),
    Figure(
        "coop_state_seconds_total",
        "counter",
        "Seconds the agent has spent in each state",
        lambda it: _by(it.session.tally.seconds(it.session.now).items()),
        ("state",),
    ),
    Figure(
        "coop_agent_state", "gauge", "1 for the state the agent is in", lambda it: _by([(it.state().state, 1.0)]), ("state",)
    ),
    Figure(
        "coop_prompt_wait_seconds",
        "histogram",
        "From a prompt to its end, by its type and what came of it",
        lambda it: _by(it.session.tally.prompts.items()),
        ("type", "outcome"),
    ),
    Figure(
        "coop_receipts_total",
        "counter",
        "Nudges by what became of them",
        lambda it: _by((end.value, count) for end, count in it.core.tellings.outcomes.items()),
        ("outcome",),
    ),
    Figure(
        "coop_answers_total",
        "counter",
        "Answers that were taken, by the way they went and what they did",
        lambda it: _by(it.core.tellings.answers.items()),
        ("via", "effect"),
    ),
    Figure(
        "coop_tier_disagreements_total",
        "counter",
        "How often the last word of a source began to differ from what is believed",
        lambda it: _by(it.session.tally.disagreement.times.items()),
        ("tier",),
    ),
    Figure(
        "coop_tier_disagreement_seconds_total",
        "counter",
        "How long the last word of a source differed from what is believed",
        lambda it: _by(it.session.tally.disagreement.seconds.items()),
        ("tier",),
    ),
    Figure(
        "coop_subscribers",
        "gauge",
        "Readers of the stream: of events only, or of output too",
        lambda it: _subscribers(it.session.bus),
        ("kind",),
    ),
    Figure("coop_websocket_clients", "gauge", "WebSocket clients connected", lambda it: _one(it.session.connections)),
    Figure(
        "coop_lost_events_total",
        "counter",
        "Events that readers did not get because they were too slow",
        lambda it: _one(it.session.bus.lost_events),
    ),
    Figure(
        "coop_lost_bytes_total",
        "counter",
        "Bytes of output that readers did not get because they were too slow",
        lambda it: _one(it.session.bus.lost_bytes),
    ),
    Figure(
        "coop_http_requests_total",
        "counter",
        "Requests that were let in, by route and status",
        lambda it: _by(it.session.tally.requests.items()),
        ("method", "route", "status"),
    ),
    Figure(
        "coop_uptime_seconds",
        "gauge",
        "Seconds since the child was started",
        lambda it: _one(it.session.now - it.core.started_at),
    ),
    Figure("coop_child_running", "gauge", "1 while the child runs", lambda it: _one(it.life() == "running")),
)


class SessionCollector:
    def __init__(self, served: Served) -> None:
        self._served = served

    def collect(self) -> "Iterator[Metric]":
        self._served.session.tally.on_item(self._served.session.now)
        return (_family(figure, figure.read(self._served)) for figure in FIGURES)


def _family(figure: Figure, samples: Samples) -> "Metric":
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    if figure.kind == "histogram":
        histogram = HistogramMetricFamily(figure.name, figure.help, labels=figure.labels)
        for labels, value in samples:
            assert isinstance(value, Histogram)
            histogram.add_metric(labels, value.cumulative(), value.total)
        return histogram
    kind = CounterMetricFamily if figure.kind == "counter" else GaugeMetricFamily
    family = kind(figure.name, figure.help, labels=figure.labels)
    for labels, value in samples:
        assert not isinstance(value, Histogram)
        family.add_metric(labels, value)
    return family


async def metrics(served: Served, request: Request) -> Response:
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(SessionCollector(served))
    return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})
