"""Reads what a journal keeps, from the description of its format alone, with nothing of the server's code.

A row of `groups` is a version (2), then for each record the room's number and the record's length as varints and the record, then a
checksum of 8 bytes. Records are described in Tests/Cluster/scene.py. Checksums are left to `scenesync doctor` and `replay --verify`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BATCH = 2


@dataclass
class Room:
    """What is kept of a room: the numbers of its records, and its ops that set a text, in order."""

    sequences: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    has_snapshot: bool = False


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = data[offset]
        offset += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, offset


def _texts(payload: bytes) -> list[str]:
    batch: dict[str, Any] = json.loads(payload)
    if batch.get("purpose", "ops") != "ops":
        return []
    return [op["text"] for op in batch["ops"] if op.get("op") == "setView" and "text" in op]


def _take(room: Room, record: bytes) -> None:
    kind = record[1]
    sequence, offset = _varint(record, 2)
    for _ in range(2):
        _, offset = _varint(record, offset)
    length, offset = _varint(record, offset + 8)
    # A compaction leaves some records of a group.
    room.sequences.append(sequence)
    if kind == BATCH:
        room.texts += _texts(record[offset : offset + length])
    else:
        room.has_snapshot = True


def read_journal(folder: Path) -> dict[str, Room]:
    """The rooms of a data folder's journal; raises sqlite3.Error where it is no database."""
    if not (folder / "journal.sqlite").exists():
        return {}
    with contextlib.closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as database:
        names = dict(database.execute("SELECT id, name FROM rooms"))
        rooms = {number: Room() for number in names}
        for (data,) in database.execute("SELECT data FROM groups ORDER BY id"):
            offset = 1
            while offset < len(data) - 8:
                number, offset = _varint(data, offset)
                length, offset = _varint(data, offset)
                if number in rooms:
                    _take(rooms[number], data[offset : offset + length])
                offset += length
        fault = database.execute("PRAGMA integrity_check").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(fault)
    return {names[number]: room for number, room in rooms.items()}
