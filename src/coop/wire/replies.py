"""The replies of the HTTP API as values again."""

import base64

from coop.model.commands import Progress, Receipt
from coop.model.ids import PromptId, ReceiptId
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import ExitStatus
from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.model.view import Answered, Health, OutputChunk, ProcessStatus, RecordingStatus, StopGate
from coop.wire import http
from coop.wire.decode import Body, convert


def health(body: Body) -> Health:
    told = convert(body, http.Health)
    size = Size(told.terminal.cols, told.terminal.rows)
    return Health(told.status, told.agent, told.name, size, told.pid, told.uptime_secs, told.version, told.labels)


def status(body: Body) -> ProcessStatus:
    told = convert(body, http.Status)
    ended = ExitStatus(told.exit_code, told.exit_signal) if told.state == "exited" else None
    return ProcessStatus(told.state, told.pid, ended, told.bytes_read, told.bytes_written, told.uptime_secs)


def screen(body: Body) -> ScreenSnapshot:
    told = convert(body, http.Screen)
    cursor = Cursor(told.cursor.row, told.cursor.col) if told.cursor else Cursor(0, 0, visible=False)
    return ScreenSnapshot(told.lines, Size(told.cols, told.rows), cursor, told.alt_screen, told.title, told.sequence)


def scrollback(body: Body) -> tuple[str, ...]:
    return convert(body, http.Screen).scrollback


def output(body: Body) -> OutputChunk:
    told = convert(body, http.Output)
    return OutputChunk(base64.b64decode(told.data), told.offset, told.next_offset, told.total_written)


def bytes_written(body: Body) -> int:
    return convert(body, http.BytesWritten).bytes_written


def size(body: Body) -> Size:
    told = convert(body, http.Terminal)
    return Size(told.cols, told.rows)


def grace(body: Body) -> float:
    return convert(body, http.Ending).grace_secs


def receipt(body: Body) -> Receipt:
    told = convert(body, http.ReceiptBody)
    return Receipt(
        id=ReceiptId(told.id),
        message=told.message,
        progress=Progress(told.progress),
        received_as=told.received_as,
        evidence=told.evidence,
        cleared_draft=told.cleared_draft,
        queued=told.queued,
        reason=told.reason,
    )


def answered(body: Body) -> Answered:
    """Which kind of prompt it was is kept as it is told: a newer coop may know others."""
    identity = body.get("prompt_id")
    kind, effect, via = (str(body.get(key, "")) for key in ("prompt_type", "effect", "via"))
    return Answered(kind, PromptId(identity) if isinstance(identity, str) else None, effect, via)


def stop_gate(body: Body) -> StopGate:
    told = convert({key: value for key, value in body.items() if key in http.StopStatus.__struct_fields__}, http.StopStatus)
    said = StopSignal(told.signal.kind, told.signal.message) if told.signal else None
    return StopGate(StopConfig(StopMode(told.mode), told.reason, told.most_blocks), told.blocks, said)


def recording(body: Body) -> RecordingStatus:
    told = convert(body, http.RecordingReply)
    return RecordingStatus(told.on, told.path, told.bytes_written, told.begins, told.ended)
