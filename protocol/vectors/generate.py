#!/usr/bin/env python3
"""Writes the vectors of version 1, and refuses to where anything disagrees.

Two sources stand behind every case. The hex and the JSON of `HAND` below were both written by hand from SPEC.md; the
Python implementation in `clients/python`, which shares no code with the server, has to agree with them. The other
cases are made from those by rules (cut at each byte, changed at one byte), or by the Python implementation from
values given here. Nothing here comes from the server.

    .build/client-venv/bin/python protocol/vectors/generate.py
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from pathlib import Path
from typing import Any

from scenesync.bits import Writer
from scenesync.errors import DecodeError, MirrorError
from scenesync.frames import Body, Group, Row, Selection
from scenesync.messages import (
    Add,
    Anim,
    Cancel,
    Content,
    ContentChange,
    ContentMessage,
    Frame,
    Invalidation,
    Keyframe,
    Line,
    Message,
    Move,
    Remove,
    Select,
    Snapshot,
    Start,
    StateHash,
    Tree,
    View,
    decode,
    decode_json,
    encode,
)
from scenesync.mirror import Mirror, view_hash
from scenesync.values import ChartHeight, ChartOfLook, Charts, FaceFile, FaceOfView, Faces, FaceStyle, Look, LookOfView, Looks, SymbolOfLook, Symbols

import dialogues
import language
from hand import HAND, HAND_INVALID, HAND_INVALID_JSON, LENIENT

OUT = Path(__file__).parent / "v1"


def write(path: str, cases: list[dict[str, Any]]) -> int:
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names), [n for n in names if names.count(n) > 1]
    text = ",\n".join(" " + json.dumps(case, ensure_ascii=False) for case in cases)
    (OUT / path).write_text("[\n" + text + "\n]\n")
    return len(cases)


def raw(text: str) -> bytes:
    return bytes.fromhex(text.replace(" ", ""))


def error_of(data: bytes, client: bool) -> str | None:
    try:
        decode(data, client)
    except DecodeError as error:
        return error.code
    return None


# --- Single messages -----------------------------------------------------------------------------------------------


def hand_cases() -> list[dict[str, Any]]:
    cases = []
    for name, section, sender, text, value in HAND:
        client = sender == "client"
        data = raw(text)
        message = decode(data, client)
        assert message.to_json() == value, (name, message.to_json(), value)
        assert decode_json(json.dumps(value), client) == message, name
        if not value.get("deflated"):
            assert encode(message, client) == data, (name, encode(message, client).hex(), data.hex())
        cases.append(
            {
                "name": name,
                "section": section,
                "level": "required",
                "from": sender,
                "hex": data.hex(),
                "json": value,
                "canonical": not value.get("deflated", False),
            }
        )
    return cases


def lenient_cases() -> list[dict[str, Any]]:
    """Bytes that a reader takes although a writer would choose others."""
    cases = []
    for name, section, level, sender, text, value in LENIENT:
        message = decode(raw(text), sender == "client")
        assert message.to_json() == value, (name, message.to_json(), value)
        cases.append(
            {"name": name, "section": section, "level": level, "from": sender, "hex": raw(text).hex(),
             "json": value, "canonical": False}
        )  # fmt: skip
    return cases


VARINTS = [0, 1, 127, 128, 255, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455, 268_435_456, (1 << 32) - 1]
LONG_VARINTS = [(1 << 35) - 1, 1 << 35, 1 << 42, 1 << 49, (1 << 53), (1 << 53) + 1, 1 << 56, 1 << 63, (1 << 64) - 1]


def varint(value: int) -> bytes:
    """By the definition, not by the implementation: groups of seven bits, low first."""
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes(group | 0x80 for group in groups[:-1]) + bytes(groups[-1:])


def boundary_cases() -> list[dict[str, Any]]:
    cases = []

    def add(name: str, section: str, sender: str, data: bytes, value: dict[str, Any]) -> None:
        message = decode(data, sender == "client")
        assert message.to_json() == value, (name, message.to_json())
        assert encode(message, sender == "client") == data, name
        cases.append(
            {"name": name, "section": section, "level": "required", "from": sender, "hex": data.hex(),
             "json": value, "canonical": True}
        )  # fmt: skip

    for value in VARINTS + LONG_VARINTS:
        shown: Any = value if value <= 1 << 53 else str(value)
        add(f"ping with t0 {value}", "4.1", "client", b"\x05" + varint(value), {"type": "ping", "t0": shown})
    for value in VARINTS:
        data = b"\x02\x00" + varint(value)
        add(f"ack with lag {value}", "4.1", "client", data, {"type": "ack", "tick": 0, "lagMilliseconds": value})
    for number in [0, 1, -1, 63, -64, 64, -65, 8191, -8192, 8192, (1 << 31) - 1, -(1 << 31)]:
        zig = number * 2 if number >= 0 else -number * 2 - 1
        data = b"\x43\x01\x80" + varint(zig)
        body = {"citesDifferences": False, "groups": [{"slot": 0, "deltas": [number]}], "rows": [], "absoluteRows": []}
        add(f"a delta of {number}", "4.1", "server", data,
            {"type": "frame", "tick": 1, "baseDistance": 1, "durableDistance": 1, "body": body})  # fmt: skip
    for length in [0, 1, 127, 128, 256]:
        name = "x" * length
        data = b"\x06\x00\x00\x00" + varint(length) + name.encode() + b"\x00\x00\x00"
        add(f"a name of {length} bytes", "4.1", "client", data,
            {"type": "presence", "client": 0, "clock": 0, "gone": False, "name": name, "selection": []})  # fmt: skip
    for text in ["é", "日本", "\u0000", "👩‍👩‍👧", "e\u0301", "\"\\\n"]:
        encoded = text.encode()
        data = b"\x06\x00\x00\x00" + varint(len(encoded)) + encoded + b"\x00\x00\x00"
        add(f"the name {json.dumps(text)}", "4.1", "client", data,
            {"type": "presence", "client": 0, "clock": 0, "gone": False, "name": text, "selection": []})  # fmt: skip
    for slot in [0, 1, 31, 63]:
        body = {"citesDifferences": False, "groups": [{"slot": slot, "deltas": [1, -1]}], "rows": [], "absoluteRows": []}
        add(f"the short form with two deltas and slot {slot}", "8.2", "server", bytes([0x43, 1, 0xC0 | slot, 2, 1]),
            {"type": "frame", "tick": 1, "baseDistance": 1, "durableDistance": 1, "body": body})  # fmt: skip
    for index, kind in enumerate(["view", "label", "stack", "scroll", "flow", "image"]):
        content = {"kind": kind, "hidden": False, "clips": False, "opacity": 255, "border": "none", "align": "left",
                   "contentOffset": [0, 0], "lines": []}  # fmt: skip
        data = bytes([0x46, 1, 1, 3, index, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0])
        add(f"a content of the kind {kind}", "6.6", "server", data,
            {"type": "content", "tick": 1, "changes": [{"number": 3, "content": content}], "invalidations": []})  # fmt: skip
    return cases


def body_cases() -> list[dict[str, Any]]:
    """Bodies of every shape; made by the Python implementation."""
    rng = random.Random(20)
    values: list[tuple[str, Message]] = []

    def frame(body: Body) -> Frame:
        return Frame(1000 % 256, 1, 1, body)

    for form, numbers in [
        ("one view", [5]),
        ("a run", list(range(10, 40))),
        ("a strided run", list(range(3, 300, 9))),
        ("runs and single views", [1, 2, 3, 9, 20, 21, 22, 23, 50]),
        ("gaps", [4, 300, 707, 1200, 1203]),
        ("a bitmap", [0, 1, 3, 6, 7, 9, 12, 14, 15, 17, 18, 22]),
        ("the last number", [(1 << 20) - 1]),
    ]:
        for mask in (1, 6, 11, 15):
            deltas = tuple(rng.randint(-300, 300) for _ in range(bin(mask).count("1")))
            for stores in (True, False):
                group = Group(deltas, selection=Selection(mask, tuple(numbers)), stores=stores)
                values.append((f"{form}, mask {mask}, {'stored' if stores else 'not stored'}", frame(Body([group]))))
    for count in (1, 2, 5, 40):
        for spread, title in ((3, "near"), (200, "apart"), (1 << 19, "far apart")):
            numbers = sorted(rng.sample(range(count * spread % (1 << 20) + count), count))
            for common in (True, False):
                rows = []
                for number in numbers:
                    mask = 3 if common else rng.randint(1, 15)
                    size = rng.choice([2, 100, 1 << 20, 1 << 31])
                    deltas = tuple(rng.randint(-size, size - 1) for _ in range(bin(mask).count("1")))
                    rows.append(Row(number, mask, deltas))
                name = f"{count} rows {title}, {'one mask' if common else 'masks of their own'}"
                if count == 1 and not common:
                    continue
                values.append((name, frame(Body(rows=rows))))
                values.append((name + ", absolute", frame(Body(absolute_rows=rows))))
    everything = Body(
        [Group((1, 2, 3), slot=0), Group((1,), slot=5), Group((-9, 7), slot=63),
         Group((1, 2), selection=Selection(3, (4, 9)), stores=True),
         Group((1, 2, 3, 4), selection=Selection(15, (20,)))],
        [Row(30, 1, (7,))], [Row(31, 2, (-7,))])  # fmt: skip
    for count in (2, 7, 64):
        slots = sorted(rng.sample(range(64), count))
        for size in (2, 100, 1 << 31):
            cited = [Group(tuple(rng.randint(-size, size - 1) for _ in range(rng.randint(1, 4))), slot=s) for s in slots]
            values.append((f"{count} citations, deltas below {size}", frame(Body(cited))))
            values.append((f"{count} citations, differences below {size}", frame(Body(cited, cites_differences=True))))
    values.append(("one citation that is a difference", frame(Body([Group((3,), slot=7)], cites_differences=True))))
    values.append(("every section at once", frame(everything)))
    for base, durable in ((2, 1), (1, 2), (0, 0), (1000, 1000), (60, 3)):
        values.append((f"distances {base} and {durable}", Frame(1000 % 256, base, durable, everything)))
    cases = []
    for name, message in values:
        data = encode(message, False)
        assert decode(data) == message, name
        cases.append(
            {"name": name, "section": "8", "level": "required", "from": "server", "hex": data.hex(),
             "json": message.to_json(), "canonical": True}
        )  # fmt: skip
    return cases


# --- What must be refused ------------------------------------------------------------------------------------------


def truncated_cases() -> list[dict[str, Any]]:
    cases = []
    done: set[tuple[str, int]] = set()
    for name, _, sender, text, _ in HAND:
        data = raw(text)
        if (sender, data[0]) in done or len(data) > 120:
            continue
        done.add((sender, data[0]))
        for count in range(len(data)):
            expected = "empty" if count == 0 else "truncated"
            assert error_of(data[:count], sender == "client") == expected, (name, count)
            cases.append(
                {"name": f"{name}, cut after {count} bytes", "section": "4.3", "level": "required", "from": sender,
                 "hex": data[:count].hex(), "error": expected}
            )  # fmt: skip
    assert len(done) == 40, sorted(done)
    return cases


def type_cases() -> list[dict[str, Any]]:
    cases = []
    for sender, known in (("client", [*range(0x01, 0x0D), 0x0E]), ("server", [*range(0x41, 0x51), 0x52])):
        for byte in [0x00, 0x01, 0x0D, 0x3F, 0x40, 0x41, 0x51, 0x7F, 0x80, 0xFF]:
            if byte in known:
                continue
            data = bytes([byte, 0, 0, 0])
            assert error_of(data, sender == "client") == "unknown-type"
            cases.append(
                {"name": f"type {byte:02x} from the {sender}", "section": "12", "level": "required", "from": sender,
                 "hex": data.hex(), "error": "unknown-type", "ignorable": byte >= 0x80}
            )  # fmt: skip
    return cases


def invalid_cases() -> list[dict[str, Any]]:
    cases = []
    for name, section, sender, text, code in HAND_INVALID:
        data = raw(text)
        assert error_of(data, sender == "client") == code, (name, error_of(data, sender == "client"))
        cases.append(
            {"name": name, "section": section, "level": "required", "from": sender, "hex": data.hex(), "error": code}
        )
    # Too long in whole: a skipped extension that fills the message beyond 1 MiB.
    return cases


def invalid_json_cases() -> list[dict[str, Any]]:
    cases = []
    for name, section, sender, text, code in HAND_INVALID_JSON:
        found = None
        try:
            decode_json(text, sender == "client")
        except DecodeError as error:
            found = error.code
        assert found == code, (name, found)
        cases.append(
            {"name": name, "section": section, "level": "required", "from": sender, "text": text, "error": code}
        )
    return cases


def deflate_cases() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    views = [View(0, "root", None, (0, 0, 640, 384)), View(1, "a", 0, (8, 8, 10, 10))]
    columns = Writer()
    Snapshot(views=views)._write(columns)
    plain = bytes(columns.data)[13:]
    head = bytes([0x42, 1, 9, 0, 1, 1]) + (7).to_bytes(8, "little")

    def packed(data: bytes, level: int) -> bytes:
        stream = zlib.compressobj(level, zlib.DEFLATED, -15)
        return stream.compress(data) + stream.flush()

    def message(length: int, block: bytes) -> bytes:
        return head + varint(length) + varint(len(block)) + block

    value = Snapshot(1, 9, 0, 1, True, 7, views).to_json()
    good = []
    stored = b"\x01" + len(plain).to_bytes(2, "little") + (len(plain) ^ 0xFFFF).to_bytes(2, "little") + plain
    fixed = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED)
    for name, block in [
        ("stored", stored),
        ("fixed codes", fixed.compress(plain) + fixed.flush()),
        ("level 1", packed(plain, 1)),
        ("level 9", packed(plain, 9)),
    ]:
        data = message(len(plain), block)
        assert decode(data).to_json() == value, name
        good.append(
            {"name": f"a deflated snapshot, {name}", "section": "7.3", "level": "required", "from": "server",
             "hex": data.hex(), "json": value, "canonical": False}
        )  # fmt: skip
    big = [View(i, "root" if i == 0 else f"view-{i}", None if i == 0 else i // 3, (i, i * 7 % 90, 40, 20),
                Content(kind="label", lines=[Line(f"Line {i * i % 17}", (0, 0, 48))])) for i in range(150)]  # fmt: skip
    snapshot = Snapshot(1, 9, 0, 1, True, 7, big)
    good.append(
        {"name": "a deflated snapshot of 150 labels, dynamic codes", "section": "7.3", "level": "required",
         "from": "server", "hex": encode(snapshot, False).hex(), "json": snapshot.to_json(), "canonical": False}
    )  # fmt: skip
    bad = []
    bomb = packed(bytes(1_000_000), 9)
    for name, data, code in [
        ("says one byte too few", message(len(plain) - 1, packed(plain, 9)), "malformed-deflate"),
        ("says one byte too many", message(len(plain) + 1, packed(plain, 9)), "malformed-deflate"),
        ("a block that goes on after its end", message(len(plain), packed(plain, 9) + b"\0"), "malformed-deflate"),
        ("a block without its end", message(len(plain), packed(plain, 9)[:-1]), "malformed-deflate"),
        ("block type 3", message(1, b"\x07"), "malformed-deflate"),
        ("a stored block with a wrong complement", message(1, b"\x01\x01\x00\xff\xff\x00"), "malformed-deflate"),
        ("a distance before the beginning", message(3, bytes([0x63, 0x00, 0x42, 0x00])), "malformed-deflate"),
        ("a bomb that says little", message(1000, bomb), "malformed-deflate"),
        ("a bomb that says more than the limit", message((1 << 22) + 1, bomb), "too-many"),
        ("an empty block", message(0, b"\x03\x00"), "truncated"),
        ("columns that go on", message(len(plain) + 1, packed(plain + b"\0", 9)), "malformed-deflate"),
    ]:
        found = error_of(data, False)
        if name == "a distance before the beginning":
            assert found == "malformed-deflate", found
        assert found == code, (name, found)
        bad.append(
            {"name": f"a deflated snapshot: {name}", "section": "7.3", "level": "required", "from": "server",
             "hex": data.hex(), "error": code}
        )  # fmt: skip
    return good, bad


# --- Sequences -----------------------------------------------------------------------------------------------------


class Sequence:
    """Steps of one mirror; each is applied to the Python mirror, whose state is the expectation."""

    def __init__(self, name: str, section: str) -> None:
        self.case: dict[str, Any] = {"name": name, "section": section, "level": "required", "steps": []}
        self.mirror = Mirror()

    def step(self, message: Message, error: str | None = None, **shown: dict[int, tuple[int, ...]]) -> Sequence:
        data = encode(message, False)
        step: dict[str, Any] = {"hex": data.hex()}
        found = None
        try:
            self.mirror.apply(decode(data))
        except MirrorError as failure:
            found = failure.code
        assert found == error, (self.case["name"], found, error)
        if error:
            step["error"] = error
        step["needsSnapshot"] = self.mirror.needs_snapshot
        if not self.mirror.needs_snapshot:
            step["tick"] = self.mirror.tick
            step["hash"] = f"{self.mirror.state_hash:016x}"
            step["frames"] = [{"id": view.id, "frame": list(view.frame)} for view in self.mirror.preorder()]
            # The sum of the views' hashes, from their definition and not kept up step by step.
            names = {view.number: view.id for view in self.mirror.preorder()}
            total = sum(
                view_hash(view.id, "" if view.parent is None else names[view.parent], view.content, view.frame)
                for view in self.mirror.preorder()
            )
            assert total % (1 << 64) == self.mirror.state_hash
        if shown:
            step["shown"] = []
            for view_id, ticks in shown.items():
                for tick, frame in ticks.items():
                    assert self.mirror.shown_frame(view_id, tick) == frame, (view_id, tick, frame)
                    step["shown"].append({"id": view_id, "tick": tick, "frame": list(frame)})
        self.case["steps"].append(step)
        return self

    def frames(self, **expected: tuple[int, ...]) -> Sequence:
        """What was worked out by hand."""
        for view_id, frame in expected.items():
            assert self.mirror[view_id].frame == frame, (view_id, self.mirror[view_id].frame)
        return self


def snapshot_of(views: list[View], tick: int = 0, **fields: Any) -> Snapshot:
    names = {view.number: view.id for view in views}
    total = sum(
        view_hash(v.id, "" if v.parent is None else names.get(v.parent, ""), v.content, v.frame) for v in views
    )
    return Snapshot(epoch=1, tick=tick, state_hash=total % (1 << 64), views=views, **fields)


def order(case: dict[str, Any]) -> list[str]:
    """The views after the last step, in preorder."""
    return [view["id"] for view in case["steps"][-1]["frames"]]


SCENE = [
    View(0, "root", None, (0, 0, 640, 384)),
    View(1, "a", 0, (0, 0, 100, 100)),
    View(2, "b", 1, (5, 5, 10, 10)),
    View(3, "c", 0, (100, 0, 100, 100)),
    View(7, "d", 0, (200, 0, 100, 100), Content(kind="label", lines=[Line("Files", (0, 0, 40))])),
]


def sequences() -> list[dict[str, Any]]:
    out = []

    def new(name: str, section: str) -> Sequence:
        sequence = Sequence(name, section)
        out.append(sequence.case)
        return sequence.step(snapshot_of(SCENE))

    def chunks(views: list[View], *places: slice) -> list[Snapshot]:
        whole = snapshot_of(views)
        return [
            Snapshot(1, 0, i, len(places), False, whole.state_hash, views[place]) for i, place in enumerate(places)
        ]

    group = Group((24,), selection=Selection(2, (1, 3, 7)), stores=True)
    (new("a stored selection is cited by the next frames", "8.3")
        .step(Frame(1, 1, 1, Body([group]))).frames(a=(0, 24, 100, 100), d=(200, 24, 100, 100))
        .step(Frame(2, 1, 1, Body([Group((-4,), slot=0)]))).frames(c=(100, 20, 100, 100))
        .step(Frame(5, 3, 1, Body([Group((1,), slot=0)], [Row(2, 12, (1, -1))]))).frames(b=(5, 5, 11, 9)))  # fmt: skip
    (new("differences are added to the last deltas of a slot", "8.2")
        .step(Frame(1, 1, 1, Body([group, Group((1, 2), selection=Selection(3, (2,)), stores=True)])))
        .step(Frame(2, 1, 1, Body([Group((6,), slot=0), Group((-1, 5), slot=1)], cites_differences=True)))
        .frames(a=(0, 54, 100, 100), b=(6, 14, 10, 10))
        .step(Frame(3, 1, 1, Body([Group((-10,), slot=0)])))
        .step(Frame(4, 1, 1, Body([Group((1,), slot=0)], cites_differences=True)))
        .frames(a=(0, 35, 100, 100)))  # fmt: skip
    told = Faces([FaceFile("Inter", 400, "0" * 64)], [FaceStyle(400, 1088, 33, False)], [FaceOfView(1, 1)])
    (new("faces do not enter the state hash", "10")
        .step(ContentMessage(1, [ContentChange(1, Content(kind="label", lines=[Line("Hi", (0, 0, 16))]))], [], told))
        .step(Frame(1, 1, 1, Body())))  # fmt: skip
    seen = Looks([Look(corner_radius=8.0)], [LookOfView(1, 1)])
    (new("looks do not enter the state hash", "10")
        .step(ContentMessage(1, [ContentChange(1, Content(background="#ff0000"))], [], looks=seen))
        .step(Frame(1, 1, 1, Body())))  # fmt: skip
    given = Symbols([SymbolOfLook(1, "gear", 21.0, "center"), SymbolOfLook(2, "gear"), SymbolOfLook(0, "gear")])
    (new("symbols do not enter the state hash, and one of a look that is not there is passed over", "10")
        .step(ContentMessage(1, [ContentChange(1, Content(background="#00ff00"))], [], looks=seen, symbols=given))
        .step(Frame(1, 1, 1, Body())))  # fmt: skip
    drawn = Charts([ChartOfLook(1, "area", 2.0, 3, "#ff0000", [ChartHeight(5000)]), ChartOfLook(2), ChartOfLook(0)])
    (new("charts do not enter the state hash, and one of a look that is not there is passed over", "10")
        .step(ContentMessage(1, [ContentChange(1, Content(background="#0000ff"))], [], looks=seen, charts=drawn))
        .step(Frame(1, 1, 1, Body())))  # fmt: skip
    (new("differences wrap around", "8.2")
        .step(Frame(1, 1, 1, Body([Group(((1 << 31) - 1,), selection=Selection(1, (1,)), stores=True)])))
        .step(Frame(2, 1, 1, Body([Group((1,), slot=0)], cites_differences=True)))
        .frames(a=(-1, 0, 100, 100)))  # fmt: skip
    (new("a selection that is sent again brings its last deltas", "6.4")
        .step(Select(3, Selection(1, (1,)), (5,)))
        .step(Frame(1, 1, 1, Body([Group((2,), slot=3)], cites_differences=True)))
        .frames(a=(7, 0, 100, 100)))  # fmt: skip
    (new("an empty slot is no selection", "8.3")
        .step(Frame(1, 1, 1, Body([Group((1,), slot=9)])), "unknown-slot")
        .step(Frame(2, 1, 1, Body()), "no-snapshot")
        .step(snapshot_of(SCENE, 2))
        .step(Frame(3, 1, 1, Body())))  # fmt: skip
    (new("a citation needs as many deltas as the mask", "8.3")
        .step(Frame(1, 1, 1, Body([group])))
        .step(Frame(2, 1, 1, Body([Group((1, 2), slot=0)])), "unknown-slot"))  # fmt: skip
    (new("a selection that is not stored leaves the ring alone", "8.3")
        .step(Frame(1, 1, 1, Body([Group((24,), selection=Selection(2, (1, 3)), stores=False)])))
        .step(Frame(2, 1, 1, Body([Group((1,), slot=0)])), "unknown-slot"))  # fmt: skip
    (new("a snapshot empties the ring", "7.1")
        .step(Frame(1, 1, 1, Body([group])))
        .step(snapshot_of(SCENE, 1))
        .step(Frame(2, 1, 1, Body([Group((1,), slot=0)])), "unknown-slot"))  # fmt: skip
    ring = new("the ring has 64 slots and then begins again", "8.3")
    for i in range(66):
        selection = Selection(1 + i % 15, (1, 3)) if i < 60 else Selection(1, (1 + 2 * (i % 2),))
        deltas = tuple(1 for _ in range(bin(selection.mask).count("1")))
        ring.step(Frame(i + 1, 1, 1, Body([Group(deltas, selection=selection, stores=True)])))
    ring.step(Frame(67, 1, 1, Body([Group((10,), slot=1)]))).step(Frame(68, 1, 1, Body([Group((10,), slot=0)])))
    ring.step(Frame(69, 1, 1, Body([Group((10, 10), slot=2)])))
    (new("select fills a slot, and the next new selection goes after it", "6.4")
        .step(Select(62, Selection(1, (1,))))
        .step(Frame(1, 1, 1, Body([Group((3,), slot=62), Group((2,), selection=Selection(2, (3,)), stores=True)])))
        .frames(a=(3, 0, 100, 100), c=(100, 2, 100, 100))
        .step(Frame(2, 1, 1, Body([Group((5,), slot=63)]))).frames(a=(3, 0, 100, 100), c=(100, 7, 100, 100))
        .step(Frame(3, 1, 1, Body([Group((1,), selection=Selection(1, (3,)), stores=True)])))
        .step(Frame(4, 1, 1, Body([Group((1,), slot=0)]))).frames(c=(102, 7, 100, 100)))  # fmt: skip
    (new("a frame builds on the mirror's tick", "6.3")
        .step(Frame(3, 2, 1, Body()), "wrong-base").step(snapshot_of(SCENE, 3)).step(Frame(3, 0, 0, Body())))  # fmt: skip
    (new("no tick on disk lies before the first", "6.3").step(Frame(1, 1, 2, Body()), "wrong-base"))
    (new("no tick lies beyond 64 bits", "6.3")
        .step(snapshot_of(SCENE, 5)).step(Frame(4, (1 << 64) - 1, 0, Body()), "wrong-base"))  # fmt: skip
    (new("a tick's low byte begins again", "6.3").step(snapshot_of(SCENE, 255)).step(Frame(0, 1, 1, Body()))
        .step(Frame(44, 300, 300, Body())))  # fmt: skip
    (new("a view that is not there cannot move", "6.3").step(Frame(1, 1, 1, Body([], [Row(4, 1, (1,))])), "unknown-view"))
    (new("no more views move than there are", "8.3").step(Frame(1, 1, 1, Body([group]))).step(
        Frame(2, 1, 1, Body([Group((1,), slot=0), Group((1,), selection=Selection(1, (0, 1, 2)), stores=True)])),
        "too-many-changes"))  # fmt: skip
    (new("rows count beside the views of sets", "8.3").step(Frame(1, 1, 1, Body([
        Group((1,), selection=Selection(1, (0, 1, 2)), stores=False)], [Row(0, 2, (1,)), Row(3, 2, (1,)), Row(7, 2, (1,))])),
        "too-many-changes"))  # fmt: skip
    full = Sequence("a mirror of as many views as the limit has takes no more", "9")
    out.append(full.case)
    plenty = [View(0, "root", None, (0, 0, 0, 0)), *(View(n, f"v{n}", 0, (0, 0, 0, 0)) for n in range(1, 10_001))]
    whole = snapshot_of(plenty)
    (full.step(Snapshot(whole.epoch, whole.tick, 0, 1, True, whole.state_hash, plenty))
        .step(Tree(1, [Add(10_001, "w", 0, (0, 0, 0, 0), Content(), 0)]), "too-many-views"))  # fmt: skip
    (new("numbers wrap at 32 bits", "8.4")
        .step(Frame(1, 1, 1, Body([], [Row(1, 15, ((1 << 31) - 1, -(1 << 31), (1 << 31) - 1, -(1 << 31)))])))
        .frames(a=((1 << 31) - 1, -(1 << 31), 100 + (1 << 31) - 1 - (1 << 32), 100 - (1 << 31)))
        .step(Frame(2, 1, 1, Body([], [Row(1, 1, (1,))]))))  # fmt: skip
    (new("absolute rows say where a view is", "8.4")
        .step(Frame(1, 1, 1, Body([], [Row(1, 1, (9,))], [Row(2, 5, (1, 2)), Row(7, 8, (0,))])))
        .frames(a=(9, 0, 100, 100), b=(1, 5, 2, 10), d=(200, 0, 100, 0)))  # fmt: skip
    (new("a view is added", "6.5")
        .step(Tree(1, [Add(9, "e", 1, (1, 2, 3, 4), Content(kind="image", background="#102030"), 0)]))
        .step(Frame(1, 1, 1, Body())).frames(e=(1, 2, 3, 4)))  # fmt: skip
    assert order(out[-1]) == ["root", "a", "e", "b", "c", "d"]
    (new("a view is removed with its subviews", "6.5").step(Tree(1, [Remove(1)])).step(Frame(1, 1, 1, Body())))
    assert order(out[-1]) == ["root", "c", "d"]
    (new("a view is moved within and between superviews", "6.5")
        .step(Tree(1, [Move(7, 0, 0), Move(2, 3, 0), Move(1, 0, 2)])).step(Frame(1, 1, 1, Body())))  # fmt: skip
    assert order(out[-1]) == ["root", "d", "c", "b", "a"]
    for name, change, code in [
        ("a number that is in use", Add(1, "x", 0, (0, 0, 0, 0), Content(), 0), "duplicate-number"),
        ("an id that is in use", Add(9, "a", 0, (0, 0, 0, 0), Content(), 0), "duplicate-id"),
        ("a superview that is not there", Add(9, "x", 8, (0, 0, 0, 0), Content(), 0), "unknown-view"),
        ("a second root", Add(9, "x", None, (0, 0, 0, 0), Content(), 0), "misplaced-root"),
        ("a place beyond the last", Add(9, "x", 0, (0, 0, 0, 0), Content(), 4), "invalid-index"),
        ("the root is removed", Remove(0), "misplaced-root"),
        ("a view that is not there is removed", Remove(8), "unknown-view"),
        ("the root is moved", Move(0, 1, 0), "misplaced-root"),
        ("a view is moved below itself", Move(1, 1, 0), "cycle"),
        ("a view is moved below its subview", Move(1, 2, 0), "cycle"),
        ("a view is moved to a place beyond the last", Move(1, 0, 3), "invalid-index"),
        ("a view is moved to a superview that is not there", Move(1, 8, 0), "unknown-view"),
        ("a view that is not there is moved", Move(8, 1, 0), "unknown-view"),
    ]:
        new(f"the tree: {name}", "6.5").step(Tree(1, [change]), code).step(snapshot_of(SCENE, 1))  # type: ignore[list-item]
    new("a tree change of a tick that is over", "6.5").step(Frame(5, 5, 1, Body())).step(Tree(4, []), "stale-tick")
    (new("a content replaces the old one", "6.6")
        .step(ContentMessage(1, [ContentChange(7, Content(kind="label", hidden=True, opacity=7, foreground="#fffffffe",
              border="heavy", align="center", content_offset=(3, -4), lines=[Line("é", (0, 0, 8)), Line("", (0, 16, 0))]))],
              [Invalidation(1, (0, 0, 5, 5))]))
        .step(Frame(1, 1, 1, Body())))  # fmt: skip
    new("the content of a view that is not there", "6.6").step(ContentMessage(1, [ContentChange(4, Content())]), "unknown-view")
    new("a rectangle of a view that is not there", "6.6").step(
        ContentMessage(1, [], [Invalidation(4, (0, 0, 1, 1))]), "unknown-view"
    )
    state = snapshot_of(SCENE).state_hash
    (new("the hash is compared at its own tick alone", "6.7")
        .step(StateHash(0, state)).step(StateHash(4, state + 1)).step(StateHash(0, state + 1), "hash-mismatch"))  # fmt: skip
    wrong = snapshot_of(SCENE, 4)
    wrong.state_hash ^= 1
    new("a snapshot with another hash", "7.1").step(wrong, "hash-mismatch").step(snapshot_of(SCENE, 4))
    for name, views, code in [
        ("without views", [], "misplaced-root"),
        ("without a root", [View(1, "a", 0)], "unknown-view"),
        ("with two roots", [View(0, "root"), View(1, "a")], "misplaced-root"),
        ("with a number twice", [View(0, "root"), View(0, "a", 0)], "duplicate-number"),
        ("with an id twice", [View(0, "root"), View(1, "root", 0)], "duplicate-id"),
        ("with a subview before its superview", [View(0, "root"), View(2, "b", 1), View(1, "a", 0)], "unknown-view"),
        ("with a view below itself", [View(0, "root"), View(1, "a", 1)], "unknown-view"),
    ]:
        new(f"a snapshot {name}", "7.1").step(snapshot_of(views, 1), code)
    parts = chunks(SCENE, slice(0, 2), slice(2, 3), slice(3, 5))
    chunked = Sequence("a snapshot in three chunks", "7.2")
    out.append(chunked.case)
    for part in parts:
        chunked.step(part)
    (new("a chunk is missing", "7.2").step(parts[0]).step(parts[2], "unexpected-chunk").step(parts[1], "unexpected-chunk"))
    new("a chunk that begins nothing", "7.2").step(parts[1], "unexpected-chunk")
    (new("the first chunk begins anew", "7.2").step(parts[0]).step(parts[1]).step(parts[0]).step(parts[1]).step(parts[2]))
    other = Snapshot(1, 1, 1, 3, False, parts[1].state_hash, parts[1].views)
    new("chunks of two snapshots", "7.2").step(parts[0]).step(other, "unexpected-chunk")
    new("a frame between chunks", "7.2").step(parts[0]).step(Frame(1, 1, 1, Body()), "no-snapshot")
    start = Start(5, 0, 4, "linear", Body([], [Row(1, 1, (40,))]))
    (new("an animation sets the frame at once and shows the way", "6.12")
        .step(Anim(1, [start]))
        .step(Frame(1, 1, 1, Body()), a={1: (0, 0, 100, 100), 2: (10, 0, 100, 100), 3: (20, 0, 100, 100),
                                         4: (30, 0, 100, 100), 5: (40, 0, 100, 100), 9: (40, 0, 100, 100)})
        .frames(a=(40, 0, 100, 100))
        .step(Frame(5, 4, 1, Body()), a={5: (40, 0, 100, 100)}))  # fmt: skip
    later = Start(6, 2, 2, "linear", Body([], [Row(1, 1, (-20,))]))
    (new("animations of one view add up", "6.12")
        .step(Anim(1, [start, later]))
        .step(Frame(1, 1, 1, Body()), a={1: (0, 0, 100, 100), 2: (10, 0, 100, 100), 3: (20, 0, 100, 100),
                                         4: (20, 0, 100, 100), 5: (20, 0, 100, 100)})
        .step(Anim(2, [Cancel(5)])).step(Frame(2, 1, 1, Body()), a={2: (40, 0, 100, 100), 4: (30, 0, 100, 100)}))  # fmt: skip
    (new("halves are rounded up", "6.12")
        .step(Anim(1, [Start(1, 0, 2, "linear", Body([], [Row(1, 3, (1, -1))]))]))
        .step(Frame(1, 1, 1, Body()), a={1: (0, 0, 100, 100), 2: (1, 0, 100, 100), 3: (1, -1, 100, 100)}))  # fmt: skip
    (new("halves of several animations of one view are rounded once", "6.12")
        .step(Anim(1, [Start(1, 0, 2, "linear", Body([], [Row(1, 1, (1,))])), Start(2, 0, 2, "linear", Body([], [Row(1, 1, (1,))]))]))
        .step(Frame(1, 1, 1, Body()), a={1: (0, 0, 100, 100), 2: (1, 0, 100, 100), 3: (2, 0, 100, 100)}))  # fmt: skip
    (new("an animation cites a selection", "6.12")
        .step(Frame(1, 1, 1, Body([group])))
        .step(Anim(2, [Start(1, 0, 10, "easeInOut", Body([Group((100,), slot=0)]))]))
        .step(Frame(2, 1, 1, Body()), a={2: (0, 24, 100, 100), 7: (0, 74, 100, 100), 12: (0, 124, 100, 100)}))  # fmt: skip
    (new("a removed view is animated no longer", "6.12").step(Anim(1, [start])).step(Tree(1, [Remove(1)])).step(
        Frame(1, 1, 1, Body())))  # fmt: skip
    new("an animation of a view that is not there", "6.12").step(
        Anim(1, [Start(1, 0, 1, "linear", Body([], [Row(4, 1, (1,))]))]), "unknown-view"
    )
    many = [Start(number, 0, 9, "linear", Body()) for number in range(4096)]
    (new("no more than 4096 animations are under way", "13").step(Anim(1, many))
        .step(Anim(1, [Start(4096, 0, 9, "linear", Body())]), "too-many-animations"))  # fmt: skip
    (new("animations that are over make room for others", "6.12").step(Anim(1, many)).step(Frame(10, 10, 10, Body()))
        .step(Anim(11, [Start(4096, 0, 9, "linear", Body([], [Row(1, 1, (1,))]))]))
        .step(Frame(11, 1, 1, Body()), a={11: (0, 0, 100, 100), 20: (1, 0, 100, 100)}))  # fmt: skip
    (new("a keyframe numbers the views by their places", "6.15")
        .step(Keyframe(0, [0, 1, 2, 3, 7]))
        .step(Frame(1, 1, 1, Body([], [Row(4, 1, (1,))]))).frames(d=(201, 0, 100, 100))
        .step(Frame(2, 1, 1, Body([], [Row(7, 1, (1,))])), "unknown-view"))  # fmt: skip
    (new("a keyframe empties the ring", "6.15").step(Frame(1, 1, 1, Body([group]))).step(Keyframe(1, [0, 1, 2, 3, 7]))
        .step(Frame(2, 1, 1, Body([Group((1,), slot=0)])), "unknown-slot"))  # fmt: skip
    few = Group((4,), selection=Selection(1, (1, 3)), stores=True)
    (new("a keyframe empties the ring also where its numbers stay", "6.15").step(Frame(1, 1, 1, Body([few])))
        .step(Keyframe(1, [0, 1, 2, 3, 7])).step(Frame(2, 1, 1, Body([Group((1,), slot=0)])), "unknown-slot"))  # fmt: skip
    (new("after a keyframe the next selection goes to slot 0", "6.15").step(Frame(1, 1, 1, Body([few])))
        .step(Keyframe(1, [0, 1, 2, 3, 7])).step(Frame(2, 1, 1, Body([few])))
        .step(Frame(3, 1, 1, Body([Group((1,), slot=0)]))).frames(a=(9, 0, 100, 100), c=(109, 0, 100, 100)))  # fmt: skip
    for name, numbers, code in [
        ("too few numbers", [0, 1, 2, 3], "malformed-numbering"),
        ("a number twice", [0, 1, 2, 3, 3], "malformed-numbering"),
        ("a number of no view", [0, 1, 2, 3, 8], "unknown-view"),
    ]:
        new(f"a keyframe with {name}", "6.15").step(Keyframe(0, numbers), code)
    new("a keyframe of another tick", "6.15").step(Keyframe(1, [0, 1, 2, 3, 7]), "wrong-base")
    out.append(random_sequence())
    return out


def random_sequence() -> dict[str, Any]:
    """A hundred ticks of a tree that grows, shrinks and moves."""
    rng = random.Random(7)
    sequence = Sequence("a hundred random ticks", "9").step(snapshot_of(SCENE))
    following = 8
    for tick in range(1, 101):
        views = sequence.mirror.preorder()
        choice = rng.random()
        if choice < 0.2:
            parent = rng.choice(views)
            place = rng.randint(0, len(sequence.mirror.children(parent.id)))
            frame = tuple(rng.randint(0, 200) for _ in range(4))
            sequence.step(Tree(tick, [Add(following, f"v{following}", parent.number, frame, Content(), place)]))
            following += 1
        elif choice < 0.25 and len(views) > 8:
            sequence.step(Tree(tick, [Remove(rng.choice(views[1:]).number)]))
        elif choice < 0.35:
            view = rng.choice(views)
            text = rng.choice(["x", "日本", ""])
            sequence.step(ContentMessage(tick, [ContentChange(view.number, Content(lines=[Line(text, (1, 2, 3))]))]))
        numbers = sorted(view.number for view in sequence.mirror.preorder())
        some = tuple(sorted(rng.sample(numbers, rng.randint(1, len(numbers)))))
        rest = [number for number in numbers if number not in some]
        body = Body([Group((rng.randint(-9, 9), 1), selection=Selection(3, some), stores=rng.random() < 0.8)])
        body.rows = [Row(number, 4, (rng.randint(-500, 500),)) for number in rest[::2]]
        body.absolute_rows = [Row(number, 9, (rng.randint(0, 9), 5)) for number in rest[1::2]]
        sequence.step(Frame(tick, 1, 1, body))
    for step in sequence.case["steps"][:-1]:
        step.pop("frames", None)
    return sequence.case


def main() -> None:
    good, bad = deflate_cases()
    counts = {
        "valid/messages.json": hand_cases(),
        "valid/lenient.json": lenient_cases(),
        "valid/boundaries.json": boundary_cases(),
        "valid/bodies.json": body_cases(),
        "valid/deflated.json": good,
        "invalid/truncated.json": truncated_cases(),
        "invalid/types.json": type_cases(),
        "invalid/binary.json": invalid_cases(),
        "invalid/deflated.json": bad,
        "invalid/json.json": invalid_json_cases(),
        "sequences/mirror.json": sequences(),
    }
    total = 0
    for path, cases in counts.items():
        total += write(path, cases)
        print(f"{path}: {len(cases)}", file=sys.stderr)
    for name, texts in language.cases().items():
        total += write(f"language/{name}.json", texts)
        print(f"language/{name}.json: {len(texts)}", file=sys.stderr)
    for path, talks in {"dialogues/clients.json": dialogues.clients(), "dialogues/servers.json": dialogues.servers()}.items():
        assert len({talk["id"] for talk in talks}) == len(talks), [talk["id"] for talk in talks]
        total += write(path, talks)
        print(f"{path}: {len(talks)}", file=sys.stderr)
    print(f"{total} cases", file=sys.stderr)


if __name__ == "__main__":
    main()
