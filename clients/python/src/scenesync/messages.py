"""The messages of SPEC section 6 and their two formats."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from .bits import Reader, Writer, wrap32
from .errors import DecodeError, IgnorableMessage
from .frames import SLOTS, Body, BodyKind, Selection, SelectionKind, read_body, write_body
from .kinds import (
    CONSTRAINTS,
    F64,
    ID_BYTES,
    IDENTIFIER,
    INFLATED_BYTES,
    MESSAGE_BYTES,
    NAME_BYTES,
    NUMBERS,
    OPS,
    TEXT_BYTES,
    TOKEN_BYTES,
    U64,
    VIEWS,
    Choice,
    Doubles,
    Fixed64,
    Flag,
    Integers,
    JSONText,
    Kind,
    ListOf,
    Maybe,
    MaybeColor,
    MaybeNumber,
    Struct,
    Tagged,
    Text,
    Texts,
    Unsigned,
    fail,
    field,
    fields_from_json,
    fields_to_json,
    integer,
    kinds_of,
    parse_json,
    read_fields,
    refuse_rest,
    write_fields,
)

U8 = Unsigned(8)
U32 = Unsigned(32)
NUMBER = Unsigned(32, lambda value: value < NUMBERS)
ID = Text(ID_BYTES)
NAME = Text(NAME_BYTES)
TOKEN = Text(TOKEN_BYTES)
LONG = Text(TEXT_BYTES)
IDS = Texts(VIEWS, ID_BYTES)
RULES = Texts(CONSTRAINTS, 256)
ROLE = Choice("viewer", "editor")
CHUNKS = 1024


# --- Values inside messages ----------------------------------------------------------------------------------------


@dataclass
class Line:
    """A line of a label, broken and placed by the server."""

    text: str = field(LONG, "")
    place: tuple[int, ...] = field(Integers(3), (0, 0, 0))


@dataclass
class Style:
    """What is drawn of a view, without its lines."""

    kind: str = field(Choice("view", "label", "stack", "scroll", "flow", "image"), "view")
    hidden: bool = field(Flag(), False)
    clips: bool = field(Flag(), False)
    opacity: int = field(U8, 255)
    background: str | None = field(MaybeColor(), None)
    foreground: str | None = field(MaybeColor(), None)
    border: str = field(Choice("none", "single", "rounded", "double", "heavy"), "none")
    align: str = field(Choice("left", "center", "right", "natural", "justified"), "natural")
    content_offset: tuple[int, ...] = field(Integers(2), (0, 0))


@dataclass
class Content(Style):
    """What is drawn of a view."""

    lines: list[Line] = field(ListOf(Struct(Line), TEXT_BYTES), list)


@dataclass
class View:
    """Everything that the wire says of a view."""

    number: int = field(NUMBER, 0)
    id: str = field(Text(ID_BYTES, lambda value: bool(IDENTIFIER.match(value))), "")
    parent: int | None = field(MaybeNumber(), None)
    frame: tuple[int, ...] = field(Integers(4), (0, 0, 0, 0))
    content: Content = field(Struct(Content), Content)


@dataclass
class Resume:
    session: str = field(NAME, "")
    token: str = field(TOKEN, "")
    epoch: int = field(U64(), 0)
    last_tick: int = field(U64(), 0)


@dataclass
class Limits:
    """What `welcome` announces."""

    message_bytes: int = field(U32, MESSAGE_BYTES)
    views: int = field(U32, VIEWS)
    constraints: int = field(U32, CONSTRAINTS)
    ops: int = field(U32, OPS)
    messages_per_second: int = field(U32, 0)
    depth: int = field(U32, 512)
    text_bytes: int = field(U32, TEXT_BYTES)
    inflated_bytes: int = field(U32, INFLATED_BYTES)
    unacknowledged_frames: int = field(U32, 10)


@dataclass
class Add(View):
    """A new view, at that place among its siblings."""

    index: int = field(U32, 0)


@dataclass
class Remove:
    number: int = field(NUMBER, 0)


@dataclass
class Move:
    number: int = field(NUMBER, 0)
    parent: int = field(NUMBER, 0)
    index: int = field(U32, 0)


@dataclass
class ContentChange:
    number: int = field(NUMBER, 0)
    content: Content = field(Struct(Content), Content)


@dataclass
class Invalidation:
    number: int = field(NUMBER, 0)
    frame: tuple[int, ...] = field(Integers(4), (0, 0, 0, 0))


@dataclass
class NamedFrame:
    id: str = field(ID, "")
    frame: tuple[float, ...] = field(Doubles(4), (0.0, 0.0, 0.0, 0.0))


@dataclass
class Refused:
    """Why an op, or a batch, was not taken."""

    code: str = field(Text(64), "")
    message: str = field(LONG, "")
    op_index: int = field(U32, 0)
    conflicting: list[str] = field(RULES, list)


@dataclass
class Committed:
    frames: list[NamedFrame] = field(ListOf(Struct(NamedFrame), VIEWS + 1), list)
    removed_constraints: list[str] = field(RULES, list)
    refusals: list[Refused] = field(ListOf(Struct(Refused), OPS), list)


@dataclass
class Cursor:
    point: tuple[float, ...] = field(Doubles(2), (0.0, 0.0))


@dataclass
class Start:
    """An animation: how frames change in all, and when."""

    id: int = field(U32, 0)
    delay_ticks: int = field(U32, 0)
    duration_ticks: int = field(Unsigned(32, lambda value: value > 0), 1)
    curve: str = field(Choice("linear", "easeIn", "easeOut", "easeInOut"), "linear")
    body: Body = field(BodyKind(), Body)

    def broken_rule(self) -> str | None:
        return "absolute rows in an animation" if self.body.absolute_rows else None


@dataclass
class Cancel:
    id: int = field(U32, 0)


# --- Special columns -----------------------------------------------------------------------------------------------


class Keyed(Kind):
    """The numbers of a keyframe."""

    def read(self, reader: Reader) -> list[int]:
        numbers = []
        following = 0
        for _ in range(reader.count(VIEWS + 1)):
            start = reader.offset
            number = following + reader.zigzag() & 0xFFFFFFFF
            if number >= NUMBERS:
                raise DecodeError("invalid-value", start)
            numbers.append(number)
            following = number + 1
        return numbers

    def write(self, writer: Writer, value: list[int]) -> None:
        writer.varint(len(value))
        following = 0
        for number in value:
            writer.zigzag(number - following)
            following = number + 1

    def from_json(self, value: Any, name: str) -> list[int]:
        if not isinstance(value, list) or len(value) > VIEWS + 1:
            raise fail(name, "a list")
        return [integer(number, 0, NUMBERS - 1, name) for number in value]


def write_columns(views: list[View], writer: Writer) -> None:
    """The columns of SPEC section 7."""
    texts = list(dict.fromkeys(line.text for view in views for line in view.content.lines))
    styles: list[bytes] = []
    indices = []
    for view in views:
        style = Writer()
        for name, kind in STYLE_KINDS:
            kind.write(style, getattr(view.content, name))
        encoded = bytes(style.data)
        if encoded not in styles:
            styles.append(encoded)
        indices.append(styles.index(encoded))
    writer.varint(len(views))
    writer.varint(len(texts))
    for text in texts:
        writer.text(text)
    writer.varint(len(styles))
    for encoded in styles:
        writer.data += encoded
    following = 0
    for view in views:
        writer.zigzag(view.number - following)
        following = view.number + 1
    previous = 0
    for view in views:
        parent = 0 if view.parent is None else view.parent + 1
        writer.zigzag(parent - previous)
        previous = parent
    ids = [view.id.encode() for view in views]
    shares = [shared(a, b) for a, b in zip(ids, [b""] + ids)]
    for count in shares:
        writer.varint(count)
    for encoded, count in zip(ids, shares):
        writer.varint(len(encoded) - count)
    for encoded, count in zip(ids, shares):
        writer.data += encoded[count:]
    for place in range(4):
        last = 0
        for view in views:
            writer.zigzag(wrap32(view.frame[place] - last))
            last = view.frame[place]
    for index in indices:
        writer.varint(index)
    for view in views:
        writer.varint(len(view.content.lines))
    for view in views:
        for line in view.content.lines:
            writer.varint(texts.index(line.text))
            for number in line.place:
                writer.zigzag(number)


def shared(name: bytes, previous: bytes) -> int:
    count = 0
    while count < min(len(name), len(previous)) and name[count] == previous[count]:
        count += 1
    return count


def read_columns(reader: Reader) -> list[View]:
    views = [View() for _ in range(reader.count(VIEWS + 1, 10))]
    texts = [reader.text(TEXT_BYTES) for _ in range(reader.count(MESSAGE_BYTES))]
    styles = [
        {name: kind.read(reader) for name, kind in STYLE_KINDS} for _ in range(reader.count(len(views)))
    ]
    following = 0
    for view in views:
        start = reader.offset
        view.number = following + reader.zigzag() & 0xFFFFFFFF
        if view.number >= NUMBERS:
            raise DecodeError("invalid-value", start)
        following = view.number + 1
    parent = 0
    for view in views:
        start = reader.offset
        parent = parent + reader.zigzag() & 0xFFFFFFFF
        if parent > NUMBERS:
            raise DecodeError("invalid-value", start)
        view.parent = parent - 1 if parent else None
    shares = [reader.u32() for _ in views]
    lengths = [reader.count(ID_BYTES) for _ in views]
    name = b""
    for view, share, length in zip(views, shares, lengths):
        start = reader.offset
        if share > len(name):
            raise DecodeError("invalid-value", start)
        name = name[:share] + reader.take(length)
        try:
            view.id = name.decode()
        except UnicodeDecodeError:
            raise DecodeError("invalid-value", start) from None
        if not IDENTIFIER.match(view.id):
            raise DecodeError("invalid-value", start)
    columns = []
    for _ in range(4):
        column = []
        last = 0
        for _ in views:
            last = wrap32(last + reader.zigzag())
            column.append(last)
        columns.append(column)
    for view, *frame in zip(views, *columns):
        view.frame = tuple(frame)
    for view in views:
        start = reader.offset
        index = reader.u32()
        if index >= len(styles):
            raise DecodeError("invalid-value", start)
        view.content = Content(**styles[index])
    counts = [reader.count(TEXT_BYTES) for _ in views]
    if sum(counts) * 4 > reader.remaining:
        raise DecodeError("truncated", reader.offset)
    for view, count in zip(views, counts):
        for _ in range(count):
            start = reader.offset
            index = reader.u32()
            if index >= len(texts):
                raise DecodeError("invalid-value", start)
            view.content.lines.append(Line(texts[index], tuple(reader.zigzag() for _ in range(3))))
    return views


class Views(Kind):
    """The views of a snapshot; whether they are deflated, the message's `deflated` says."""

    def read(self, reader: Reader) -> list[View]:
        return read_columns(reader)

    def write(self, writer: Writer, value: list[View]) -> None:
        write_columns(value, writer)

    def to_json(self, value: list[View]) -> list[Any]:
        return [fields_to_json(view) for view in value]

    def from_json(self, value: Any, name: str) -> list[View]:
        return ListOf(Struct(View), VIEWS + 1).from_json(value, name)


def inflate(reader: Reader) -> Reader:
    """The columns of a deflated snapshot; takes no more memory than the length that it says and that is allowed."""
    start = reader.offset
    length = reader.u32()
    if length > INFLATED_BYTES:
        raise DecodeError("too-many", start)
    packed = reader.take(reader.count(MESSAGE_BYTES))
    stream = zlib.decompressobj(-15)
    try:
        data = stream.decompress(packed, length + 1)
    except zlib.error:
        raise DecodeError("malformed-deflate", start) from None
    if len(data) != length or not stream.eof or stream.unused_data:
        raise DecodeError("malformed-deflate", start)
    return Reader(data)


# --- Messages ------------------------------------------------------------------------------------------------------


class Message:
    """What one WebSocket message carries."""

    type_name = ""
    type_byte = 0

    def _read(self, reader: Reader) -> Message:
        return read_fields(type(self), reader)  # type: ignore[no-any-return]

    def _write(self, writer: Writer) -> None:
        write_fields(self, writer)

    def to_bytes(self) -> bytes:
        writer = Writer()
        writer.u8(self.type_byte)
        self._write(writer)
        return bytes(writer.data)

    def to_json(self) -> dict[str, Any]:
        """The message as a value that `json` writes."""
        return {"type": self.type_name, **fields_to_json(self)}

    def to_text(self) -> str:
        """The message as JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


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


@dataclass
class Snapshot(Message):
    epoch: int = field(U64(), 0)
    tick: int = field(U64(), 0)
    chunk_index: int = field(U32, 0)
    chunk_count: int = field(U32, 1)
    deflated: bool = field(Flag(), False)
    state_hash: int = field(Fixed64(), 0)
    views: list[View] = field(Views(), list)

    def broken_rule(self) -> str | None:
        if self.chunk_count > CHUNKS:
            return "too many chunks"
        return None if self.chunk_index < self.chunk_count else "a chunk beyond the last"

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
    tick: int = field(U64(), 0)
    base_distance: int = field(U64(), 1)
    durable_distance: int = field(U64(), 1)
    body: Body = field(BodyKind(), Body)

    @property
    def base_tick(self) -> int:
        return self.tick - self.base_distance

    def broken_rule(self) -> str | None:
        return "a tick before the first" if max(self.base_distance, self.durable_distance) > self.tick else None

    def _read(self, reader: Reader) -> Message:
        tick = reader.varint()
        body, base, durable = read_body(reader, distances=True)
        frame = Frame(tick, base, durable, body)
        rule = frame.broken_rule()
        if rule:
            raise DecodeError("invalid-value", reader.offset, rule)
        return frame

    def _write(self, writer: Writer) -> None:
        writer.varint(self.tick)
        write_body(self.body, self.base_distance, self.durable_distance, writer)


@dataclass
class Select(Message):
    slot: int = field(Unsigned(8, lambda value: value < SLOTS), 0)
    selection: Selection = field(SelectionKind(), lambda: Selection(1, (0,)))


@dataclass
class Tree(Message):
    tick: int = field(U64(), 0)
    changes: list[Add | Remove | Move] = field(
        ListOf(Tagged("change", False, add=Add, remove=Remove, move=Move), 4 * VIEWS), list
    )


@dataclass
class ContentMessage(Message):
    tick: int = field(U64(), 0)
    changes: list[ContentChange] = field(ListOf(Struct(ContentChange), VIEWS + 1), list)
    invalidations: list[Invalidation] = field(ListOf(Struct(Invalidation), 4 * VIEWS), list)


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


@dataclass
class Trace(Message):
    tick: int = field(U64(), 0)
    events: list[str] = field(Texts(MESSAGE_BYTES, 256), list)


@dataclass
class Keyframe(Message):
    tick: int = field(U64(), 0)
    numbers: list[int] = field(Keyed(), list)


STYLE_KINDS = [(name, kind) for name, _, kind in kinds_of(Style)]
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
        reader.take(length)
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
    extensions = members.pop("extensions", {})
    if not isinstance(extensions, dict):
        raise fail("extensions", "an object")
    for key in extensions:
        if not key.isascii() or not key.isdigit() or int(key) >= 1 << 32:
            raise fail("extensions", "of ids")
        if int(key) & 1:
            raise DecodeError("unknown-extension")
    refuse_rest(members)
    return message
