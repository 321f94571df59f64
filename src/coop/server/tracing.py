"""Turns, prompts and nudges as spans of OpenTelemetry. Imported only where it is asked for.

A span says how long something took and how it ended, never what was asked, said or typed.
"""

import logging
import threading
from collections.abc import Mapping

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, StatusCode, Tracer, set_span_in_context

from coop import __version__
from coop.model.commands import Progress, Receipt
from coop.model.events import Event, StateChanged
from coop.model.ids import PromptId, ReceiptId
from coop.model.prompt import Setup
from coop.model.state import AgentState, Exited, Failed, Idle, Prompted, Working
from coop.session.core import SessionCore
from coop.session.telling import ENDS
from coop.session.waits import PromptWaits, Waited
from coop.wire.states import prompt_context

GOODBYE = 3.0
"""How long the last spans may take to be sent."""
_NANO = 1_000_000_000
Attributes = Mapping[str, str]


class Tracing:
    """An `Observer`. `epoch` is the time of day when the session's clock said zero."""

    def __init__(self, core: SessionCore, tracer: Tracer, *, epoch: float) -> None:
        self._core = core
        self._tracer = tracer
        self._epoch = epoch
        self._turn: Span | None = None
        self._waits = PromptWaits()
        self._asked_in: dict[PromptId, Context | None] = {}
        """The turn that each open prompt is of; `None` for one before the first."""
        self._last: ReceiptId | None = None
        self._nudges: set[ReceiptId] = set()
        """Those that have come to no end yet."""

    def on_event(self, event: Event) -> None:
        if isinstance(event.fact, StateChanged):
            self._on_state(event.fact.current, event.at)
        for waited in self._waits.receive(event):
            self._on_prompt(waited)

    def on_item(self, now: float) -> None:
        self._note_new_nudges()
        for identity in list(self._nudges):
            receipt = self._core.tellings.receipts.get(identity)
            if receipt is None or receipt.progress in ENDS:
                self._nudges.discard(identity)
                self._on_nudge(receipt, now)

    def _on_state(self, state: AgentState, at: float) -> None:
        match state:
            case Working():
                self._begin_turn(at)
            case Prompted():
                self._on_asked(state, at)
            case Idle():
                self._end_turn("idle", at)
            case Failed(kind=kind):
                self._end_turn("error", at, error=kind.value)
            case Exited():
                self._end_turn("exited", at)
            case _:
                pass

    def _begin_turn(self, at: float) -> None:
        if self._turn is None:
            self._turn = self._tracer.start_span("turn", start_time=self._at(at))

    def _end_turn(self, outcome: str, at: float, *, error: str | None = None) -> None:
        turn, self._turn = self._turn, None
        if turn is None:
            return
        turn.set_attributes(self._about(outcome))
        if error is not None:
            turn.set_attribute("error.type", error)
            turn.set_status(StatusCode.ERROR)
        turn.end(self._at(at))

    def _on_asked(self, state: Prompted, at: float) -> None:
        if not isinstance(state.prompt, Setup):
            self._begin_turn(at)  # it may ask before it was seen to work
        for prompt in state.prompts:
            within = set_span_in_context(self._turn) if self._turn is not None else None
            self._asked_in.setdefault(prompt.id, within)

    def _on_prompt(self, waited: Waited) -> None:
        prompt = waited.prompt
        about = {**self._about(waited.outcome or "unknown"), "coop.prompt.type": prompt_context(prompt).type}
        about |= {"coop.prompt.subtype": prompt.subtype} if prompt.subtype else {}
        about |= {"coop.prompt.by": waited.by} if waited.by else {}
        within = self._asked_in.pop(prompt.id, None)
        span = self._tracer.start_span("prompt", within, attributes=about, start_time=self._at(waited.asked_at))
        span.end(self._at(waited.gone_at))

    def _note_new_nudges(self) -> None:
        """Receipts are kept in the order they were made in, and the newest are looked at first."""
        last = self._last
        for identity in reversed(self._core.tellings.receipts):
            if identity == last:
                break
            self._nudges.add(identity)
        self._last = next(reversed(self._core.tellings.receipts), None)

    def _on_nudge(self, receipt: Receipt | None, now: float) -> None:
        if receipt is None:
            return  # forgotten: a thousand others have come since
        about = self._about(receipt.progress.value)
        about |= {"coop.tier": receipt.evidence} if receipt.evidence else {}
        about |= {"error.type": receipt.reason} if receipt.reason else {}
        span = self._tracer.start_span("nudge", attributes=about, start_time=self._at(receipt.created_at))
        if receipt.progress is not Progress.CONFIRMED:
            span.set_status(StatusCode.ERROR)
        span.end(self._at(now))

    def _about(self, outcome: str) -> dict[str, str]:
        version = self._core.insight.known.version
        about = {"coop.agent": self._core.agent.name, "coop.tier": self._core.belief.tier.value, "coop.outcome": outcome}
        return about | ({"coop.agent.version": version} if version else {})

    def _at(self, at: float) -> int:
        return int((self._epoch + at) * _NANO)


class Exporter:
    """Sends spans to where the `OTEL_*` variables say, from a thread of its own."""

    def __init__(self, session: str) -> None:
        logging.getLogger("opentelemetry").handlers = logging.getLogger("coop").handlers
        ours = Resource.create({"service.name": "coop", "service.version": __version__, "service.instance.id": session})
        self._provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    def tracer(self) -> Tracer:
        return self._provider.get_tracer("coop", __version__)

    def close(self) -> None:
        """Sends what is left, but does not wait for ever for somebody who does not listen."""
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(GOODBYE)
