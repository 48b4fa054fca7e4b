"""Ten thousand random messages, and as many damaged ones, on which the server's codec has to agree.

The program that speaks for it (`scenesync-wire`) is named by the environment; without it the test fails.
"""

from __future__ import annotations

import dataclasses
import json
import os
import random
import subprocess
from typing import Any

from scenesync import kinds
from scenesync.errors import DecodeError
from scenesync.frames import Body, BodyKind, DeltasKind, Group, Row, Selection, SelectionKind, bit_count
from scenesync.messages import (
    CLIENT_TYPES,
    SERVER_TYPES,
    Frame,
    Hello,
    Inspection,
    Keyed,
    Message,
    Records,
    Refused,
    Select,
    Snapshot,
    View,
    Views,
    Welcome,
    decode,
    decode_json,
    encode,
)
from scenesync.values import Interaction

COUNT = 10_000


class Maker:
    """Random values of every kind of field."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def integer(self, bits: int) -> int:
        return self.rng.getrandbits(self.rng.randint(0, bits) or 1)

    def signed(self) -> int:
        value = self.integer(31)
        return value if self.rng.random() < 0.5 else -value - 1

    def numbers(self) -> tuple[int, ...]:
        spread = self.rng.choice([10, 100, 5000, kinds.NUMBERS])
        count = self.rng.randint(1, min(30, spread))
        return tuple(sorted(self.rng.sample(range(spread), count)))

    def text(self, maximum: int) -> str:
        pool = ["", "a", "Ünï", "日本", "\0\n\"\\", "x" * 70, "e\u0301"]
        text = self.rng.choice(pool)
        return text if len(text.encode()) <= maximum else "a"

    def selection(self) -> Selection:
        return Selection(self.rng.randint(1, 15), self.numbers())

    def deltas(self, count: int) -> tuple[int, ...]:
        return tuple(self.signed() for _ in range(count))

    def rows(self) -> list[Row]:
        if self.rng.random() < 0.5:
            return []
        common = self.rng.randint(1, 15) if self.rng.random() < 0.5 else None
        rows = []
        for number in self.numbers():
            mask = common or self.rng.randint(1, 15)
            rows.append(Row(number, mask, self.deltas(bit_count(mask))))
        return rows

    def body(self, absolute: bool) -> Body:
        groups = []
        for slot in sorted(self.rng.sample(range(64), self.rng.choice([0, 1, 1, 2, 5]))):
            groups.append(Group(self.deltas(self.rng.randint(1, 4)), slot=slot))
        for _ in range(self.rng.randint(0, 2)):
            selection = self.selection()
            stores = self.rng.random() < 0.5
            groups.append(Group(self.deltas(bit_count(selection.mask)), None, selection, stores))
        differences = bool(groups) and groups[0].slot is not None and self.rng.random() < 0.5
        return Body(groups, self.rows(), self.rows() if absolute else [], differences)

    def value(self, kind: kinds.Kind) -> Any:
        rng = self.rng
        if isinstance(kind, kinds.Unsigned):
            while not kind.check(value := self.integer(kind.bits)):
                pass
            return value
        if isinstance(kind, kinds.U64):
            return self.integer(64)
        if isinstance(kind, kinds.Fixed64):
            return rng.getrandbits(64)
        if isinstance(kind, kinds.F64):
            return rng.choice([0.0, 1.5, -2.0, rng.uniform(-1e9, 1e9), 5e-324, 1.7e308])
        if isinstance(kind, kinds.Flag):
            return rng.random() < 0.5
        if isinstance(kind, kinds.Text):
            return self.text(kind.maximum) if kind.check("") else rng.choice(["a", "b-1", "_", "Z" * 64])
        if isinstance(kind, kinds.Texts):
            return [self.text(kind.text.maximum) for _ in range(rng.randint(0, 4))]
        if isinstance(kind, kinds.Choice):
            return rng.choice(kind.names)
        if isinstance(kind, kinds.Integers):
            return self.deltas(kind.count)
        if isinstance(kind, kinds.Doubles):
            return tuple(self.value(kinds.F64()) for _ in range(kind.count))
        if isinstance(kind, kinds.MaybeColor):
            return rng.choice([None, "#102030", "#10203040", "#ffffff"])
        if isinstance(kind, kinds.MaybeNumber):
            return rng.choice([None, 0, kinds.NUMBERS - 1])
        if isinstance(kind, kinds.Maybe):
            return rng.choice([None, self.make(kind.struct.cls)])
        if isinstance(kind, kinds.Struct):
            return self.make(kind.cls)
        if isinstance(kind, kinds.ListOf):
            return [self.value(kind.kind) for _ in range(rng.randint(0, 4))]
        if isinstance(kind, kinds.Tagged):
            return self.make(rng.choice(list(kind.classes.values())))
        if isinstance(kind, kinds.JSONText):
            return [{"op": "setNeedsLayout"}, 1.5, None, "é", [True, {"a": []}]][: rng.randint(0, 5)]
        if isinstance(kind, BodyKind):
            return self.body(absolute=False)
        if isinstance(kind, SelectionKind):
            return self.selection()
        if isinstance(kind, DeltasKind):
            return self.deltas(1)
        if isinstance(kind, Keyed):
            return list(self.numbers())
        if isinstance(kind, Views):
            return [self.make(View) for _ in range(rng.randint(0, 6))]
        raise AssertionError(kind)

    def make(self, cls: type[Any]) -> Any:
        values = {name: self.value(kind) for name, _, kind in kinds.kinds_of(cls)}
        if cls is Frame:
            values["base_distance"] = self.rng.choice([1, values["base_distance"]])
            values["durable_distance"] = self.rng.choice([1, values["durable_distance"]])
            values["body"] = self.body(absolute=True)
        if cls is Select:
            values["deltas"] = self.deltas(bit_count(values["selection"].mask))
        if cls is Refused:
            # One that the server does not know, it passes on as another.
            values["code"] = self.rng.choice(["bad-op", "unsatisfiable", "limit"])
        if cls in (Snapshot, Inspection, Records):
            values["chunk_count"] = self.rng.randint(1, 1024)
            values["chunk_index"] = self.rng.randrange(values["chunk_count"])
        if cls is Interaction:
            # Kinds that the server does not know, it passes over.
            values["events"] = self.rng.sample(["tap", "press", "hover", "key", "scroll", "input"], self.rng.randint(0, 6))
        made = cls(**values)
        if cls in (Hello, Welcome) and made.broken_rule():
            made.role = "viewer"
        return made

    def message(self) -> tuple[Message, bool]:
        client = self.rng.random() < 0.4
        _, cls = self.rng.choice(list((CLIENT_TYPES if client else SERVER_TYPES).values()))
        return self.make(cls), client


def ask(lines: list[str]) -> list[dict[str, Any]]:
    """What the server's codec says of each line."""
    program = os.environ["SCENESYNC_WIRE"]
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_random_messages() -> None:
    maker = Maker(1)
    made = [maker.message() for _ in range(COUNT)]
    lines = [f"{'client' if client else 'server'} {encode(message, client).hex()}" for message, client in made]
    answers = ask(lines)
    assert len(answers) == COUNT
    for (message, client), answer in zip(made, answers):
        assert "error" not in answer, (message, answer)
        assert decode_json(json.dumps(answer["json"]), client) == message
        assert dataclasses.asdict(decode(encode(message, client), client)) == dataclasses.asdict(message)
        if not (isinstance(message, Snapshot) and message.deflated):
            assert answer["hex"] == encode(message, client).hex(), message


def test_damaged_messages() -> None:
    maker = Maker(2)
    data = []
    for _ in range(COUNT):
        message, client = maker.message()
        damaged = bytearray(encode(message, client))
        for _ in range(maker.rng.randint(1, 3)):
            damaged[maker.rng.randrange(len(damaged))] = maker.rng.choice([0, 1, 0x7F, 0x80, 0xFF, maker.integer(8)])
        if maker.rng.random() < 0.2:
            del damaged[maker.rng.randrange(len(damaged)) :]
        data.append((bytes(damaged), client))
    answers = ask([f"{'client' if client else 'server'} {damaged.hex()}" for damaged, client in data])
    refused = 0
    for (damaged, client), answer in zip(data, answers, strict=True):
        try:
            message = decode(damaged, client)
        except DecodeError as error:
            refused += 1
            assert answer.get("error") == error.code, (damaged.hex(), answer)
            continue
        assert "error" not in answer, (damaged.hex(), answer, message)
        # A refusal's code that the server does not know is all the same to it, and a kind of event that it does not know nothing.
        if message.type_name not in ("result", "interactions"):
            assert decode_json(json.dumps(answer["json"]), client) == message, damaged.hex()
    assert refused > COUNT // 4
