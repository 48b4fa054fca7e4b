"""Reads what a server writes into a shard's journal for a room, from the description of the formats alone.

An entry's first byte tells what it is: 1 a record, 2 a part of one (index and number of parts, 16 bits each, the record's length, 32 bits,
then bytes that are deflated together), 3 the room's deletion, 4 that a snapshot of the room is stored. A record is

    version (1), kind (1 snapshot, 2 batch), sequence, epoch and tick as varints, the checksum of the record before it (8 bytes),
    the payload's length as a varint, the payload, and the FNV-1a hash (64 bits) of all bytes before

and numbers are little-endian. A batch's payload is JSON with the ops.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field


def fnv1a(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


@dataclass
class _Room:
    """How far a room has been read."""

    sequence: int = 0
    checksum: int = 0
    parts: list[bytes] = field(default_factory=list)


class RoomReader:
    """Reads the entries of rooms in order, and holds each record against the one before it."""

    def __init__(self) -> None:
        self._rooms: dict[str, _Room] = {}

    def read(self, name: str, entry: bytes) -> list[tuple[str, int]]:
        """The ops that an entry completes; raises ValueError."""
        room = self._rooms.setdefault(name, _Room())
        match entry[:1]:
            case b"\x01":
                room.parts = []
                return self._record(room, entry[1:])
            case b"\x02":
                return self._part(room, entry)
            case b"\x03":
                self._rooms[name] = _Room()
                return []
            case b"\x04":
                return []
        raise ValueError(f"an entry begins with {entry[:1]!r}")

    def _part(self, room: _Room, entry: bytes) -> list[tuple[str, int]]:
        index, count = (int.from_bytes(entry[start : start + 2], "little") for start in (1, 3))
        if index == 0:
            room.parts = []
        if index != len(room.parts):
            raise ValueError(f"part {index} of a record follows part {len(room.parts)}")
        room.parts.append(entry[9:])
        if len(room.parts) < count:
            return []
        data = zlib.decompress(b"".join(room.parts), wbits=-15)
        room.parts = []
        if len(data) != int.from_bytes(entry[5:9], "little"):
            raise ValueError("a record in parts has another length than it says")
        return self._record(room, data)

    def _record(self, room: _Room, data: bytes) -> list[tuple[str, int]]:
        body = data[:-8]
        checksum = fnv1a(body)
        if int.from_bytes(data[-8:], "little") != checksum:
            raise ValueError("a record's checksum does not fit")
        offset = 2
        numbers = []
        for _ in range(3):
            number, shift = 0, 0
            while True:
                byte = body[offset]
                offset += 1
                number |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            numbers.append(number)
        previous = int.from_bytes(body[offset : offset + 8], "little")
        if (numbers[0], previous) != (room.sequence + 1, room.checksum):
            raise ValueError(f"record {numbers[0]} follows record {room.sequence} of its room, or another one of that number")
        room.sequence, room.checksum = numbers[0], checksum
        if body[1] != 2:
            return []
        offset += 8
        while body[offset] >= 0x80:
            offset += 1
        return self._ops(json.loads(body[offset + 1 :]))

    @staticmethod
    def _ops(batch: dict) -> list[tuple[str, int]]:
        if batch.get("purpose", "ops") != "ops":
            return []
        texts = [op["text"] for op in batch["ops"] if op.get("op") == "setView" and "text" in op]
        # What follows makes it longer.
        return [(session, int(number)) for session, number in (text.split(":")[:2] for text in texts)]
