"""Bytes and bits of SPEC section 4: cursors that read and write them."""

from __future__ import annotations

import struct

from .errors import DecodeError

RICE_ESCAPE = 16


def zigzag(value: int) -> int:
    """0, -1, 1, -2 become 0, 1, 2, 3."""
    return (value << 1 ^ value >> 31) & 0xFFFFFFFF


def unzigzag(value: int) -> int:
    """The reverse of `zigzag`."""
    return (value >> 1) ^ -(value & 1)


def wrap32(value: int) -> int:
    """The signed 32-bit integer that is equal modulo 2^32."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class Writer:
    """Appends fields to bytes."""

    def __init__(self) -> None:
        self.data = bytearray()

    def u8(self, value: int) -> None:
        self.data.append(value)

    def varint(self, value: int) -> None:
        while value >= 0x80:
            self.data.append(value & 0x7F | 0x80)
            value >>= 7
        self.data.append(value)

    def zigzag(self, value: int) -> None:
        self.varint(zigzag(value))

    def fixed64(self, value: int) -> None:
        self.data += struct.pack("<Q", value)

    def f64(self, value: float) -> None:
        self.data += struct.pack("<d", value)

    def text(self, value: str) -> None:
        encoded = value.encode()
        self.varint(len(encoded))
        self.data += encoded


class Reader:
    """Takes fields from bytes; anything that is not right is a `DecodeError`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    @property
    def remaining(self) -> int:
        return len(self.data) - self.offset

    def take(self, count: int) -> bytes:
        if count > self.remaining:
            raise DecodeError("truncated", self.offset)
        start = self.offset
        self.offset += count
        return self.data[start : self.offset]

    def u8(self) -> int:
        return self.take(1)[0]

    def varint(self, bits: int = 64) -> int:
        start = self.offset
        result = shift = 0
        while True:
            byte = self.u8()
            low = byte & 0x7F
            too_long = shift >= bits or (shift + 7 > bits and low >> (bits - shift) != 0)
            if too_long or (byte == 0 and shift > 0):
                raise DecodeError("malformed-varint", start)
            result |= low << shift
            if byte < 0x80:
                return result
            shift += 7

    def u32(self) -> int:
        return self.varint(32)

    def zigzag(self) -> int:
        return unzigzag(self.u32())

    def fixed64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def f64(self) -> float:
        start = self.offset
        value: float = struct.unpack("<d", self.take(8))[0]
        if value != value or value in (float("inf"), float("-inf")):
            raise DecodeError("invalid-value", start)
        return value

    def flag(self) -> bool:
        start = self.offset
        value = self.u8()
        if value > 1:
            raise DecodeError("invalid-value", start)
        return value == 1

    def count(self, maximum: int, bytes_each: int = 1) -> int:
        """A count, held against the limit and against what is left before anything is made of it."""
        start = self.offset
        count = self.u32()
        if count > maximum:
            raise DecodeError("too-many", start)
        if count * bytes_each > self.remaining:
            raise DecodeError("truncated", self.offset)
        return count

    def text(self, maximum: int) -> str:
        data = self.take(self.count(maximum))
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise DecodeError("invalid-utf8", self.offset - len(data)) from None


class BitWriter:
    """Bits from the lowest of each byte on."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.value = 0
        self.count = 0

    def put(self, value: int, count: int) -> None:
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.writer.u8(self.value & 0xFF)
            self.value >>= 8
            self.count -= 8

    def rice(self, value: int, parameter: int) -> None:
        ones = value >> parameter
        if ones < RICE_ESCAPE:
            self.put((1 << ones) - 1, ones + 1)
            self.put(value & (1 << parameter) - 1, parameter)
        else:
            self.put((1 << RICE_ESCAPE) - 1, RICE_ESCAPE)
            self.put(value, 32)

    def short(self, value: int) -> None:
        """A number of at most three: so many ones, and a zero unless they are three."""
        self.put((1 << value) - 1, min(value + 1, 3))

    def finish(self) -> None:
        if self.count:
            self.writer.u8(self.value)
            self.value = self.count = 0


class BitReader:
    """The reverse of `BitWriter`."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.value = 0
        self.count = 0

    def bit(self) -> int:
        if self.count == 0:
            self.value = self.reader.u8()
            self.count = 8
        bit = self.value & 1
        self.value >>= 1
        self.count -= 1
        return bit

    def bits(self, count: int) -> int:
        return sum(self.bit() << place for place in range(count))

    def rice(self, parameter: int) -> int:
        start = self.reader.offset
        ones = 0
        while ones < RICE_ESCAPE and self.bit():
            ones += 1
        if ones < RICE_ESCAPE:
            return ones << parameter | self.bits(parameter)
        value = self.bits(32)
        if value >> parameter < RICE_ESCAPE:
            raise DecodeError("malformed-varint", start)
        return value

    def short(self) -> int:
        ones = 0
        while ones < 3 and self.bit():
            ones += 1
        return ones

    def finish(self) -> None:
        if self.value:
            raise DecodeError("invalid-value", self.reader.offset)
