"""Checks a recorded history of a cluster: what clients asked for and were told, against the journals as they are read from the stream.

A history is a file of JSON lines:

    {"type": "invoked", "time": T, "session": S, "number": N, "room": R}    a client sends an op, once for each
    {"type": "acknowledged" | "refused", "time": T, "session": S, "number": N}    it is told what became of it
    {"type": "unknown", "time": T, "session": S, "number": N}    it was told nothing to the end
    {"type": "journal", "subject": J, "shard": K, "cluster": "C", "entries": FORM}    a shard's journal follows
    {"type": "record", "subject": J, "sequence": Q, "bytes": "hexadecimal"}    its messages, in the stream's order

Times rise; their unit does not matter. FORM says how an entry names the ops that it keeps: "simulated" is what `scenesync simulate
--nodes` writes ("OP", session, number, value; 16, 32, 32 bits, little-endian); "json" is an object with `session` and `number`; "scene" is
what a server writes (see `scene.py`), whose ops set a view's text to the session and the number with a colon between them.

Required is that each op that was acknowledged is in the chain of its room's journal exactly once, none that was refused is, none is
there that nobody asked for or more than once, the ops of a session are in their order, no op is answered in two ways or before it was
asked for, and no journal forks. Prints what is wrong, one line each; the exit status is 1 if anything is, 2 for a file that is no history.
"""

import json
import struct
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from journal import GROUP, follow
from scene import RoomReader

Op = tuple[str, int]


class NotAHistory(Exception):
    """The lines are no history; the text says where."""


def simulated(entry: bytes) -> list[Op]:
    if len(entry) != 12 or entry[:2] != b"OP":
        raise ValueError("it is no simulated op")
    session, number, _ = struct.unpack("<HII", entry[2:])
    return [(str(session), number)]


def from_json(entry: bytes) -> list[Op]:
    value = json.loads(entry)
    if not isinstance(value, dict) or not isinstance(value.get("session"), str) or not isinstance(value.get("number"), int):
        raise ValueError("it names no session and number")
    return [(value["session"], value["number"])]


FORMS: dict[str, Callable[[bytes], list[Op]]] = {"simulated": simulated, "json": from_json}
NAMES = [*FORMS, "scene"]


class History:
    """What a history says, sorted."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.rooms: dict[Op, str] = {}
        self.answers: dict[Op, str] = {}
        self.journals: dict[str, dict] = {}
        self.records: dict[str, list[tuple[int, bytes]]] = {}
        self.faults: list[str] = []
        last_time = None
        for number, line in enumerate(lines, 1):
            try:
                event = json.loads(line)
                time = event.get("time")
                if time is not None:
                    if last_time is not None and time < last_time:
                        raise ValueError(f"its time is {time}, that of a line before {last_time}")
                    last_time = time
                self._take(event)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise NotAHistory(f"line {number}: {error!r}") from error

    def _take(self, event: dict) -> None:
        kind = event["type"]
        if kind == "journal":
            if event["entries"] not in NAMES:
                raise ValueError(f"entries are {event['entries']!r}, expected one of {sorted(NAMES)}")
            self.journals[event["subject"]] = event
            self.records[event["subject"]] = []
        elif kind == "record":
            self.records[event["subject"]].append((int(event["sequence"]), bytes.fromhex(event["bytes"])))
        elif kind in ("invoked", "acknowledged", "refused", "unknown"):
            self._take_op(kind, (str(event["session"]), int(event["number"])), event)
        else:
            raise ValueError(f"type {kind!r} is not known")

    def _take_op(self, kind: str, op: Op, event: dict) -> None:
        if kind == "invoked":
            if op in self.rooms:
                raise ValueError(f"{name(op)} is invoked twice")
            self.rooms[op] = event["room"]
            return
        if op not in self.rooms:
            self.faults.append(f"{name(op)} is {kind} and was never invoked")
        before = self.answers.get(op)
        if before is not None and before != kind:
            self.faults.append(f"{name(op)} is {before} and then {kind}")
        # A second answer hides no first one that is worse.
        if before is None or kind == "acknowledged":
            self.answers[op] = kind


def name(op: Op) -> str:
    return f"op {op[1]} of session {op[0]}"


def kept_ops(history: History) -> tuple[list[tuple[str, Op]], list[str]]:
    """Rooms and ops of all chains in order, and what is wrong with the chains."""
    kept: list[tuple[str, Op]] = []
    faults: list[str] = []
    for subject, journal in history.journals.items():
        chain, wrong = follow(history.records[subject], int(journal["shard"]), int(journal["cluster"]))
        faults += wrong
        rooms = RoomReader()
        for record in chain:
            if record.kind != GROUP:
                continue
            for room, entry in record.entries:
                try:
                    ops = rooms.read(room, entry) if journal["entries"] == "scene" else FORMS[journal["entries"]](entry)
                    kept += [(room, op) for op in ops]
                except ValueError as error:
                    faults.append(f"shard {journal['shard']}, record {record.number}: an entry of room {room}: {error}")
    return kept, faults


def check(lines: Iterable[str]) -> list[str]:
    """What is wrong with a history; raises NotAHistory."""
    history = History(lines)
    kept, faults = kept_ops(history)
    faults = history.faults + faults
    places: dict[Op, list[str]] = {}
    highest: dict[tuple[str, str], int] = {}
    for room, op in kept:
        places.setdefault(op, []).append(room)
        before = highest.get((room, op[0]), 0)
        if op[1] < before:
            faults.append(f"{name(op)} comes after op {before} in room {room}")
        highest[room, op[0]] = max(before, op[1])
    for op, rooms in places.items():
        if len(rooms) > 1:
            faults.append(f"{name(op)} is kept {len(rooms)} times")
        if op not in history.rooms:
            faults.append(f"{name(op)} is kept and was never invoked")
        elif any(room != history.rooms[op] for room in rooms):
            faults.append(f"{name(op)} is kept in room {rooms[0]}, it was meant for {history.rooms[op]}")
        if history.answers.get(op) == "refused":
            faults.append(f"{name(op)} was refused and is kept")
    for op, answer in history.answers.items():
        if answer == "acknowledged" and op not in places:
            faults.append(f"{name(op)} was acknowledged and is not kept")
    return faults


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: check_history.py FILE", file=sys.stderr)
        return 2
    try:
        with Path(arguments[0]).open(encoding="utf-8") as lines:
            faults = check(lines)
    except (OSError, UnicodeDecodeError, NotAHistory) as error:
        print(f"{arguments[0]}: {error}; give a history as `scenesync simulate --nodes 3 --history FILE` writes it", file=sys.stderr)
        return 2
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
