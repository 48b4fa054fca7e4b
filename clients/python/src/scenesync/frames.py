"""Frame diffs (SPEC section 8): groups, rows, and the sets of view numbers in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .bits import BitReader, BitWriter, Reader, Writer, unzigzag, zigzag
from .errors import DecodeError
from .kinds import NUMBERS, VIEWS, Kind, array, fail, integer, refuse_rest

SLOTS = 64
DIFFERENCES = 8
X, Y, WIDTH, HEIGHT = 1, 2, 4, 8


def bit_count(mask: int) -> int:
    return bin(mask).count("1")


@dataclass(frozen=True)
class Selection:
    """Views that change together (numbers ascending), and which of their numbers do."""

    mask: int
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Views that change by the same deltas: those of a slot, or a new selection."""

    deltas: tuple[int, ...]
    slot: int | None = None
    selection: Selection | None = None
    stores: bool = False


@dataclass(frozen=True)
class Row:
    """One view; `values` are deltas, or new values in an absolute row."""

    number: int
    mask: int
    values: tuple[int, ...]


@dataclass
class Body:
    """The changes of one frame; `cites_differences`: the deltas of citations are added to the last ones of their slots."""

    groups: list[Group] = dataclasses.field(default_factory=list)
    rows: list[Row] = dataclasses.field(default_factory=list)
    absolute_rows: list[Row] = dataclasses.field(default_factory=list)
    cites_differences: bool = False


# --- Sets of numbers -----------------------------------------------------------------------------------------------


def runs_of(numbers: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """First, length and stride of greedy runs: neighbours from two on, equal steps from three on."""
    runs = []
    index = 0
    while index < len(numbers):
        end = index + 1
        step = 1
        if end < len(numbers):
            step = numbers[end] - numbers[index]
            while end < len(numbers) and numbers[end] - numbers[end - 1] == step:
                end += 1
            if step > 1 and end - index < 3:
                end, step = index + 1, 1
        runs.append((numbers[index], end - index, step))
        index = end
    return runs


def write_runs(numbers: tuple[int, ...]) -> bytes:
    writer = Writer()
    runs = runs_of(numbers)
    writer.varint(len(runs))
    following = 0
    for first, length, stride in runs:
        writer.varint(first - following)
        writer.varint((length - 1) << 1 | (stride > 1))
        if stride > 1:
            writer.varint(stride - 2)
        following = first + (length - 1) * stride + 1
    return bytes(writer.data)


def write_gaps(numbers: tuple[int, ...]) -> bytes:
    writer = Writer()
    writer.varint(len(numbers))
    following = 0
    for number in numbers:
        writer.varint(number - following)
        following = number + 1
    return bytes(writer.data)


def write_bitmap(numbers: tuple[int, ...]) -> bytes:
    bits = sum(1 << number - numbers[0] for number in numbers)
    writer = Writer()
    writer.varint(numbers[0])
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    writer.varint(len(data))
    return bytes(writer.data) + data


def read_set(form: int, maximum: int, reader: Reader) -> tuple[int, ...]:
    start = reader.offset
    if form == 0:
        numbers = list(read_runs(maximum, reader))
    elif form == 1:
        numbers = list(read_gaps(maximum, reader))
    elif form == 2:
        numbers = list(read_bitmap(maximum, reader))
    else:
        raise DecodeError("invalid-value", start)
    if not numbers:
        raise DecodeError("malformed-selection", start)
    return tuple(numbers)


def read_runs(maximum: int, reader: Reader) -> Iterator[int]:
    following = total = 0
    for _ in range(reader.count(maximum, 2)):
        start = reader.offset
        first = following + reader.u32()
        head = reader.u32()
        length = (head >> 1) + 1
        stride = reader.u32() + 2 if head & 1 else 1
        if length > maximum - total:
            raise DecodeError("too-many", start)
        last = first + (length - 1) * stride
        if last >= NUMBERS or (head & 1 and length == 1):
            raise DecodeError("malformed-selection", start)
        total += length
        following = last + 1
        yield from range(first, last + 1, stride)


def read_gaps(maximum: int, reader: Reader) -> Iterator[int]:
    following = 0
    for _ in range(reader.count(maximum)):
        start = reader.offset
        number = following + reader.u32()
        if number >= NUMBERS:
            raise DecodeError("malformed-selection", start)
        yield number
        following = number + 1


def read_bitmap(maximum: int, reader: Reader) -> Iterator[int]:
    start = reader.offset
    first = reader.u32()
    data = reader.take(reader.count(NUMBERS // 8 + 1))
    if not data or data[0] & 1 == 0 or data[-1] == 0:
        raise DecodeError("malformed-selection", start)
    total = 0
    for place, byte in enumerate(data):
        for bit in range(8):
            if byte >> bit & 1:
                number = first + place * 8 + bit
                if number >= NUMBERS:
                    raise DecodeError("malformed-selection", start)
                if total == maximum:
                    raise DecodeError("too-many", start)
                total += 1
                yield number


def write_selection(selection: Selection, stores: bool, writer: Writer) -> None:
    forms = [write(selection.numbers) for write in (write_runs, write_gaps, write_bitmap)]
    form = min(range(3), key=lambda place: len(forms[place]))
    writer.u8(selection.mask | form << 4 | (0x40 if stores else 0))
    writer.data += forms[form]


def read_new_selection(head: int, start: int, budget: int, reader: Reader) -> Selection:
    if head & 15 == 0:
        raise DecodeError("malformed-selection", start)
    return Selection(head & 15, read_set(head >> 4 & 3, budget, reader))


class SelectionKind(Kind):
    """The selection of a `select` message."""

    def read(self, reader: Reader) -> Selection:
        start = reader.offset
        head = reader.u8()
        if head & 0xC0 != 0x40:
            raise DecodeError("invalid-value", start)
        return read_new_selection(head, start, VIEWS + 1, reader)

    def write(self, writer: Writer, value: Selection) -> None:
        write_selection(value, True, writer)

    def to_json(self, value: Selection) -> dict[str, Any]:
        return {"mask": value.mask, "numbers": list(value.numbers)}

    def from_json(self, value: Any, name: str) -> Selection:
        members = dict(_object(value, name))
        selection = selection_from_json(members)
        refuse_rest(members)
        return selection


class DeltasKind(Kind):
    """One to four numbers; how many, the mask of a selection beside them says."""

    def read(self, reader: Reader) -> tuple[int, ...]:
        raise NotImplementedError("read with the selection")

    def write(self, writer: Writer, value: tuple[int, ...]) -> None:
        for delta in value:
            writer.zigzag(delta)

    def to_json(self, value: tuple[int, ...]) -> list[int]:
        return list(value)

    def from_json(self, value: Any, name: str) -> tuple[int, ...]:
        return tuple(integer(v, -(1 << 31), (1 << 31) - 1, name) for v in array(value, 4, name))


# --- Bodies --------------------------------------------------------------------------------------------------------


def rice_parameter(values: list[int]) -> int:
    scaled = sum(values) * 11 // (len(values) * 16) if values else 0
    return min(15, max(0, scaled.bit_length() - 1))


def write_rows(rows: list[Row], writer: Writer) -> None:
    masks = {row.mask for row in rows}
    common = rows[0].mask if len(masks) == 1 else 0
    gaps = []
    following = 0
    for row in rows:
        gaps.append(row.number - following)
        following = row.number + 1
    gap_parameter = rice_parameter(gaps)
    parameter = rice_parameter([zigzag(value) for row in rows for value in row.values])
    writer.varint(len(rows))
    writer.u8(common)
    writer.u8(gap_parameter | parameter << 4)
    bits = BitWriter(writer)
    for gap, row in zip(gaps, rows):
        bits.rice(gap, gap_parameter)
        if not common:
            bits.put(row.mask, 4)
        for value in row.values:
            bits.rice(zigzag(value), parameter)
    bits.finish()


def section_count(reader: Reader, bytes_each: int) -> int:
    start = reader.offset
    count = reader.count(VIEWS + 1, bytes_each)
    if count == 0:
        raise DecodeError("invalid-value", start)
    return count


def read_rows(reader: Reader) -> list[Row]:
    start = reader.offset
    count = section_count(reader, 0)
    if (count + 3) // 4 > reader.remaining:
        raise DecodeError("truncated", reader.offset)
    common = reader.u8()
    if common > 15:
        raise DecodeError("invalid-value", start)
    parameters = reader.u8()
    bits = BitReader(reader)
    rows = []
    following = 0
    for _ in range(count):
        start = reader.offset
        number = following + bits.rice(parameters & 15)
        mask = common or bits.bits(4)
        if mask == 0 or number >= NUMBERS:
            raise DecodeError("malformed-selection", start)
        values = tuple(unzigzag(bits.rice(parameters >> 4)) for _ in range(bit_count(mask)))
        rows.append(Row(number, mask, values))
        following = number + 1
    bits.finish()
    return rows


def write_body(body: Body, base: int, durable: int, writer: Writer) -> None:
    near = base == 1 and durable == 1
    if near and not body.cites_differences and len(body.groups) == 1 and not body.rows and not body.absolute_rows:
        group = body.groups[0]
        if group.slot is not None and len(group.deltas) <= 2:
            writer.u8(0x80 | (0x40 if len(group.deltas) == 2 else 0) | group.slot)
            for delta in group.deltas:
                writer.zigzag(delta)
            return
    cited = [group for group in body.groups if group.slot is not None]
    new = [group for group in body.groups if group.slot is None]
    flags = (0 if near else 0x40) | (1 if new else 0) | (2 if cited else 0)
    flags |= (0x10 if body.rows else 0) | (0x20 if body.absolute_rows else 0)
    writer.u8(flags)
    if not near:
        writer.varint(base)
        writer.varint(durable)
    if cited:
        write_citations(cited, body.cites_differences, writer)
    if new:
        writer.varint(len(new))
    for group in new:
        if group.selection is not None:
            write_selection(group.selection, group.stores, writer)
        for delta in group.deltas:
            writer.zigzag(delta)
    for rows in (body.rows, body.absolute_rows):
        if rows:
            write_rows(rows, writer)


def write_citations(groups: list[Group], differences: bool, writer: Writer) -> None:
    gaps = []
    following = 0
    for group in groups:
        gaps.append((group.slot or 0) - following)
        following = (group.slot or 0) + 1
    gap_parameter = rice_parameter(gaps)
    parameter = rice_parameter([zigzag(delta) for group in groups for delta in group.deltas])
    writer.varint(len(groups))
    writer.u8(gap_parameter | (DIFFERENCES if differences else 0) | parameter << 4)
    bits = BitWriter(writer)
    for gap, group in zip(gaps, groups):
        bits.rice(gap, gap_parameter)
        bits.short(len(group.deltas) - 1)
        for delta in group.deltas:
            bits.rice(zigzag(delta), parameter)
    bits.finish()


def read_citations(reader: Reader) -> tuple[list[Group], bool]:
    """Citations, and whether their deltas are differences."""
    start = reader.offset
    count = reader.count(SLOTS, 0)
    if count == 0:
        raise DecodeError("invalid-value", start)
    if (3 * count + 7) // 8 > reader.remaining:
        raise DecodeError("truncated", reader.offset)
    parameters = reader.u8()
    bits = BitReader(reader)
    groups = []
    following = 0
    for _ in range(count):
        start = reader.offset
        slot = following + bits.rice(parameters & 7)
        if slot >= SLOTS:
            raise DecodeError("malformed-selection", start)
        size = bits.short() + 1
        groups.append(Group(tuple(unzigzag(bits.rice(parameters >> 4)) for _ in range(size)), slot))
        following = slot + 1
    bits.finish()
    return groups, parameters & DIFFERENCES != 0


def read_body(reader: Reader, distances: bool) -> tuple[Body, int, int]:
    """A body, and the distances of a frame."""
    start = reader.offset
    flags = reader.u8()
    if flags & 0x80:
        deltas = tuple(reader.zigzag() for _ in range(2 if flags & 0x40 else 1))
        return Body([Group(deltas, slot=flags & 63)]), 1, 1
    base = durable = 1
    if flags & 0x40:
        if not distances:
            raise DecodeError("invalid-value", start)
        base, durable = reader.varint(), reader.varint()
    if flags & 0x0C:
        raise DecodeError("invalid-value", start)
    body = Body()
    if flags & 2:
        body.groups, body.cites_differences = read_citations(reader)
    budget = VIEWS + 1
    for _ in range(section_count(reader, 2) if flags & 1 else 0):
        start = reader.offset
        head = reader.u8()
        if head & 0x80:
            raise DecodeError("invalid-value", start)
        selection = read_new_selection(head, start, budget, reader)
        budget -= len(selection.numbers)
        deltas = tuple(reader.zigzag() for _ in range(bit_count(selection.mask)))
        body.groups.append(Group(deltas, None, selection, bool(head & 0x40)))
    if flags & 0x10:
        body.rows = read_rows(reader)
    if flags & 0x20:
        body.absolute_rows = read_rows(reader)
    return body, base, durable


class BodyKind(Kind):
    """The body of an animation."""

    def read(self, reader: Reader) -> Body:
        return read_body(reader, distances=False)[0]

    def write(self, writer: Writer, value: Body) -> None:
        write_body(value, 1, 1, writer)

    def to_json(self, value: Body) -> dict[str, Any]:
        return {
            "citesDifferences": value.cites_differences,
            "groups": [group_to_json(group) for group in value.groups],
            "rows": [row_to_json(row, "deltas") for row in value.rows],
            "absoluteRows": [row_to_json(row, "values") for row in value.absolute_rows],
        }

    def from_json(self, value: Any, name: str) -> Body:
        members = dict(_object(value, name))
        body = Body()
        body.cites_differences = _take(members, "citesDifferences")
        if not isinstance(body.cites_differences, bool):
            raise fail("citesDifferences", "true or false")
        budget = VIEWS + 1
        following = 0
        for element in _array(members, "groups", VIEWS + 1):
            group = group_from_json(element)
            if group.slot is not None and group.slot < following:
                raise fail("groups", "citations first, in the order of their slots")
            following = SLOTS if group.slot is None else group.slot + 1
            budget -= len(group.selection.numbers) if group.selection else 0
            if budget < 0:
                raise fail("groups", "of each view once")
            body.groups.append(group)
        if body.cites_differences and (not body.groups or body.groups[0].slot is None):
            raise fail("citesDifferences", "false without citations")
        body.rows = rows_from_json(members, "rows", "deltas")
        body.absolute_rows = rows_from_json(members, "absoluteRows", "values")
        refuse_rest(members)
        return body


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise fail(name, "an object")
    return value


def _take(members: dict[str, Any], name: str) -> Any:
    if name not in members:
        raise fail(name, "there")
    return members.pop(name)


def _array(members: dict[str, Any], name: str, maximum: int) -> list[Any]:
    return array(_take(members, name), maximum, name)


def _int32s(members: dict[str, Any], name: str) -> tuple[int, ...]:
    return tuple(integer(v, -(1 << 31), (1 << 31) - 1, name) for v in _array(members, name, 4))


def selection_from_json(members: dict[str, Any]) -> Selection:
    mask = integer(_take(members, "mask"), 1, 15, "mask")
    numbers = tuple(
        integer(number, 0, NUMBERS - 1, "numbers") for number in _array(members, "numbers", VIEWS + 1)
    )
    if not numbers or any(a >= b for a, b in zip(numbers, numbers[1:])):
        raise fail("numbers", "ascending numbers")
    return Selection(mask, numbers)


def group_to_json(group: Group) -> dict[str, Any]:
    if group.selection is None:
        return {"slot": group.slot, "deltas": list(group.deltas)}
    return {
        "mask": group.selection.mask,
        "numbers": list(group.selection.numbers),
        "stores": group.stores,
        "deltas": list(group.deltas),
    }


def group_from_json(value: Any) -> Group:
    members = dict(_object(value, "groups"))
    slot = selection = None
    stores = False
    if "slot" in members:
        slot = integer(members.pop("slot"), 0, SLOTS - 1, "slot")
    else:
        selection = selection_from_json(members)
        stores = _take(members, "stores")
        if not isinstance(stores, bool):
            raise fail("stores", "true or false")
    deltas = _int32s(members, "deltas")
    refuse_rest(members)
    if not deltas or selection and bit_count(selection.mask) != len(deltas):
        raise fail("deltas", "a delta for each bit of the mask")
    return Group(deltas, slot, selection, stores)


def row_to_json(row: Row, key: str) -> dict[str, Any]:
    return {"number": row.number, "mask": row.mask, key: list(row.values)}


def rows_from_json(members: dict[str, Any], name: str, key: str) -> list[Row]:
    rows: list[Row] = []
    for element in _array(members, name, VIEWS + 1):
        row = dict(_object(element, name))
        number = integer(_take(row, "number"), 0, NUMBERS - 1, "number")
        mask = integer(_take(row, "mask"), 1, 15, "mask")
        values = _int32s(row, key)
        refuse_rest(row)
        if len(values) != bit_count(mask):
            raise fail(key, "a number for each bit of the mask")
        if rows and number <= rows[-1].number:
            raise fail(name, "in the order of their numbers")
        rows.append(Row(number, mask, values))
    return rows
