"""Reads the records of a shard's journal, and follows their chain.

Written from the description of the format alone (the table in RecordHeader.swift and the cases of a record's content), with nothing of the
server's code. Every record begins with

    offset  size  meaning
    0       4     "SSCR"
    4       1     version, 1
    5       1     kind: 1 group, 2 seal, 3 hand-over
    6       2     shard
    8       8     cluster
    16      8     epoch
    24      2     node that wrote it
    26      8     that node's life
    34      8     number in the chain, from 1
    42      16    checksum of the predecessor, 0 for the first
    58            body
    end-16  16    the first 16 bytes of the SHA-256 of everything before

and numbers are little-endian. A group's body is a count (32 bits) and as many entries: a name after its length (16 bits), bytes after
theirs (32 bits). A seal has none. A hand-over has the receiver's node (16) and life (64), a count (32), and as many names with a hash
(64).
"""

import hashlib
import struct
from dataclasses import dataclass, field

HEADER = struct.Struct("<4sBBHQQHQQ16s")
GROUP, SEAL, HAND_OVER = 1, 2, 3


class NotARecord(Exception):
    """The bytes are no record; the text says why."""


@dataclass
class Record:
    kind: int
    shard: int
    cluster: int
    epoch: int
    author: tuple[int, int]
    number: int
    previous: bytes
    checksum: bytes
    entries: list[tuple[str, bytes]] = field(default_factory=list)
    receiver: tuple[int, int] | None = None


class _Body:
    """Takes values from bytes, and says where they end too early."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.offset:
            raise NotARecord(f"it ends too early: {count} bytes are needed at byte {HEADER.size + self.offset}")
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def name(self) -> str:
        try:
            return self.take(self.number(2)).decode()
        except UnicodeDecodeError as error:
            raise NotARecord("a name is not UTF-8") from error


def read_record(data: bytes) -> Record:
    """The record that bytes hold; raises NotARecord."""
    if data[:4] != b"SSCR":
        raise NotARecord(f"it begins with {data[:4]!r}")
    if len(data) < HEADER.size + 16:
        raise NotARecord(f"it has {len(data)} bytes, at least {HEADER.size + 16} are needed")
    _, version, kind, shard, cluster, epoch, node, life, number, previous = HEADER.unpack_from(data)
    if version != 1:
        raise NotARecord(f"it has version {version}")
    checksum = data[-16:]
    if hashlib.sha256(data[:-16]).digest()[:16] != checksum:
        raise NotARecord("its checksum does not fit its bytes")
    record = Record(kind, shard, cluster, epoch, (node, life), number, previous, checksum)
    body = _Body(data[HEADER.size : -16])
    if kind == GROUP:
        for _ in range(body.number(4)):
            name = body.name()
            record.entries.append((name, body.take(body.number(4))))
    elif kind == HAND_OVER:
        record.receiver = (body.number(2), body.number(8))
        for _ in range(body.number(4)):
            body.name()
            body.take(8)
    elif kind != SEAL:
        raise NotARecord(f"its kind is {kind}")
    if body.offset != len(body.data):
        raise NotARecord(f"{len(body.data) - body.offset} bytes follow its end")
    return record


def follow(records: list[tuple[int, bytes]], shard: int, cluster: int) -> tuple[list[Record], list[str]]:
    """The records of a journal's chain in order, and what is wrong with it.

    records: sequence numbers and bytes in the order of the stream. Of several records with the same number the first that fits is the
    chain's; the others lost a race and count for nothing.
    """
    chain: list[Record] = []
    owner: tuple[int, int] | None = None
    epoch, last, last_sequence = 0, bytes(16), 0
    for sequence, data in records:
        place = f"shard {shard}, message {sequence}"
        if sequence <= last_sequence:
            return chain, [f"{place}: it follows message {last_sequence}"]
        last_sequence = sequence
        try:
            record = read_record(data)
        except NotARecord as error:
            return chain, [f"{place}: no record: {error}"]
        if (record.shard, record.cluster) != (shard, cluster):
            return chain, [f"{place}: a record of shard {record.shard}, cluster {record.cluster}"]
        if record.number <= len(chain):
            continue
        if record.number != len(chain) + 1:
            return chain, [f"{place}: record {record.number} follows record {len(chain)}: a gap"]
        if record.previous != last:
            return chain, [f"{place}: the predecessor of record {record.number} is not in the journal: a fork"]
        if record.kind == SEAL:
            if record.epoch != epoch + 1:
                return chain, [f"{place}: a seal of epoch {record.epoch} follows epoch {epoch}"]
            epoch, owner = record.epoch, record.author
        elif (record.epoch, record.author) != (epoch, owner):
            return chain, [f"{place}: epoch {record.epoch} by {record.author}, where {owner} owns epoch {epoch}: a fork"]
        if record.kind == HAND_OVER:
            epoch, owner = epoch + 1, record.receiver
        chain.append(record)
        last = record.checksum
    return chain, []
