"""Reads and writes messages by `protocol/messages.json` alone, but for the bodies, columns and sets of SPEC.md, sections 7 and 8.

It shows that the model is enough to make a codec from: the valid vectors are read and written with it (clients/python/tests/test_model.py).
See protocol/MESSAGES.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scenesync.bits import Reader, Writer, unzigzag
from scenesync.columns import Views
from scenesync.errors import DecodeError
from scenesync.frames import BodyKind, DeltasKind, SelectionKind, bit_count, read_body, write_body
from scenesync.messages import inflate, read_columns, write_columns

MODEL = json.loads((Path(__file__).parents[1] / "messages.json").read_text())
LIMITS = {each["name"]: each["standard"] for each in MODEL["limits"]}
CHOICES = {each["name"]: each["values"] for each in MODEL["choices"]}
STRUCTURES = {each["name"]: each["fields"] for each in MODEL["structures"]}
MESSAGES = {(each["from"], each["type"]): each for each in MODEL["messages"]}
NAMES = {(each["from"], each["name"]): each for each in MODEL["messages"]}

Field = dict[str, Any]


def bound(value: int | str) -> int:
    """A number, or a formula such as `4 * views` and `views + 1`."""
    if isinstance(value, int):
        return value
    first, *rest = value.split(" ")
    if not rest:
        return int(LIMITS[first])
    return int(first) * int(LIMITS[rest[1]]) if rest[0] == "*" else int(LIMITS[first]) + int(rest[1])


def count(reader: Reader, field: Field) -> int:
    number = reader.varint(32)
    if "maximum" in field and number > bound(field["maximum"]):
        raise DecodeError("too-many", reader.offset)
    if number > reader.remaining:
        raise DecodeError("truncated", reader.offset)
    return number


def in_range(value: Any, field: Field) -> Any:
    if value < field.get("least", value) or value > field.get("most", value):
        raise DecodeError("invalid-value")
    return value


def wide(value: int) -> int | str:
    """A u64 as JSON has it."""
    return value if value <= 1 << 53 else str(value)


# --- Values: from bytes to JSON's values, and back ---------------------------------------------------------------------


def read(reader: Reader, field: Field, before: dict[str, Any]) -> Any:
    kind = field["type"]
    if "count" in field:
        one = {"type": kind}
        return [read(reader, one, before) for _ in range(field["count"])]
    if kind == "u8":
        return in_range(reader.u8(), field)
    if kind == "u32":
        return in_range(reader.varint(32), field)
    if kind == "number":
        return in_range(reader.varint(32), {"most": (1 << 20) - 1})
    if kind == "number?":
        return reader.varint(32) - 1
    if kind == "u64":
        return wide(reader.varint(64))
    if kind == "zigzag":
        return unzigzag(reader.varint(32))
    if kind == "fixed64":
        return f"{int.from_bytes(reader.take(8), 'little'):016x}"
    if kind == "f64":
        return reader.f64()
    if kind == "flag":
        return bool(in_range(reader.u8(), {"most": 1}))
    if kind == "choice":
        values = CHOICES[field["of"]]
        return values[in_range(reader.u8(), {"most": len(values) - 1})]
    if kind == "text":
        return reader.take(count(reader, field)).decode()
    if kind == "json":
        return json.loads(reader.take(count(reader, {"maximum": "messageBytes"})).decode())
    if kind == "colour?":
        if not in_range(reader.u8(), {"most": 1}):
            return None
        digits = reader.take(4).hex()
        return "#" + (digits[:6] if digits.endswith("ff") else digits)
    if kind == "list":
        return [read(reader, field["of"], {}) for _ in range(count(reader, field))]
    if kind == "optional":
        return read(reader, field["of"], {}) if in_range(reader.u8(), {"most": 1}) else None
    if kind == "structure":
        return read_fields(reader, STRUCTURES[field["of"]])
    if kind == "columns":
        columns = inflate(reader) if before["deflated"] else reader
        return Views().to_json(read_columns(columns))
    if kind == "selection":
        return SelectionKind().to_json(SelectionKind().read(reader))
    if kind == "deltas":
        return [reader.zigzag() for _ in range(bit_count(before["selection"]["mask"]))]
    if kind == "body":
        return BodyKind().to_json(BodyKind().read(reader))
    if kind == "numbers":
        numbers: list[int] = []
        for _ in range(count(reader, {"maximum": "views + 1"})):
            number = (numbers[-1] if numbers else -1) + 1 + reader.zigzag()
            numbers.append(in_range(number, {"least": 0, "most": (1 << 20) - 1}))
        return numbers
    raise KeyError(kind)


def read_fields(reader: Reader, fields: list[Field]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields:
        if field["type"] == "frameBody":
            # Its distances stand beside it.
            body, values["baseDistance"], values["durableDistance"] = read_body(reader, distances=True)
            values["body"] = BodyKind().to_json(body)
            continue
        value = read(reader, field, values)
        # What is optional and absent is left out.
        if value is not None and not (field["type"] == "number?" and value < 0) or field["type"] == "json":
            values[field["name"]] = value
        if "cases" in field:
            values |= read_fields(reader, field["cases"][value])
    return values


def decode(data: bytes, sender: str) -> dict[str, Any]:
    """A message as the JSON format has it."""
    reader = Reader(data)
    message = MESSAGES[sender, reader.u8()]
    values = {"type": message["name"], **read_fields(reader, message["fields"])}
    extensions = {each["id"]: each for each in message.get("extensions", [])}
    while reader.remaining:
        extension = reader.varint(32)
        content = Reader(bytes(reader.take(reader.varint(32))))
        if extension in extensions:
            values[extensions[extension]["name"]] = read(content, extensions[extension], {})
        elif extension % 2:
            raise DecodeError("unknown-extension")
    return values


# --- Writing -----------------------------------------------------------------------------------------------------------


def write(writer: Writer, field: Field, value: Any, message: dict[str, Any]) -> None:
    kind = field["type"]
    if "count" in field:
        for each in value:
            write(writer, {"type": kind}, each, message)
    elif kind == "u8" or kind == "flag":
        writer.u8(int(value))
    elif kind in ("u32", "u64", "number"):
        writer.varint(int(value))
    elif kind == "number?":
        writer.varint(0 if value is None else value + 1)
    elif kind == "zigzag":
        writer.zigzag(value)
    elif kind == "fixed64":
        writer.fixed64(int(value, 16))
    elif kind == "f64":
        writer.f64(value)
    elif kind == "choice":
        writer.u8(CHOICES[field["of"]].index(value))
    elif kind == "text":
        writer.text(value)
    elif kind == "json":
        writer.text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    elif kind == "colour?":
        writer.u8(value is not None)
        if value is not None:
            writer.data += bytes.fromhex((value[1:] + "ff")[:8])
    elif kind == "list":
        writer.varint(len(value))
        for each in value:
            write(writer, field["of"], each, message)
    elif kind == "optional":
        writer.u8(value is not None)
        if value is not None:
            write(writer, field["of"], value, message)
    elif kind == "structure":
        write_fields(writer, STRUCTURES[field["of"]], value)
    elif kind == "columns":
        write_columns(Views().from_json(value, "views"), writer)
    elif kind == "selection":
        SelectionKind().write(writer, SelectionKind().from_json(value, "selection"))
    elif kind == "deltas":
        DeltasKind().write(writer, value)
    elif kind == "body":
        BodyKind().write(writer, BodyKind().from_json(value, "body"))
    elif kind == "frameBody":
        distances = (int(message["baseDistance"]), int(message["durableDistance"]))
        write_body(BodyKind().from_json(message["body"], "body"), *distances, writer)
    elif kind == "numbers":
        writer.varint(len(value))
        for previous, number in zip([-1, *value], value):
            writer.zigzag(number - previous - 1)
    else:
        raise KeyError(kind)


def write_fields(writer: Writer, fields: list[Field], values: dict[str, Any]) -> None:
    for field in fields:
        value = values.get(field["name"])
        write(writer, field, value, values)
        if "cases" in field:
            write_fields(writer, field["cases"][value], values)


def encode(message: dict[str, Any], sender: str) -> bytes:
    """The bytes of a message; what is deflated is left as it is."""
    model, writer = NAMES[sender, message["type"]], Writer()
    writer.u8(model["type"])
    write_fields(writer, model["fields"], message)
    for extension in model.get("extensions", []):
        if extension["name"] in message:
            content = Writer()
            write(content, extension, message[extension["name"]], {})
            writer.varint(extension["id"])
            writer.varint(len(content.data))
            writer.data += content.data
    return bytes(writer.data)
