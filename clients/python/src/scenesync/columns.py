"""The columns of snapshots and keyframes (SPEC sections 6.15 and 7)."""

from __future__ import annotations

import zlib
from typing import Any

from .bits import Reader, Writer, wrap32
from .errors import DecodeError
from .kinds import (
    ID_BYTES,
    IDENTIFIER,
    INFLATED_BYTES,
    MESSAGE_BYTES,
    NUMBERS,
    TEXT_BYTES,
    VIEWS,
    Kind,
    ListOf,
    Struct,
    fail,
    fields_to_json,
    integer,
    kinds_of,
)
from .values import (
    Content,
    Line,
    Style,
    View,
)

STYLE_KINDS = [(name, kind) for name, _, kind in kinds_of(Style)]


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
