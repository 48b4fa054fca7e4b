"""The messages of SPEC section 6 and their two formats."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from typing import Any, ClassVar

from .bits import Reader, Writer
from .columns import Keyed, Views, inflate, read_columns, write_columns
from .errors import DecodeError, IgnorableMessage
from .frames import SLOTS, Body, BodyKind, DeltasKind, Selection, SelectionKind, bit_count, read_body, write_body
from .kinds import (
    F64,
    ID_BYTES,
    MESSAGE_BYTES,
    U64,
    VIEWS,
    Choice,
    Doubles,
    Fixed64,
    Flag,
    JSONText,
    Kind,
    ListOf,
    Maybe,
    MaybeColor,
    Struct,
    Tagged,
    Text,
    Texts,
    Unsigned,
    fail,
    field,
    fields_from_json,
    fields_to_json,
    kinds_of,
    read_fields,
    refuse_rest,
    write_fields,
)
from .strictjson import parse_json
from .values import (
    CHUNKS,
    IDS,
    LONG,
    NAME,
    ROLE,
    RULES,
    TOKEN,
    U32,
    Add,
    Alternates,
    AnnotationChange,
    Answer,
    Cancel,
    Charts,
    Committed,
    Content,
    ContentChange,
    Cursor,
    CycleDurations,
    DeviceList,
    EventResult,
    Faces,
    FittingList,
    InsetChange,
    InteractionChange,
    Invalidation,
    Limits,
    Line,
    Looks,
    Move,
    NamedFrame,
    PresenceAwareness,
    PresencePlace,
    Refused,
    Remove,
    ReplicaHash,
    Resume,
    Start,
    Style,
    Symbols,
    View,
    WorkBudget,
)


class Message:
    """What one WebSocket message carries."""

    type_name = ""
    type_byte = 0
    # The extensions of version 1, by id: an attribute, and what it is.
    extras: ClassVar[dict[int, tuple[str, Kind]]] = {}

    def _read(self, reader: Reader) -> Message:
        return read_fields(type(self), reader)  # type: ignore[no-any-return]

    def _write(self, writer: Writer) -> None:
        write_fields(self, writer)

    def to_bytes(self) -> bytes:
        writer = Writer()
        writer.u8(self.type_byte)
        self._write(writer)
        for extension, (name, kind) in self.extras.items():
            value = getattr(self, name)
            if value is None:
                continue
            content = Writer()
            kind.write(content, value)
            writer.varint(extension)
            writer.varint(len(content.data))
            writer.data += content.data
        return bytes(writer.data)

    def to_json(self) -> dict[str, Any]:
        """The message as a value that `json` writes."""
        result = {"type": self.type_name, **fields_to_json(self)}
        for name, kind in self.extras.values():
            value = getattr(self, name)
            if value is not None:
                result[name] = kind.to_json(value)
        return result

    def to_text(self) -> str:
        """The message as JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


def chunk_rule(part: Snapshot | SnapshotHead | Inspection | Records) -> str | None:
    """What is wrong with a part's place among the parts."""
    if part.chunk_count > CHUNKS:
        return "too many chunks"
    return None if part.chunk_index < part.chunk_count else "a chunk beyond the last"


def participant_rule(message: Hello | Welcome) -> str | None:
    """What is wrong with a role that ends without events do not know."""
    if message.role == "participant" and not message.capabilities & 1 << 10:
        return "a participant without events"
    return None


@dataclass
class DeviceRequest(Message):
    """Asks for a device: by name, by columns and rows of the scene's cells, or by the keys of a document's devices."""

    name: str = field(Text(ID_BYTES), "")
    columns: int = field(U32, 0)
    rows: int = field(U32, 0)
    viewport: Any = field(JSONText(), dict)


@dataclass
class Hello(Message):
    capabilities: int = field(U64(), 0)
    token: str = field(TOKEN, "")
    room: str = field(NAME, "")
    role: str = field(ROLE, "viewer")
    resume: Resume | None = field(Maybe(Resume), None)
    units_per_point: float = field(F64(), 0.0)
    roots: list[str] = field(Texts(64, ID_BYTES), list)
    frame_rate_maximum: int = field(U32, 0)
    # The device that the client requests; None for the main one.
    device: DeviceRequest | None = None

    extras = {2: ("device", Struct(DeviceRequest))}

    def broken_rule(self) -> str | None:
        return participant_rule(self)


@dataclass
class Ack(Message):
    tick: int = field(U64(), 0)
    lag_milliseconds: int = field(U32, 0)


@dataclass
class Ops(Message):
    client_sequence: int = field(U64(), 0)
    base_tick: int = field(U64(), 0)
    undo_group: int = field(U32, 0)
    atomic: bool = field(Flag(), False)
    ops: Any = field(JSONText(), list)


@dataclass
class Resync(Message):
    tick: int = field(U64(), 0)
    hash: int = field(Fixed64(), 0)


@dataclass
class Ping(Message):
    t0: int = field(U64(), 0)


@dataclass
class Presence(Message):
    client: int = field(U32, 0)
    clock: int = field(U32, 0)
    gone: bool = field(Flag(), False)
    name: str = field(NAME, "")
    color: str | None = field(MaybeColor(), None)
    cursor: Cursor | None = field(Maybe(Cursor), None)
    selection: list[str] = field(Texts(1024, ID_BYTES), list)
    # The pointer as a place in a view; None where only the point is known.
    place: PresencePlace | None = None
    # None counts as the default one.
    awareness: PresenceAwareness | None = None

    extras = {2: ("place", Struct(PresencePlace)), 4: ("awareness", Struct(PresenceAwareness))}


@dataclass
class Undo(Message):
    client_sequence: int = field(U64(), 0)


@dataclass
class Redo(Message):
    client_sequence: int = field(U64(), 0)


@dataclass
class Subscribe(Message):
    roots: list[str] = field(Texts(64, ID_BYTES), list)
    frame_rate_maximum: int = field(U32, 0)


@dataclass
class Seek(Message):
    live: bool = field(Flag(), True)
    tick: int = field(U64(), 0)
    speed: float = field(F64(), 0.0)


@dataclass
class TraceRequest(Message):
    enabled: bool = field(Flag(), False)
    watch: list[str] = field(Texts(1024, ID_BYTES), list)


@dataclass
class FollowRequest(Message):
    """Turns the telling of the scene's records on or off; needs capability 14, `1 << 14`."""

    enabled: bool = field(Flag(), False)


@dataclass
class Inspect(Message):
    request: int = field(U32, 0)
    document: bool = field(Flag(), False)
    views: list[str] = field(Texts(64, ID_BYTES), list)
    # The sizes to find out; needs capability 11, `1 << 11`.
    fittings: FittingList | None = None

    extras = {2: ("fittings", Struct(FittingList))}


@dataclass
class Welcome(Message):
    session: str = field(NAME, "")
    resume_token: str = field(TOKEN, "")
    epoch: int = field(U64(), 0)
    version: int = field(U32, 0)
    capabilities: int = field(U64(), 0)
    tick_rate: int = field(U32, 60)
    tick: int = field(U64(), 0)
    monotonic_milliseconds: int = field(U64(), 0)
    units_per_point: float = field(F64(), 1.0)
    viewport: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))
    scale: float = field(F64(), 1.0)
    cell: tuple[float, ...] = field(Doubles(2), (8.0, 16.0))
    limits: Limits = field(Struct(Limits), Limits)
    role: str = field(ROLE, "viewer")
    # What work may cost; None from a server that does not count.
    work: WorkBudget | None = None

    # One life of the room in the server's memory; None without the capability for events.
    incarnation: int | None = None

    # Other addresses of the room; None for none.
    alternates: Alternates | None = None

    # The client's own number in presence and events; None from a server that does not tell it.
    client: int | None = None

    # What the person's annotations name it by; None without the capability for annotations.
    person: int | None = None

    extras = {2: ("work", Struct(WorkBudget)), 4: ("incarnation", U64()), 6: ("alternates", Struct(Alternates)), 8: ("client", U64()),
              10: ("person", U64())}  # fmt: skip

    def broken_rule(self) -> str | None:
        return participant_rule(self)


@dataclass
class Snapshot(Message):
    epoch: int = field(U64(), 0)
    tick: int = field(U64(), 0)
    chunk_index: int = field(U32, 0)
    chunk_count: int = field(U32, 1)
    deflated: bool = field(Flag(), False)
    state_hash: int = field(Fixed64(), 0)
    views: list[View] = field(Views(), list)
    # The fonts of views' lines; None for none.
    faces: Faces | None = None
    # What is drawn of views besides their contents; None for none.
    looks: Looks | None = None
    # The symbols of the looks; None for none.
    symbols: Symbols | None = None
    # The charts of the looks; None for none.
    charts: Charts | None = None

    extras = {2: ("faces", Struct(Faces)), 4: ("looks", Struct(Looks)), 6: ("symbols", Struct(Symbols)), 8: ("charts", Struct(Charts))}

    def broken_rule(self) -> str | None:
        return chunk_rule(self)

    def _read(self, reader: Reader) -> Message:
        head = SnapshotHead(**{name: kind.read(reader) for name, kind in HEAD_KINDS})
        rule = Snapshot(**vars(head)).broken_rule()
        if rule:
            raise DecodeError("invalid-value", reader.offset, rule)
        columns = inflate(reader) if head.deflated else reader
        snapshot = Snapshot(**vars(head), views=read_columns(columns))
        if head.deflated and columns.remaining:
            raise DecodeError("malformed-deflate", reader.offset)
        return snapshot

    def _write(self, writer: Writer) -> None:
        for name, kind in HEAD_KINDS:
            kind.write(writer, getattr(self, name))
        if not self.deflated:
            return write_columns(self.views, writer)
        columns = Writer()
        write_columns(self.views, columns)
        stream = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = stream.compress(bytes(columns.data)) + stream.flush()
        writer.varint(len(columns.data))
        writer.varint(len(packed))
        writer.data += packed


@dataclass
class SnapshotHead:
    """The fields of a snapshot before its views."""

    epoch: int = field(U64(), 0)
    tick: int = field(U64(), 0)
    chunk_index: int = field(U32, 0)
    chunk_count: int = field(U32, 1)
    deflated: bool = field(Flag(), False)
    state_hash: int = field(Fixed64(), 0)


@dataclass
class Frame(Message):
    """Changed frames; `tick` is the low eight bits of the tick after them."""

    tick: int = field(Unsigned(8), 0)
    base_distance: int = field(U64(), 1)
    durable_distance: int = field(U64(), 1)
    body: Body = field(BodyKind(), Body)

    def tick_after(self, tick: int) -> int | None:
        """The tick after it on a mirror at `tick`; None if it was made for another one."""
        after = tick + self.base_distance
        fits = after < 1 << 64 and after & 0xFF == self.tick and self.durable_distance <= after
        return after if fits else None

    def _read(self, reader: Reader) -> Message:
        tick = reader.u8()
        body, base, durable = read_body(reader, distances=True)
        return Frame(tick, base, durable, body)

    def _write(self, writer: Writer) -> None:
        writer.u8(self.tick)
        write_body(self.body, self.base_distance, self.durable_distance, writer)


@dataclass
class Select(Message):
    slot: int = field(Unsigned(8, lambda value: value < SLOTS), 0)
    selection: Selection = field(SelectionKind(), lambda: Selection(1, (0,)))
    #: The deltas that the selection was used with last.
    deltas: tuple[int, ...] = field(DeltasKind(), (0,))

    def broken_rule(self) -> str | None:
        fits = len(self.deltas) == bit_count(self.selection.mask)
        return None if fits else "a delta for each bit of the mask"

    def _read(self, reader: Reader) -> Message:
        start = reader.offset
        slot = reader.u8()
        if slot >= SLOTS:
            raise DecodeError("invalid-value", start)
        selection = SelectionKind().read(reader)
        deltas = tuple(reader.zigzag() for _ in range(bit_count(selection.mask)))
        return Select(slot, selection, deltas)


@dataclass
class Tree(Message):
    tick: int = field(U64(), 0)
    changes: list[Add | Remove | Move] = field(
        ListOf(Tagged("change", False, add=Add, remove=Remove, move=Move), 4 * VIEWS), list
    )
    # The fonts of views' lines; None for none.
    faces: Faces | None = None
    # What is drawn of views besides their contents; None for none.
    looks: Looks | None = None
    # The symbols of the looks; None for none.
    symbols: Symbols | None = None
    # The charts of the looks; None for none.
    charts: Charts | None = None

    extras = {2: ("faces", Struct(Faces)), 4: ("looks", Struct(Looks)), 6: ("symbols", Struct(Symbols)), 8: ("charts", Struct(Charts))}


@dataclass
class ContentMessage(Message):
    tick: int = field(U64(), 0)
    changes: list[ContentChange] = field(ListOf(Struct(ContentChange), VIEWS + 1), list)
    invalidations: list[Invalidation] = field(ListOf(Struct(Invalidation), 4 * VIEWS), list)
    # The fonts of views' lines; None for none.
    faces: Faces | None = None
    # What is drawn of views besides their contents; None for none.
    looks: Looks | None = None
    # The symbols of the looks; None for none.
    symbols: Symbols | None = None
    # The charts of the looks; None for none.
    charts: Charts | None = None

    extras = {2: ("faces", Struct(Faces)), 4: ("looks", Struct(Looks)), 6: ("symbols", Struct(Symbols)), 8: ("charts", Struct(Charts))}


@dataclass
class StateHash(Message):
    tick: int = field(U64(), 0)
    hash: int = field(Fixed64(), 0)


@dataclass
class Result(Message):
    client_sequence: int = field(U64(), 0)
    tick: int = field(U64(), 0)
    outcome: Committed | Refused = field(
        Tagged("outcome", True, committed=Committed, refused=Refused), Committed
    )
    # Units of work that the message took; None from a server that does not count.
    work: int | None = None
    # Devices on which it is committed but does not hold; None for none.
    devices: DeviceList | None = None

    extras = {2: ("work", U64()), 6: ("devices", Struct(DeviceList))}


@dataclass
class ErrorMessage(Message):
    code: int = field(U32, 0)
    retryable: bool = field(Flag(), False)
    retry_after_milliseconds: int = field(U32, 0)
    text: str = field(LONG, "")


@dataclass
class Pong(Message):
    t0: int = field(U64(), 0)
    t1: int = field(U64(), 0)
    t2: int = field(U64(), 0)


@dataclass
class Anim(Message):
    tick: int = field(U64(), 0)
    changes: list[Start | Cancel] = field(ListOf(Tagged("change", False, start=Start, cancel=Cancel), 4096), list)


@dataclass
class Diagnostics(Message):
    tick: int = field(U64(), 0)
    ambiguous: list[str] = field(IDS, list)
    broken: list[str] = field(RULES, list)
    feedback_loop: list[str] = field(IDS, list)
    # 1 where finding out what is ambiguous was ended early.
    unfinished: int | None = None

    extras = {2: ("unfinished", U64())}


@dataclass
class Trace(Message):
    tick: int = field(U64(), 0)
    durations: CycleDurations | None = field(Maybe(CycleDurations), None)
    events: list[str] = field(Texts(MESSAGE_BYTES, 256), list)


@dataclass
class Keyframe(Message):
    tick: int = field(U64(), 0)
    numbers: list[int] = field(Keyed(), list)


@dataclass
class Inspection(Message):
    request: int = field(U32, 0)
    chunk_index: int = field(U32, 0)
    chunk_count: int = field(U32, 1)
    text: str = field(Text(1 << 19), "")

    def broken_rule(self) -> str | None:
        return chunk_rule(self)


@dataclass
class DeviceGrant(Message):
    """The device that a member has from now on; the state on it follows."""

    name: str = field(Text(ID_BYTES), "")
    fit: str = field(Choice("exact", "nearest", "main"), "exact")
    reason: str = field(LONG, "")
    units_per_point: float = field(F64(), 1.0)
    viewport: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))
    scale: float = field(F64(), 1.0)
    cell: tuple[float, ...] = field(Doubles(2), (8.0, 16.0))
    maximum: int = field(U32, 0)
    names: list[str] = field(Texts(64, ID_BYTES), list)


EVENT_KIND = Choice("tap", "press", "hover", "key", "scroll", "input", "message")
EVENT_VALUE_BYTES = 4096


class EventValue(JSONText):
    """What comes with an event: any JSON that is not too long."""

    def read(self, reader: Reader) -> Any:
        value = super().read(reader)
        if not self.is_short(value):
            raise DecodeError("invalid-value", reader.offset)
        return value

    def from_json(self, value: Any, name: str) -> Any:
        if not self.is_short(value):
            raise fail(name, f"JSON of at most {EVENT_VALUE_BYTES} bytes")
        return value

    @staticmethod
    def is_short(value: Any) -> bool:
        return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) <= EVENT_VALUE_BYTES


#: Bits of four keys; others mean nothing.
MODIFIERS = Unsigned(8, lambda bits: bits < 16)


@dataclass
class SentEvent(Message):
    """A user's action on a view, or a message to another member."""

    event_sequence: int = field(U64(), 0)
    to: int = field(U32, 0)
    kind: str = field(EVENT_KIND, "tap")
    view: str = field(Text(ID_BYTES), "")
    tick: int = field(U64(), 0)
    place: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))
    modifiers: int = field(MODIFIERS, 0)
    value: Any = field(EventValue(), None)


@dataclass
class HandleRequest(Message):
    """The subtrees whose events the client handles."""

    roots: list[str] = field(Texts(64, ID_BYTES), list)


@dataclass
class HandledEvents(Message):
    """What the client made of events."""

    answers: list[Answer] = field(ListOf(Struct(Answer), 1024), list)


@dataclass
class Interactions(Message):
    """What people can do with the scene's views."""

    whole: bool = field(Flag(), False)
    changes: list[InteractionChange] = field(ListOf(Struct(InteractionChange), VIEWS + 1), list)


@dataclass
class DeliveredEvent(Message):
    """A user's action on a view that the client handles, or a message to the client."""

    sequence: int = field(U64(), 0)
    client: int = field(U32, 0)
    subject: str = field(Text(256), "")
    kind: str = field(EVENT_KIND, "tap")
    view: str = field(Text(ID_BYTES), "")
    tick: int = field(U64(), 0)
    place: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))
    modifiers: int = field(MODIFIERS, 0)
    value: Any = field(EventValue(), None)


@dataclass
class EventResults(Message):
    """What became of the client's events."""

    results: list[EventResult] = field(ListOf(Struct(EventResult), 1024), list)


@dataclass
class Insets(Message):
    """How far scroll views can be scrolled beyond their content."""

    whole: bool = field(Flag(), False)
    changes: list[InsetChange] = field(ListOf(Struct(InsetChange), VIEWS + 1), list)


@dataclass
class Annotations(Message):
    """What people say about the scene: comments, locks and versions."""

    whole: bool = field(Flag(), False)
    changes: list[AnnotationChange] = field(ListOf(Struct(AnnotationChange), 1024), list)


@dataclass
class Records(Message):
    """A part of what a replica of the server's scene repeats."""

    tick: int = field(U64(), 0)
    start: bool = field(Flag(), False)
    author: str = field(Text(64), "")
    chunk_index: int = field(U32, 0)
    chunk_count: int = field(U32, 1)
    text: str = field(Text(1 << 19), "")
    state: ReplicaHash | None = field(Maybe(ReplicaHash), None)

    def broken_rule(self) -> str | None:
        return chunk_rule(self)


HEAD_KINDS = [
    (name, kind) for name, _, kind in kinds_of(SnapshotHead)
]

CLIENT_TYPES: dict[int, tuple[str, type[Message]]] = {
    0x01: ("hello", Hello),
    0x02: ("ack", Ack),
    0x03: ("ops", Ops),
    0x04: ("resync", Resync),
    0x05: ("ping", Ping),
    0x06: ("presence", Presence),
    0x07: ("undo", Undo),
    0x08: ("redo", Redo),
    0x09: ("subscribe", Subscribe),
    0x0A: ("seek", Seek),
    0x0B: ("trace", TraceRequest),
    0x0C: ("inspect", Inspect),
    0x0E: ("device", DeviceRequest),
    0x0F: ("follow", FollowRequest),
    0x20: ("event", SentEvent),
    0x21: ("handle", HandleRequest),
    0x22: ("handled", HandledEvents),
}
SERVER_TYPES: dict[int, tuple[str, type[Message]]] = {
    0x41: ("welcome", Welcome),
    0x42: ("snapshot", Snapshot),
    0x43: ("frame", Frame),
    0x44: ("select", Select),
    0x45: ("tree", Tree),
    0x46: ("content", ContentMessage),
    0x47: ("hash", StateHash),
    0x48: ("result", Result),
    0x49: ("error", ErrorMessage),
    0x4A: ("pong", Pong),
    0x4B: ("presence", Presence),
    0x4C: ("anim", Anim),
    0x4D: ("diagnostics", Diagnostics),
    0x4E: ("trace", Trace),
    0x4F: ("keyframe", Keyframe),
    0x50: ("inspection", Inspection),
    0x52: ("device", DeviceGrant),
    0x53: ("interactions", Interactions),
    0x54: ("event", DeliveredEvent),
    0x55: ("eventResults", EventResults),
    0x56: ("insets", Insets),
    0x57: ("annotations", Annotations),
    0x58: ("records", Records),
}
for _types in (CLIENT_TYPES, SERVER_TYPES):
    for _byte, (_name, _cls) in _types.items():
        _cls.type_byte, _cls.type_name = _byte, _name


def encode(message: Message, from_client: bool) -> bytes:
    """The bytes of a message. Presence has another type byte in each direction."""
    types = CLIENT_TYPES if from_client else SERVER_TYPES
    byte = next(byte for byte, (_, cls) in types.items() if cls is type(message))
    return bytes([byte]) + message.to_bytes()[1:]


def decode(data: bytes, from_client: bool = False) -> Message:
    """A message from bytes; everything else is a `DecodeError`."""
    if not data:
        raise DecodeError("empty")
    if len(data) > MESSAGE_BYTES:
        raise DecodeError("too-long")
    reader = Reader(data)
    byte = reader.u8()
    types = CLIENT_TYPES if from_client else SERVER_TYPES
    if byte not in types:
        raise (IgnorableMessage if byte >= 0x80 else DecodeError)("unknown-type", 0)
    message = types[byte][1]()._read(reader)
    while reader.remaining:
        extension = reader.u32()
        length = reader.count(MESSAGE_BYTES)
        if extension & 1:
            raise DecodeError("unknown-extension", reader.offset)
        content = reader.take(length)
        if extension in message.extras:
            name, kind = message.extras[extension]
            setattr(message, name, kind.read(Reader(content)))
    return message


def decode_json(data: bytes | str, from_client: bool = False) -> Message:
    """A message from JSON; everything else is a `DecodeError`."""
    encoded = data.encode() if isinstance(data, str) else data
    if not encoded:
        raise DecodeError("empty")
    if len(encoded) > MESSAGE_BYTES:
        raise DecodeError("too-long")
    value = parse_json(encoded)
    if not isinstance(value, dict):
        raise fail("message", "an object")
    members = dict(value)
    name = Text(64).from_json(members.pop("type", None), "type")
    types = CLIENT_TYPES if from_client else SERVER_TYPES
    cls = next((cls for known, cls in types.values() if known == name), None)
    if cls is None:
        raise (IgnorableMessage if name.startswith("x-") else DecodeError)("unknown-type")
    message: Message = fields_from_json(cls, members)
    for attribute, kind in message.extras.values():
        if attribute in members:
            setattr(message, attribute, kind.from_json(members.pop(attribute), attribute))
    extensions = members.pop("extensions", {})
    if not isinstance(extensions, dict):
        raise fail("extensions", "an object")
    for key, content in extensions.items():
        if not re.fullmatch("0|[1-9][0-9]{0,9}", key) or int(key) >= 1 << 32:
            raise fail("extensions", "of ids")
        if not isinstance(content, str) or not re.fullmatch("([0-9a-fA-F]{2})*", content):
            raise fail("extensions", "of hexadecimal texts")
        if int(key) & 1:
            raise DecodeError("unknown-extension")
    refuse_rest(members)
    return message


__all__ = [
    "Ack",
    "Add",
    "Anim",
    "CLIENT_TYPES",
    "Cancel",
    "Committed",
    "Content",
    "ContentChange",
    "ContentMessage",
    "Cursor",
    "CycleDurations",
    "Diagnostics",
    "ErrorMessage",
    "FollowRequest",
    "Frame",
    "Hello",
    "Inspect",
    "Inspection",
    "Invalidation",
    "Keyed",
    "Keyframe",
    "Limits",
    "Line",
    "Message",
    "Move",
    "NamedFrame",
    "Ops",
    "Ping",
    "Pong",
    "Presence",
    "PresenceAwareness",
    "PresencePlace",
    "Records",
    "Redo",
    "Refused",
    "Remove",
    "ReplicaHash",
    "Result",
    "Resume",
    "Resync",
    "SERVER_TYPES",
    "Seek",
    "Select",
    "Snapshot",
    "SnapshotHead",
    "Start",
    "StateHash",
    "Style",
    "Subscribe",
    "Trace",
    "TraceRequest",
    "Tree",
    "Undo",
    "View",
    "Views",
    "Welcome",
    "decode",
    "decode_json",
    "encode",
]
