"""Protobuf messages to the types of the HTTP API and back: a field means what the field of its name means there.

Three rules fill the differences: `x_json` holds `x` as JSON, bytes are base64 there, and a message that is nothing but a
choice stands for what was chosen.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import msgspec
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from coop.errors import BadRequest
from coop.model.events import Event, StateChanged
from coop.v1.coop_pb2 import AgentStateEvent, GetScreenRequest, OutputChunk, Position
from coop.wire import http, ws
from coop.wire.mistakes import told

T = TypeVar("T")
M = TypeVar("M", bound=Message)
_JSON = "_json"
_TO_JSON = msgspec.json.Encoder().encode


def _kind_of(message: Message | type[Message]) -> Descriptor:
    """Its description; by its types, protobuf has two kinds of them."""
    return cast("Descriptor", message.DESCRIPTOR)


# Requests


def decode(message: Message, kind: type[T]) -> T:
    """The request as HTTP would have it. Raises `BadRequest` that names the field."""
    return _convert(body_of(message), kind)


def screen_query(message: GetScreenRequest) -> http.ScreenQuery:
    body = body_of(message)
    body["cursor"] = body.pop("include_cursor")
    return _convert(body, http.ScreenQuery)


def position(message: Position) -> tuple[str, int]:
    if not message.epoch:
        raise BadRequest("request: after.epoch is empty; give both fields as an event had them")
    return message.epoch, message.event_seq


def _convert(body: Mapping[str, object], kind: type[T]) -> T:
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise BadRequest(f"request: {told(error, kind, body)}") from None


def body_of(message: Message) -> dict[str, Any]:
    """Its fields as JSON would have them; what can be left out and was is left out."""
    fields = _kind_of(message).fields
    return {each.name: _read(message, each) for each in fields if not each.has_presence or message.HasField(each.name)}


def _read(message: Message, field: FieldDescriptor) -> object:
    value = getattr(message, field.name)
    if _is_map(field):
        return dict(value)
    return [_plain(each, field) for each in value] if field.is_repeated else _plain(value, field)


def _plain(value: Any, field: FieldDescriptor) -> object:
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return known.name.lower() if known is not None else value
    if field.message_type is not None:
        chosen = _choice(field.message_type)
        return body_of(value) if chosen is None else body_of(value).get(value.WhichOneof(chosen))
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _choice(kind: Descriptor) -> str | None:
    """The name of the choice that a message consists of; `None` for all others."""
    names = {each.containing_oneof.name if each.containing_oneof is not None else None for each in kind.fields}
    return names.pop() if len(names) == 1 and len(kind.fields) > 1 else None


# Replies


def encode(reply: msgspec.Struct, kind: type[M]) -> M:
    return kind(**fields_of(msgspec.to_builtins(reply), _kind_of(kind)))


def fields_of(body: Mapping[str, Any], kind: Descriptor) -> dict[str, Any]:
    """What a message of that kind is made of; `None` is what is not set."""
    given = ((field, body.get(source(field.name, body))) for field in kind.fields)
    return {field.name: _written(value, field) for field, value in given if value is not None}


def source(name: str, body: Mapping[str, Any]) -> str:
    """The name that a field has in HTTP."""
    return name.removesuffix(_JSON) if name not in body else name


def _written(value: Any, field: FieldDescriptor) -> object:
    if _is_map(field):
        return value
    write = _writer(field)
    return [write(each) for each in value] if field.is_repeated else write(value)


def _writer(field: FieldDescriptor) -> Callable[[Any], object]:
    kind = field.message_type
    if kind is not None:
        return lambda value: fields_of(value, kind)
    if field.name.endswith(_JSON):
        return lambda value: _TO_JSON(value).decode()
    return base64.b64decode if field.type == FieldDescriptor.TYPE_BYTES else _as_it_is


def _as_it_is(value: Any) -> object:
    return value


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


# Streams


def chunk(data: bytes, offset: int, *, asked: int) -> OutputChunk:
    """Bytes at `offset`; where more was asked for than is kept, it says so."""
    return OutputChunk(data=data, offset=offset, lost_from=asked if asked < offset else None)


def event(item: Event | ws.SnapshotMessage) -> AgentStateEvent:
    """A change of state in the seed's own fields; what else has happened has a field of its own."""
    return AgentStateEvent(**fields_of(_told(item), _kind_of(AgentStateEvent)))


def _told(item: Event | ws.SnapshotMessage) -> dict[str, Any]:
    if isinstance(item, ws.SnapshotMessage):
        now = item.state
        both = {"prev": now.state, "next": now.state, "seq": now.since_seq}
        return {**msgspec.to_builtins(now), **both, "snapshot": msgspec.to_builtins(item)}
    message, place = ws.event(item), {"event_seq": item.seq, "epoch": item.epoch}
    body: dict[str, Any] = msgspec.to_builtins(message)
    if isinstance(item.fact, StateChanged):
        return {**body, **place}
    return {**place, str(message.__struct_config__.tag): body}
