"""Kinds of fields: how each stands in bytes and in JSON.

A message is a dataclass whose fields carry a kind (see `field`), in the order of SPEC section 6, so one description
serves both formats and both directions. Values of a kind are what its `read` gives.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from typing import Any

from .bits import Reader, Writer
from .errors import DecodeError
from .strictjson import parse_json

MESSAGE_BYTES = 1 << 20
INFLATED_BYTES = 1 << 22
VIEWS = 10_000
CONSTRAINTS = 50_000
OPS = 10_000
TEXT_BYTES = 65_536
NUMBERS = 1 << 20
ID_BYTES = 64
NAME_BYTES = 256
TOKEN_BYTES = 4096
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")


def fail(name: str, expected: str) -> DecodeError:
    return DecodeError("field", detail=f"{name} has to be {expected}")


class Kind:
    """One kind of field."""

    inline = False  # Whether its JSON members stand in the object around it.
    optional = False  # Whether its member may be left out.

    def read(self, reader: Reader) -> Any:
        raise NotImplementedError

    def write(self, writer: Writer, value: Any) -> None:
        raise NotImplementedError

    def to_json(self, value: Any) -> Any:
        return value

    def from_json(self, value: Any, name: str) -> Any:
        raise NotImplementedError


def integer(value: Any, low: int, high: int, name: str) -> int:
    """A JSON number without a fraction, as doubles hold it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fail(name, "an integer")
    exact = int(float(value)) if abs(value) > 1 << 53 else value
    if exact != int(exact) or not low <= exact <= high:
        raise fail(name, f"an integer in {low}…{high}")
    return int(exact)


def array(value: Any, maximum: int, name: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > maximum:
        raise fail(name, f"a list of at most {maximum}")
    return value


class Unsigned(Kind):
    """u8, or a varint of 32 bits."""

    def __init__(self, bits: int, check: Callable[[int], bool] = lambda _: True) -> None:
        self.bits = bits
        self.check = check

    def read(self, reader: Reader) -> int:
        start = reader.offset
        value = reader.u8() if self.bits == 8 else reader.varint(self.bits)
        if not self.check(value):
            raise DecodeError("invalid-value", start)
        return value

    def write(self, writer: Writer, value: int) -> None:
        writer.u8(value) if self.bits == 8 else writer.varint(value)

    def from_json(self, value: Any, name: str) -> int:
        number = integer(value, 0, (1 << self.bits) - 1, name)
        if not self.check(number):
            raise fail(name, "in its range")
        return number


class U64(Kind):
    """A varint; beyond 2^53 decimal digits in JSON."""

    def read(self, reader: Reader) -> int:
        return reader.varint()

    def write(self, writer: Writer, value: int) -> None:
        writer.varint(value)

    def to_json(self, value: int) -> Any:
        return value if value <= 1 << 53 else str(value)

    def from_json(self, value: Any, name: str) -> int:
        if isinstance(value, str):
            if re.fullmatch(r"[1-9][0-9]{15,19}", value, re.ASCII) and 1 << 53 < int(value) < 1 << 64:
                return int(value)
            raise fail(name, "an integer")
        return integer(value, 0, 1 << 53, name)


class Fixed64(Kind):
    """Eight bytes; 16 hexadecimal digits in JSON."""

    def read(self, reader: Reader) -> int:
        return reader.fixed64()

    def write(self, writer: Writer, value: int) -> None:
        writer.fixed64(value)

    def to_json(self, value: int) -> str:
        return f"{value:016x}"

    def from_json(self, value: Any, name: str) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{16}", value, re.ASCII):
            raise fail(name, "16 hexadecimal digits")
        return int(value, 16)


class F64(Kind):
    """A finite double."""

    def read(self, reader: Reader) -> float:
        return reader.f64()

    def write(self, writer: Writer, value: float) -> None:
        writer.f64(value)

    def from_json(self, value: Any, name: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise fail(name, "a number")
        return float(value)


class Flag(Kind):
    def read(self, reader: Reader) -> bool:
        return reader.flag()

    def write(self, writer: Writer, value: bool) -> None:
        writer.u8(1 if value else 0)

    def from_json(self, value: Any, name: str) -> bool:
        if not isinstance(value, bool):
            raise fail(name, "true or false")
        return value


class Text(Kind):
    def __init__(self, maximum: int, check: Callable[[str], bool] = lambda _: True) -> None:
        self.maximum = maximum
        self.check = check

    def read(self, reader: Reader) -> str:
        start = reader.offset
        value = reader.text(self.maximum)
        if not self.check(value):
            raise DecodeError("invalid-value", start)
        return value

    def write(self, writer: Writer, value: str) -> None:
        writer.text(value)

    def from_json(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or len(value.encode()) > self.maximum or not self.check(value):
            raise fail(name, f"a text of at most {self.maximum} bytes")
        return value


class Texts(Kind):
    def __init__(self, maximum: int, text_maximum: int) -> None:
        self.maximum = maximum
        self.text = Text(text_maximum)

    def read(self, reader: Reader) -> list[str]:
        return [self.text.read(reader) for _ in range(reader.count(self.maximum))]

    def write(self, writer: Writer, value: list[str]) -> None:
        writer.varint(len(value))
        for text in value:
            writer.text(text)

    def from_json(self, value: Any, name: str) -> list[str]:
        return [self.text.from_json(text, name) for text in array(value, self.maximum, name)]


class Choice(Kind):
    """One byte: the place among the names."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def read(self, reader: Reader) -> str:
        start = reader.offset
        index = reader.u8()
        if index >= len(self.names):
            raise DecodeError("invalid-value", start)
        return self.names[index]

    def write(self, writer: Writer, value: str) -> None:
        writer.u8(self.names.index(value))

    def from_json(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in self.names:
            raise fail(name, "one of " + ", ".join(self.names))
        return value


class Integers(Kind):
    """A fixed number of zigzag varints; a list in JSON."""

    def __init__(self, count: int) -> None:
        self.count = count

    def read(self, reader: Reader) -> tuple[int, ...]:
        return tuple(reader.zigzag() for _ in range(self.count))

    def write(self, writer: Writer, value: tuple[int, ...]) -> None:
        for number in value:
            writer.zigzag(number)

    def to_json(self, value: tuple[int, ...]) -> list[int]:
        return list(value)

    def from_json(self, value: Any, name: str) -> tuple[int, ...]:
        if len(array(value, self.count, name)) != self.count:
            raise fail(name, f"{self.count} integers")
        return tuple(integer(number, -(1 << 31), (1 << 31) - 1, name) for number in value)


class Doubles(Kind):
    """A fixed number of doubles; a list in JSON."""

    def __init__(self, count: int) -> None:
        self.count = count

    def read(self, reader: Reader) -> tuple[float, ...]:
        return tuple(reader.f64() for _ in range(self.count))

    def write(self, writer: Writer, value: tuple[float, ...]) -> None:
        for number in value:
            writer.f64(number)

    def to_json(self, value: tuple[float, ...]) -> list[float]:
        return list(value)

    def from_json(self, value: Any, name: str) -> tuple[float, ...]:
        if len(array(value, self.count, name)) != self.count:
            raise fail(name, f"{self.count} numbers")
        return tuple(F64().from_json(number, name) for number in value)


class MaybeColor(Kind):
    """A colour `#rrggbb[aa]`, or None."""

    optional = True

    def read(self, reader: Reader) -> str | None:
        if not reader.flag():
            return None
        digits = reader.take(4).hex()
        return "#" + (digits[:6] if digits.endswith("ff") else digits)

    def write(self, writer: Writer, value: str | None) -> None:
        if value is None:
            writer.u8(0)
        else:
            writer.u8(1)
            writer.data += bytes.fromhex((value[1:] + "ff")[:8])

    def from_json(self, value: Any, name: str) -> str:
        if not isinstance(value, str) or not re.fullmatch(r"#([0-9a-fA-F]{2}){3,4}", value, re.ASCII):
            raise fail(name, "#rrggbb or #rrggbbaa")
        digits = (value[1:].lower() + "ff")[:8]
        return "#" + (digits[:6] if digits.endswith("ff") else digits)


class MaybeNumber(Kind):
    """A view's number, or None."""

    optional = True

    def read(self, reader: Reader) -> int | None:
        start = reader.offset
        value = reader.u32()
        if value > NUMBERS:
            raise DecodeError("invalid-value", start)
        return value - 1 if value else None

    def write(self, writer: Writer, value: int | None) -> None:
        writer.varint(0 if value is None else value + 1)

    def from_json(self, value: Any, name: str) -> int:
        return integer(value, 0, NUMBERS - 1, name)


class Struct(Kind):
    """A dataclass of its own."""

    def __init__(self, cls: type[Any]) -> None:
        self.cls = cls

    def read(self, reader: Reader) -> Any:
        return read_fields(self.cls, reader)

    def write(self, writer: Writer, value: Any) -> None:
        write_fields(value, writer)

    def to_json(self, value: Any) -> Any:
        return fields_to_json(value)

    def from_json(self, value: Any, name: str) -> Any:
        if not isinstance(value, dict):
            raise fail(name, "an object")
        members = dict(value)
        result = fields_from_json(self.cls, members)
        refuse_rest(members)
        return result


class Maybe(Kind):
    """A flag, then a value if it is 1."""

    optional = True

    def __init__(self, cls: type[Any]) -> None:
        self.struct = Struct(cls)

    def read(self, reader: Reader) -> Any:
        return self.struct.read(reader) if reader.flag() else None

    def write(self, writer: Writer, value: Any) -> None:
        writer.u8(0 if value is None else 1)
        if value is not None:
            self.struct.write(writer, value)

    def to_json(self, value: Any) -> Any:
        return self.struct.to_json(value)

    def from_json(self, value: Any, name: str) -> Any:
        return self.struct.from_json(value, name)


class ListOf(Kind):
    """A count, then that many values."""

    def __init__(self, kind: Kind, maximum: int) -> None:
        self.kind = kind
        self.maximum = maximum

    def read(self, reader: Reader) -> list[Any]:
        return [self.kind.read(reader) for _ in range(reader.count(self.maximum))]

    def write(self, writer: Writer, value: list[Any]) -> None:
        writer.varint(len(value))
        for element in value:
            self.kind.write(writer, element)

    def to_json(self, value: list[Any]) -> list[Any]:
        return [self.kind.to_json(element) for element in value]

    def from_json(self, value: Any, name: str) -> list[Any]:
        return [self.kind.from_json(element, name) for element in array(value, self.maximum, name)]


class Tagged(Kind):
    """A choice, then the fields of one of several dataclasses; JSON members beside one another."""

    def __init__(self, tag: str, inline: bool, **classes: type[Any]) -> None:
        self.tag = tag
        self.classes = classes
        self.choice = Choice(*classes)
        self.inline = inline

    def _name(self, value: Any) -> str:
        return next(name for name, cls in self.classes.items() if type(value) is cls)

    def read(self, reader: Reader) -> Any:
        return read_fields(self.classes[self.choice.read(reader)], reader)

    def write(self, writer: Writer, value: Any) -> None:
        self.choice.write(writer, self._name(value))
        write_fields(value, writer)

    def to_json(self, value: Any) -> dict[str, Any]:
        return {self.tag: self._name(value), **fields_to_json(value)}

    def from_json(self, value: Any, name: str) -> Any:
        """Takes its members out of the object if it stands inline."""
        if not isinstance(value, dict):
            raise fail(name, "an object")
        members = value if self.inline else dict(value)
        if self.tag not in members:
            raise fail(self.tag, "there")
        cls = self.classes[self.choice.from_json(members.pop(self.tag), self.tag)]
        result = fields_from_json(cls, members)
        if not self.inline:
            refuse_rest(members)
        return result


class JSONText(Kind):
    """Any JSON, as a text of the binary format."""

    def read(self, reader: Reader) -> Any:
        return parse_json(reader.take(reader.count(MESSAGE_BYTES)))

    def write(self, writer: Writer, value: Any) -> None:
        writer.text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def from_json(self, value: Any, name: str) -> Any:
        return value


# --- Fields of dataclasses -----------------------------------------------------------------------------------------


def field(kind: Kind, default: Any = dataclasses.MISSING) -> Any:
    """A dataclass field with its kind; mutable defaults are given as functions."""
    if callable(default):
        return dataclasses.field(default_factory=default, metadata={"kind": kind})
    return dataclasses.field(default=default, metadata={"kind": kind})


def kinds_of(cls: type[Any]) -> list[tuple[str, str, Kind]]:
    """Python name, JSON name and kind of each field."""
    cached = cls.__dict__.get("_kinds")
    if cached is None:
        cached = [
            (f.name, re.sub(r"_([a-z0-9])", lambda m: m[1].upper(), f.name), f.metadata["kind"])
            for f in dataclasses.fields(cls)
            if "kind" in f.metadata
        ]
        cls._kinds = cached
    return cached


def read_fields(cls: type[Any], reader: Reader) -> Any:
    values = {name: kind.read(reader) for name, _, kind in kinds_of(cls)}
    return check(cls(**values), reader.offset)


def write_fields(value: Any, writer: Writer) -> None:
    for name, _, kind in kinds_of(type(value)):
        kind.write(writer, getattr(value, name))


def fields_to_json(value: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, key, kind in kinds_of(type(value)):
        content = getattr(value, name)
        if kind.inline:
            result.update(kind.to_json(content))
        elif not (kind.optional and content is None):
            result[key] = kind.to_json(content)
    return result


def fields_from_json(cls: type[Any], members: dict[str, Any]) -> Any:
    """Takes the members of the fields out of `members`."""
    values: dict[str, Any] = {}
    for name, key, kind in kinds_of(cls):
        if kind.inline:
            values[name] = kind.from_json(members, key)
        elif key in members:
            values[name] = kind.from_json(members.pop(key), key)
        elif kind.optional:
            values[name] = None
        else:
            raise fail(key, "there")
    return check(cls(**values), None)


def check(value: Any, offset: int | None) -> Any:
    """Holds a value against the rules between its fields, if its class has any."""
    rule = getattr(value, "broken_rule", None)
    broken = rule() if rule else None
    if broken:
        raise DecodeError("invalid-value" if offset is not None else "field", offset, broken)
    return value


def refuse_rest(members: dict[str, Any]) -> None:
    for key in members:
        raise fail(key, "left out, as nobody knows it")
